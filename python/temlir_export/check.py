# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks whether an ONNX file is suitable for training."""

import json
import re

import onnx

from .errors import ExportError

TIED_KEY = "temlir.tied"
FROZEN_KEY = "temlir.frozen"
BUFFERS_KEY = "temlir.buffers"

_FLOATS = {
    onnx.TensorProto.FLOAT,
    onnx.TensorProto.FLOAT16,
    onnx.TensorProto.BFLOAT16,
    onnx.TensorProto.DOUBLE,
}
# Names that the exporter's optimizer gives to values that it computed.
_ANONYMOUS = re.compile(r"^(val|_val|const)_\d+")
_SCOPE = re.compile(r"['\"]([^'\"]*)['\"]")
_NORMS = {
    "LayerNormalization",
    "RMSNormalization",
    "SimplifiedLayerNormalization",
    "GroupNormalization",
}
_ADVICE = (
    "Export with temlir_export.export_onnx, or with "
    "torch.onnx.export(..., dynamo=True, optimize=False)."
)


def check_onnx(model):
    """Raises ExportError if `model` (a path or a ModelProto) is unsuitable.

    That is the case if the exporter's graph optimizer has rewritten the
    parameters, or if a shape is not fixed. External data is not read.
    """
    if not isinstance(model, onnx.ModelProto):
        model = onnx.load(model, load_external_data=False)
    problems = (
        _anonymous_weights(model) + _shared_norms(model) + _dynamic_inputs(model)
    )
    if problems:
        raise ExportError("not fit for training:\n  " + "\n  ".join(problems))


def tied_names(model):
    """The other names of tied parameters: {initializer: [names]}."""
    return _metadata(model, TIED_KEY, {})


def frozen_names(model):
    """The frozen initializers: [names]."""
    return _metadata(model, FROZEN_KEY, [])


def _metadata(model, key, default):
    if not isinstance(model, onnx.ModelProto):
        model = onnx.load(model, load_external_data=False)
    for entry in model.metadata_props:
        if entry.key == key:
            return json.loads(entry.value)
    return default


def _size(dims):
    size = 1
    for dim in dims:
        size *= dim
    return size


def _anonymous_weights(model):
    names = [
        f"{tensor.name} {list(tensor.dims)}"
        for tensor in model.graph.initializer
        if tensor.data_type in _FLOATS
        and _ANONYMOUS.match(tensor.name)
        and _size(tensor.dims) > 1
    ]
    if not names:
        return []
    return [
        f"{len(names)} weights have lost their names ({_some(names)}): the "
        f"exporter's optimizer computed them from parameters. {_ADVICE}"
    ]


def _layer_of(node):
    """The node's module, or the node itself if the file does not name one. A
    module may run more than once."""
    for entry in node.metadata_props:
        if entry.key == "pkg.torch.onnx.name_scopes":
            scopes = _SCOPE.findall(entry.value)
            if len(scopes) > 1:
                return scopes[-2]
    return node.name


def _shared_norms(model):
    users = {}
    for node in model.graph.node:
        if node.op_type in _NORMS and len(node.input) > 1:
            users.setdefault(node.input[1], {})[_layer_of(node)] = None
    initializers = {tensor.name for tensor in model.graph.initializer}
    return [
        f"{name} is the weight of {len(nodes)} norms ({_some(nodes)}): the "
        f"exporter's optimizer merged parameters that held equal values. {_ADVICE}"
        for name, nodes in users.items()
        if len(nodes) > 1 and name in initializers
    ]


def _dynamic_inputs(model):
    initializers = {tensor.name for tensor in model.graph.initializer}
    problems = []
    for value in model.graph.input:
        if value.name in initializers:
            continue
        dims = value.type.tensor_type.shape.dim
        free = [
            dim.dim_param or "?" for dim in dims if not dim.HasField("dim_value")
        ]
        if free:
            problems.append(
                f"input {value.name} has dimensions without a size "
                f"({', '.join(free)}): export without dynamic_shapes and "
                "dynamic_axes."
            )
    return problems


def _some(names, most=4):
    names = list(names)
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
