#!/usr/bin/env python3
#SBATCH --job-name="prepare data"
#SBATCH --comment='nightly, do not cancel'
#SBATCH --cpus-per-task=4 --mem=32000
#SBATCH --time=0-01:30
#SBATCH --begin=tomorrow
"""Prepares the data set."""
import os
print(os.environ["SLURM_JOB_ID"])
