# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command line: python3 -m temlir_log wandb|mlflow RUN."""

import argparse
import os
import sys

from . import LogError, Mlflow, Wandb, follow, read_settings
from .follow import find_metrics

_EXAMPLES = """examples:
  te-run train gpt.so --data train.bin --steps 10000 --checkpoint run &
  python3 -m temlir_log wandb run --project gpt --follow

  python3 -m temlir_log mlflow run        a run that has ended
"""


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="temlir_log",
        description="Passes the metrics of a run of te-run on to Weights & Biases or MLflow.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("service", choices=("wandb", "mlflow"))
    parser.add_argument(
        "run", metavar="RUN", help="the folder of te-run's --checkpoint, or the file of --metrics"
    )
    parser.add_argument(
        "--project", metavar="NAME", help="the project of W&B, the experiment of MLflow"
    )
    parser.add_argument("--name", metavar="NAME", help="of the run (default: RUN's)")
    parser.add_argument(
        "--follow", action="store_true", help="go on while the run does, until Ctrl-C"
    )
    parser.add_argument(
        "--idle",
        type=float,
        default=3600,
        metavar="SECONDS",
        help="end --follow when no step came for so long (default 3600)",
    )
    options = parser.parse_args(arguments)
    make = Wandb if options.service == "wandb" else Mlflow
    name = options.name or os.path.basename(os.path.abspath(options.run))
    service, count = None, 0

    def log(step, numbers):
        nonlocal count
        service.log(step, numbers)
        count += 1

    try:
        find_metrics(options.run)
        service = make(read_settings(options.run), project=options.project, name=name)
        follow(options.run, log, idle=options.idle if options.follow else None)
    except KeyboardInterrupt:
        pass
    except LogError as error:
        print(f"temlir_log: error: {error}", file=sys.stderr)
        return 1
    finally:
        if service:
            service.close()
    print(f"{count} steps logged to {options.service}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
