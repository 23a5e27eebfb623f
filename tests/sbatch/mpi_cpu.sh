#!/bin/zsh
#SBATCH -n 16
#SBATCH --mem-per-cpu=2000
#SBATCH -t 1440
#SBATCH -p vision
#SBATCH --dependency=afterok:1200:1201,singleton
# SBATCH --exclusive
mpirun -np 16 ./solver input.dat
