#!/bin/bash
#SBATCH --job-name=llama-ft
#SBATCH --account=nlp
#SBATCH --partition=gpu
#SBATCH --nodes=2 --ntasks-per-node=1       # one launcher per node
#SBATCH --gpus-per-node=h100:8
#SBATCH --cpus-per-task=64
#SBATCH --mem=800G
#SBATCH --time=2-12
#SBATCH --output=logs/%x-%j.out
#SBATCH --signal=B:USR1@300
#SBATCH --requeue
##SBATCH --reservation=maintenance

set -euo pipefail
export MASTER_ADDR=$(hostname)
torchrun --nnodes 2 --nproc-per-node 8 train.py
