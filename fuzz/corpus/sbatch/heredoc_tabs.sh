#!/bin/bash
#SBATCH --job-name=generate
#SBATCH --ntasks=1
#SBATCH --time=10000:00:00
#SBATCH --export=NONE
for lr in 1 2 3; do
	cat > run_$lr.sh <<-EOF
	#!/bin/bash
	#SBATCH --gpus=1
	python train.py --lr $lr
	EOF
	sbatch run_$lr.sh
done
