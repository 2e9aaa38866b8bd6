# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exports PyTorch to ONNX without rewrites for inference."""

import contextlib
import json
import os
import re
import tempfile
import warnings

import onnx
import torch
from onnx.external_data_helper import (
    ExternalDataInfo,
    load_external_data_for_tensor,
)

from .check import BUFFERS_KEY, FROZEN_KEY, TIED_KEY, check_onnx
from .errors import ExportError, explain
from .inputs import check_inputs
from .meta import values_for_export
from .paths import shorten_path
from .settings import can_be_eager, eager_attention, set_for_export

# The first opset with Attention as one operator.
_OPSET = 23
_WEIGHTS = ("inline", "external", "absent")


def export_onnx(
    model,
    example_inputs,
    path,
    *,
    output_names=None,
    input_names=None,
    weights="inline",
    opset_version=_OPSET,
    allow_unused=False,
    dropout=False,
):
    """Exports `model` to the ONNX file `path` and checks the result.

    model           a torch.nn.Module. It is exported in evaluation mode and
                    restored afterwards.
    example_inputs  a tensor, a tuple of tensors in the order of `forward`'s
                    parameters, or a dict by their names. Their shapes are the
                    shapes the compiled program will have.
    output_names    names of the outputs, such as ["logits"].
    input_names     names of the inputs; by default those of `forward`'s
                    parameters.
    weights         "inline", "external" (NAME.weights.bin next to the file) or
                    "absent" (shapes only; te-compile --init generates values).
                    With "absent" parameters may be on the meta device; buffers
                    are constants of the graph and require values.
    allow_unused    accept parameters that the outputs do not depend on. They
                    are not in the file and will not be trained.
    dropout         keep the model's dropout for training: it is exported in
                    training mode, except for modules that keep running
                    statistics. By default dropout is removed.

    Parameters with requires_grad=False are not trained: the file's metadata
    lists them (frozen_names), and te-compile freezes them unless overridden
    (--freeze, --train-only).

    Returns {initializer: [other names]} of the tied parameters, which is also
    in the file's metadata. Raises ExportError, and leaves an existing file at
    `path` unchanged, if torch cannot export the model or a parameter is missing
    from the result.

    Hugging Face models are exported without their cache, experts as
    "batched_mm", and attention as "eager" if torch cannot translate the
    configured one; a warning reports this, and the model is restored.
    """
    if weights not in _WEIGHTS:
        raise ExportError(f"weights is one of {', '.join(_WEIGHTS)}, not {weights!r}")
    path = os.fspath(path)
    folder, name = os.path.split(os.path.abspath(path))
    if not os.path.isdir(folder):
        raise ExportError(f"there is no folder {folder}")
    args, kwargs = _arguments(example_inputs)
    check_inputs(model, args, kwargs, input_names)
    _warn_about_types(model)
    if not dropout:
        _warn_about_dropout(model)

    with tempfile.TemporaryDirectory(dir=folder, prefix=".export-") as work:
        draft = os.path.join(work, name)
        notes = []
        with contextlib.ExitStack() as stack:
            stack.enter_context(_in_mode(model, dropout))
            stack.enter_context(values_for_export(model, weights))
            kwargs = stack.enter_context(set_for_export(model, kwargs, notes))
            program = _export(
                model,
                notes,
                args=args,
                kwargs=kwargs,
                dynamo=True,
                optimize=False,
                opset_version=opset_version,
                input_names=input_names,
                output_names=output_names,
                verbose=False,
            )
        # Values are written to a separate file first: protobuf is limited to 2
        # GiB.
        program.save(draft, external_data=True)
        proto = onnx.load(draft, load_external_data=False)

        tied = _check_parameters(model, proto, allow_unused)
        check_onnx(proto)
        if dropout and not any(node.op_type == "Dropout" for node in proto.graph.node):
            notes.append("dropout is asked for, but the model drops nothing out")
        frozen = _frozen(model, proto)
        if len(frozen) == len(_parameter_groups(model)):
            notes.append(
                "no parameter requires a gradient: te-compile trains none of them "
                "unless --train-only says which"
            )
        _add_metadata(proto, TIED_KEY, tied)
        _add_metadata(proto, FROZEN_KEY, frozen)
        _add_metadata(proto, BUFFERS_KEY, _add_buffers(model, proto))
        _shorten_paths(proto)

        data_name = os.path.splitext(name)[0] + ".weights.bin"
        if weights == "external":
            data = _rename_data(proto, data_name)
            if data:
                os.replace(os.path.join(work, data), os.path.join(folder, data_name))
        else:
            if weights == "absent":
                names = {name for name, _ in model.named_parameters()}
                names.update(tied)
                _drop_values(proto, names, data_name)
            _load_values(proto, work)
        final = os.path.join(work, "final.onnx")
        onnx.save_model(proto, final)
        os.replace(final, path)
    for note in notes:
        warnings.warn(f"for the export {note}", stacklevel=2)
    return tied


