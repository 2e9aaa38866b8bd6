# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where numbers go. Each has log(step, numbers) and close(); credentials and servers
are set as each of the services has it."""

import importlib

from .follow import LogError


def _load(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise LogError(f"the Python package {name} is missing: pip install {name}") from error


class Wandb:
    """A run of Weights & Biases."""

    def __init__(self, settings, project=None, name=None):
        self._run = _load("wandb").init(project=project, name=name, config=settings)

    def log(self, step, numbers):
        self._run.log(numbers, step=step)

    def close(self):
        self._run.finish()


class Mlflow:
    """A run of MLflow; the project is its experiment."""

    def __init__(self, settings, project=None, name=None):
        self._mlflow = _load("mlflow")
        if project:
            self._mlflow.set_experiment(project)
        self._mlflow.start_run(run_name=name)
        # MLflow takes no value longer than that.
        self._mlflow.log_params({key: str(value)[:500] for key, value in settings.items()})

    def log(self, step, numbers):
        self._mlflow.log_metrics(numbers, step=step)

    def close(self):
        self._mlflow.end_run()
