#!/bin/bash
#SBATCH --job-name=huge
#SBATCH --gpus=16
#SBATCH --cpus-per-gpu=12
#SBATCH --mem-per-gpu=120G
#SBATCH --constraint="h100&ib"
#SBATCH --time=7-00:00:00
#SBATCH --signal=USR2@120
#SBATCH --exclude=n[2-3]
python big.py