def _export(model, notes, **options):
    """Exports by torch, with eager attention if torch cannot translate the
    configured one, or translates it wrongly."""
    try:
        program = torch.onnx.export(model, **options)
    except Exception as error:  # from any part of torch
        if not can_be_eager(model):
            raise ExportError(explain(error)) from error
        first = error
    else:
        if not _drops_probabilities(program) or not can_be_eager(model):
            return program
        first = None
    with eager_attention(model):
        try:
            program = torch.onnx.export(model, **options)
        except Exception as error:  # attention was not the cause
            first = first or error
            raise ExportError(explain(first)) from first
    notes.append(
        'attention is set to "eager": the exporter cannot translate the '
        "implementation that was set"
    )
    return program


def _drops_probabilities(program):
    """Returns whether attention has dropout. Within torch's single operator it
    would be exported with boolean masks added to the scores."""
    return any(
        node.op_type == "Dropout"
        and (source := node.inputs[0].producer()) is not None
        and source.op_type == "Softmax"
        for node in program.model.graph
    )


def _arguments(example_inputs):
    if isinstance(example_inputs, torch.Tensor):
        return (example_inputs,), None
    if isinstance(example_inputs, dict):
        return (), dict(example_inputs)
    return tuple(example_inputs), None


@contextlib.contextmanager
def _in_mode(model, training):
    """Sets training or evaluation mode during the export, module by module."""
    modes = [(module, module.training) for module in model.modules()]
    model.train(training)
    for module in model.modules():
        if getattr(module, "track_running_stats", False):
            module.train(False)
    try:
        with warnings.catch_warnings():
            # It is intentional.
            warnings.filterwarnings("ignore", ".*while it is in training mode")
            yield
    finally:
        for module, mode in modes:
            module.training = mode


def _warn_about_types(model):
    narrow = [
        name
        for name, parameter in model.named_parameters()
        if parameter.is_floating_point() and parameter.dtype != torch.float32
    ]
    if narrow:
        warnings.warn(
            f"{len(narrow)} parameters are not float32, {narrow[0]} among them. "
            "The compiler makes narrow copies itself and trains float32 ones: "
            "export model.float()",
            stacklevel=3,
        )


def _warn_about_dropout(model):
    dropout = [
        name
        for name, module in model.named_modules()
        if type(module).__name__.startswith("Dropout") and getattr(module, "p", 0) > 0
    ]
    if dropout:
        warnings.warn(
            f"dropout is left out of the export ({len(dropout)} modules, "
            f"{dropout[0]} among them); dropout=True (--dropout) keeps it",
            stacklevel=3,
        )


def _parameter_groups(model):
    """Parameters with all their names: [(parameter, [names])]."""
    groups = {}
    for name, parameter in model.named_parameters(remove_duplicate=False):
        groups.setdefault(id(parameter), (parameter, []))[1].append(name)
    return list(groups.values())


_ELEMENTS = {
    torch.float32: onnx.TensorProto.FLOAT,
    torch.float64: onnx.TensorProto.DOUBLE,
    torch.float16: onnx.TensorProto.FLOAT16,
    torch.bfloat16: onnx.TensorProto.BFLOAT16,
}


