# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Command line: python3 -m temlir_export export|hugging-face|check."""

import argparse
import importlib
import logging
import os
import sys
import warnings

_EXAMPLES = """examples:
  python3 -m temlir_export export my_model:make_model -o model.onnx
  python3 -m temlir_export export my_model:make_model -o model.onnx --weights absent
  python3 -m temlir_export hugging-face FOLDER -o model.onnx --batch 4
  python3 -m temlir_export check model.onnx

make_model() returns (model, example_inputs): a torch.nn.Module and a tensor, a
tuple, or a dict of tensors by the names of forward's parameters.
"""

_NEEDED = ("torch", "onnx", "onnxscript")
_NEEDED_FOR_FOLDERS = ("transformers", "peft")


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
    folder = commands.add_parser(
        "hugging-face",
        help="export a causal language model from a folder of Hugging Face",
    )
    folder.add_argument("folder", metavar="FOLDER", help="with config.json and safetensors")
    folder.add_argument("-o", "--output", required=True, metavar="FILE")
    folder.add_argument(
        "--batch", type=_positive, default=8, metavar="N", help="rows (default 8)"
    )
    folder.add_argument(
        "--sequence",
        type=_positive,
        metavar="N",
        help="tokens of a row (default 1024, or what the model takes if that is less)",
    )
    folder.add_argument(
        "--adapter", metavar="FOLDER", help="LoRA adapters of PEFT to train"
    )
    folder.add_argument(
        "--dropout", action="store_true", help="keep the model's dropout for training"
    )
    folder.add_argument(
        "--document-masks",
        action="store_true",
        help="an input position_ids, by which attention stays within documents",
    )
    check = commands.add_parser("check", help="say whether a file can be trained")
    check.add_argument("file")
    options = parser.parse_args(arguments)
    run = {"check": _check, "export": _export, "hugging-face": _export_folder}
    try:
        return run[options.command](options)
    except ModuleNotFoundError as error:
        needed = _NEEDED + (_NEEDED_FOR_FOLDERS if options.command == "hugging-face" else ())
        if error.name not in needed:
            raise
        return _fail(f"{error.name} is not installed: pip install {' '.join(needed)}")


def _positive(text):
    value = int(text)
    if value < 1:
        raise ValueError
    return value


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


def _export_folder(options):
    import torch  # noqa: F401: without it transformers says something else
    import transformers

    from . import ExportError
    from .hugging_face import export_hugging_face

    # About packages that no model here needs.
    registration = "torch.onnx._internal.exporter._registration"
    logging.getLogger(registration).setLevel(logging.ERROR)
    transformers.utils.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            model = export_hugging_face(
                options.folder,
                options.output,
                batch=options.batch,
                sequence=options.sequence,
                adapter=options.adapter,
                dropout=options.dropout,
                document_masks=options.document_masks,
            )
        except ExportError as error:
            return _fail(error)
    own = os.path.dirname(os.path.abspath(__file__))
    for warning in caught:
        if os.path.dirname(os.path.abspath(warning.filename)) == own:
            print(f"temlir_export: warning: {warning.message}", file=sys.stderr)
    trained = sum(p.numel() for p in model.parameters() if p.requires_grad)
    total = sum(p.numel() for p in model.parameters())
    print(f"{options.output}: {total:,} parameters, {trained:,} of them trained")
    return 0


if __name__ == "__main__":
    sys.exit(main())
