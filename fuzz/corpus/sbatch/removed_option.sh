#!/bin/bash
#SBATCH --job-name=old
#SBATCH --workdir=/scratch/ann
#SBATCH --time=60
./run.sh
