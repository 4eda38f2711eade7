#!/bin/bash
# Workers as an array job: sbatch --array=1-20 slurm-array.sh nats://lab-server
# Before its time is over each hands back what it has not finished.
#SBATCH --job-name=vidmar-worker
#SBATCH --cpus-per-task=16
#SBATCH --time=08:00:00
# B: to the script itself, whose process the worker becomes; without it only steps that srun starts would hear of it.
#SBATCH --signal=B:INT@60
set -euo pipefail
exec vidmar worker "${1:?the address of the NATS server}" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" \
    --name "slurm-${SLURM_ARRAY_JOB_ID:-0}-${SLURM_ARRAY_TASK_ID:-0}"
