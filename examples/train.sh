#!/bin/bash
#SBATCH --job-name=train --time=0:10:00   # several options on one line, and a comment
#SBATCH --gres=gpu:2
#SBATCH -c 2 --mem=512M
#SBATCH --output=%x-%j.out
#SBATCH --signal=B:USR1@60

trap 'echo "saving before the limit"; exit 85' USR1
for epoch in 1 2 3; do
  echo "job $SLURM_JOB_ID epoch $epoch on $CUDA_VISIBLE_DEVICES"
  sleep 0.5
done
echo "trained"
