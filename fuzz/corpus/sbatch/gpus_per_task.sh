#!/bin/bash -l
#SBATCH --job-name=ranks
#SBATCH -A proj42 -q high
#SBATCH --ntasks=4 --gpus-per-task=1 --cpus-per-task=8
#SBATCH --mem-per-gpu=60G
#SBATCH --time=12:00:00
#SBATCH --constraint=h100
#SBATCH --gpu-bind=closest --distribution=block:block
#SBATCH --open-mode=append
#BERTH --retries 2 --interruptible=checkpoint
srun --ntasks=4 python rank.py
