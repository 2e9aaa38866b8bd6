# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes the metrics of a run of te-run on to W&B or MLflow."""

from .follow import LogError, flatten, follow, read_settings
from .services import Mlflow, Wandb

__all__ = ["LogError", "Mlflow", "Wandb", "flatten", "follow", "read_settings"]
