#!/bin/bash
#SBATCH --gres=gpu:a100_3g.20gb:1
#SBATCH --time=10:00:00
python infer.py
