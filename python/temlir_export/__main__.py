# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command line: python3 -m temlir_export export|check."""

import argparse
import importlib
import os
import sys

_EXAMPLES = """examples:
  python3 -m temlir_export export my_model:make_model -o model.onnx
  python3 -m temlir_export export my_model:make_model -o model.onnx --weights absent
  python3 -m temlir_export check model.onnx

make_model() returns (model, example_inputs): a torch.nn.Module and a tensor, a
tuple, or a dict of tensors by the names of forward's parameters.
"""


def main(arguments=None):
    parser = argparse.ArgumentParser(
        prog="temlir_export",
        description="Exports PyTorch models to ONNX for training with TE-MLIR.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(dest="command", required=True)
    export = commands.add_parser("export", help="export a model")
    export.add_argument("factory", metavar="MODULE:FUNCTION")
    export.add_argument("-o", "--output", required=True, metavar="FILE")
    export.add_argument(
        "--output-names", nargs="+", default=["logits"], metavar="NAME",
        help="default: logits",
    )
    export.add_argument(
        "--weights", choices=["inline", "external", "absent"], default="inline"
    )
    export.add_argument("--allow-unused", action="store_true")
    export.add_argument(
        "--dropout", action="store_true", help="keep the model's dropout for training"
    )
    check = commands.add_parser("check", help="say whether a file can be trained")
    check.add_argument("file")
    options = parser.parse_args(arguments)
    try:
        return _check(options) if options.command == "check" else _export(options)
    except ModuleNotFoundError as error:
        if error.name not in ("torch", "onnx", "onnxscript"):
            raise
        return _fail(f"{error.name} is not installed: pip install torch onnx onnxscript")


def _fail(message):
    print(f"temlir_export: error: {message}", file=sys.stderr)
    return 1


def _check(options):
    from google.protobuf.message import DecodeError

    from . import ExportError, check_onnx, tied_names

    try:
        check_onnx(options.file)
        tied = tied_names(options.file)
    except ExportError as error:
        return _fail(f"{options.file}: {error}")
    except OSError as error:
        return _fail(error)
    except DecodeError:
        return _fail(f"{options.file}: not an ONNX file")
    print(f"{options.file}: fit for training")
    for name, others in tied.items():
        print(f"  {name} is also {', '.join(others)}")
    return 0


def _export(options):
    from . import ExportError, export_onnx

    module, _, function = options.factory.partition(":")
    if not function:
        return _fail(f"expected MODULE:FUNCTION, not {options.factory}")
    sys.path.insert(0, os.getcwd())
    try:
        make = getattr(importlib.import_module(module), function)
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        return _fail(f"there is no module {module} here or in Python's path")
    except AttributeError:
        return _fail(f"{module} has no {function}")
    model, inputs = make()
    try:
        tied = export_onnx(
            model,
            inputs,
            options.output,
            output_names=options.output_names,
            weights=options.weights,
            allow_unused=options.allow_unused,
            dropout=options.dropout,
        )
    except ExportError as error:
        return _fail(error)
    print(f"{options.output}: {sum(1 for _ in model.parameters())} parameters")
    for name, others in tied.items():
        print(f"  {name} is also {', '.join(others)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