def _check_parameters(model, proto, allow_unused):
    """Checks that every parameter has one of its names; returns the others."""
    initializers = {tensor.name: tensor for tensor in proto.graph.initializer}
    used = {name for node in proto.graph.node for name in node.input}
    used.update(value.name for value in proto.graph.output)
    tied, missing, wrong = {}, [], []
    for parameter, names in _parameter_groups(model):
        present = [name for name in names if name in initializers]
        if not present or not any(name in used for name in present):
            missing.append(" = ".join(names))
            continue
        if len(present) > 1:
            wrong.append(f"{' and '.join(present)} are one parameter, exported twice")
        tensor = initializers[present[0]]
        if list(tensor.dims) != list(parameter.shape):
            wrong.append(
                f"{present[0]} is {list(parameter.shape)} in the model and "
                f"{list(tensor.dims)} in the file"
            )
        if tensor.data_type != _ELEMENTS.get(parameter.dtype, tensor.data_type):
            wrong.append(f"{present[0]} changed its element type")
        others = [name for name in names if name != present[0]]
        if others:
            tied[present[0]] = others
    if wrong:
        raise ExportError("the exporter changed parameters:\n  " + "\n  ".join(wrong))
    if missing and not allow_unused:
        raise ExportError(
            f"{len(missing)} parameters do not reach the outputs and could not be "
            "trained:\n  "
            + "\n  ".join(missing)
            + "\nIf the forward pass does not use them, pass allow_unused=True "
            "(--allow-unused)."
        )
    return tied


def _frozen(model, proto):
    """The initializers of parameters that require no gradient."""
    initializers = {tensor.name for tensor in proto.graph.initializer}
    return [
        name
        for parameter, names in _parameter_groups(model)
        if not parameter.requires_grad
        for name in names
        if name in initializers
    ]


def _add_buffers(model, proto):
    """The names of the buffers in a state dictionary. Those that the graph does
    not read are added to it, because loading a dictionary requires them, too."""
    initializers = {tensor.name for tensor in proto.graph.initializer}
    parameters = {name for name, _ in model.named_parameters(remove_duplicate=False)}
    names = []
    for name, value in model.state_dict().items():
        if name in parameters or not isinstance(value, torch.Tensor):
            continue
        if value.is_complex():  # the file format has no such type
            continue
        if name not in initializers:
            if value.is_floating_point():
                value = value.float()
            elif value.dtype != torch.bool:
                value = value.long()
            proto.graph.initializer.append(
                onnx.numpy_helper.from_array(value.cpu().numpy(), name)
            )
        names.append(name)
    return names


def _add_metadata(proto, key, value):
    if value:
        entry = proto.metadata_props.add()
        entry.key = key
        entry.value = json.dumps(value)


_FILE = re.compile(r'File "([^"]+)"')


def _shorten_paths(proto):
    """Removes the exporting machine's folders from source positions."""

    def shorten(match):
        return f'File "{shorten_path(match.group(1))}"'

    for node in proto.graph.node:
        for entry in node.metadata_props:
            if entry.key == "pkg.torch.onnx.stack_trace":
                entry.value = _FILE.sub(shorten, entry.value)


def _rename_data(proto, data_name):
    """Renames the external data to `data_name`; returns the previous name."""
    before = None
    for tensor in proto.graph.initializer:
        for entry in tensor.external_data:
            if entry.key == "location":
                before = entry.value
                entry.value = data_name
    return before


def _load_values(proto, folder):
    """Reads the external data in `folder` into the model."""
    for tensor in proto.graph.initializer:
        if tensor.data_location == onnx.TensorProto.EXTERNAL:
            info = ExternalDataInfo(tensor)
            if os.path.exists(os.path.join(folder, info.location)):
                load_external_data_for_tensor(tensor, folder)
                tensor.data_location = onnx.TensorProto.DEFAULT
                tensor.ClearField("external_data")
    if proto.ByteSize() >= 2**31:
        raise ExportError(
            "the model is over 2 GiB, the most an ONNX file can hold: "
            "use weights='external'"
        )


def _drop_values(proto, names, data_name):
    """Makes the tensors in `names` refer to absent data."""
    offset = 0
    for tensor in proto.graph.initializer:
        if tensor.name not in names:
            continue
        size = _bytes_of(tensor)
        for field in ("raw_data", "float_data", "double_data", "external_data"):
            tensor.ClearField(field)
        tensor.data_location = onnx.TensorProto.EXTERNAL
        for key, value in (
            ("location", data_name),
            ("offset", offset),
            ("length", size),
        ):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)
        offset += size


def _bytes_of(tensor):
    width = {
        onnx.TensorProto.DOUBLE: 8,
        onnx.TensorProto.FLOAT: 4,
        onnx.TensorProto.FLOAT16: 2,
        onnx.TensorProto.BFLOAT16: 2,
    }[tensor.data_type]
    for dim in tensor.dims:
        width *= dim
    return width
