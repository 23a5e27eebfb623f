#!/bin/bash
#SBATCH --job-name=eval
#SBATCH --gres=gpu:l40s:1
#SBATCH --mem=40
#SBATCH -t 4:00
#SBATCH --mail-type=END,FAIL
#SBATCH --mail-user=ann@example.org

module load cuda/12.4
#SBATCH --cpus-per-task=8
python eval.py
