#!/usr/bin/env bash
#SBATCH -J sweep
#SBATCH -a 0-14%4
#SBATCH -o %x_%A_%a.out -e %x_%A_%a.err
#SBATCH --gres gpu:1
#SBATCH -c 8
#SBATCH --mem 50gb
#SBATCH -t 5:00

LR=(1e-3 3e-4 1e-4)
python sweep.py --lr "${LR[$((SLURM_ARRAY_TASK_ID % 3))]}" --seed $((SLURM_ARRAY_TASK_ID / 3))
