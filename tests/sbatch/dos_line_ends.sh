#!/bin/bash
#SBATCH --job-name=windows
#SBATCH --gpus=2
#SBATCH --time=UNLIMITED

echo done
