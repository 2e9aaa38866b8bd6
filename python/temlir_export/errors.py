# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Errors of an export, as messages for the user."""

import re


class ExportError(RuntimeError):
    """A model that cannot be exported, or a file unsuitable for training.

    The message says what is wrong and what to do.
    """


# Substrings of torch's messages, and advice.
_ADVICE = (
    (
        r"DynamicCache|EncoderDecoderCache|past_key_values|output pytree",
        "The model returns something other than tensors, such as a cache for "
        "generation: export it with use_cache=False, or a module around it that "
        "returns the logits alone.",
    ),
    (
        r"GuardOnDataDependentSymNode|data.dependent|Could not guard",
        "The forward pass branches on values of tensors, which have no value at "
        "export: replace the branch, as with torch.where. For a mixture of experts "
        'of Hugging Face: model.set_experts_implementation("batched_mm").',
    ),
    (
        r"Unsupported ONNX op|No ONNX function found|ConversionError|"
        r"No decompositions? registered|not supported.*opset",
        "ONNX has no operator for this part of the model. For attention of Hugging "
        'Face: model.set_attn_implementation("eager"). Elsewhere write the part with '
        "simpler operations.",
    ),
    (
        r"missing .*required (positional )?argument|unexpected keyword argument|"
        r"got multiple values for",
        "The example inputs are not those of forward: give a dict by the names of "
        "its parameters, or a tuple in their order.",
    ),
    (
        r"fake ?tensor|vmap|functorch|aten\.",
        "torch.export could not follow the forward pass. It must compute with "
        "tensors alone: no numpy, no .item(), no writing into inputs.",
    ),
)


def explain(error):
    """A readable message for an exception of torch's exporter."""
    causes = []
    while error is not None and error not in causes:
        causes.append(error)
        error = error.__cause__ or error.__context__
    text = "\n".join(str(cause) for cause in causes)
    # The innermost exception describes the error; the outer ones, that the
    # export failed.
    root = causes[-1]
    lines = [_plain(line) for line in str(root).splitlines()]
    first = next((line for line in lines if line), type(root).__name__)
    advice = next(
        (advice for pattern, advice in _ADVICE if re.search(pattern, text, re.I)),
        "If the model runs in evaluation mode on these inputs, "
        "torch.export.export(model.eval(), args, kwargs) shows more.",
    )
    return (
        f"torch cannot export this model: {type(root).__name__}: {first}"
        f"{_place(root)}\n{advice}"
    )


def _plain(line, most=300):
    line = re.sub(r"\x1b\[[0-9;]*m", "", line).strip()
    return line if len(line) <= most else line[:most] + "…"


def _place(error):
    """The innermost line of the traceback outside of torch."""
    place, traceback = "", error.__traceback__
    while traceback is not None:
        file = traceback.tb_frame.f_code.co_filename
        if not re.search(r"[/\\](torch|onnx|onnxscript|temlir_export)[/\\]|^<", file):
            place = f" ({file}, line {traceback.tb_lineno})"
        traceback = traceback.tb_next
    return place
