# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models with parameters on the meta device: shapes without values."""

import contextlib

import torch

from .errors import ExportError


@contextlib.contextmanager
def values_for_export(model, weights):
    """Replaces parameters on the meta device by zeros that take no memory,
    during one export. Raises ExportError if values are required: for
    parameters unless `weights` is "absent", and for buffers."""
    parameters = [
        (module, name, parameter)
        for module in model.modules()
        for name, parameter in module.named_parameters(
            recurse=False, remove_duplicate=False
        )
        if parameter.is_meta
    ]
    if parameters and weights != "absent":
        raise ExportError(
            f"{len(parameters)} parameters are on the meta device and have no values, "
            f"{parameters[0][1]} of {type(parameters[0][0]).__name__} among them: "
            "export with weights='absent', or make the model on the CPU"
        )
    buffers = [name for name, buffer in model.named_buffers() if buffer.is_meta]
    if buffers:
        raise ExportError(
            f"{len(buffers)} buffers are on the meta device and have no values, "
            f"{buffers[0]} among them. Buffers are constants of the graph: make them "
            "on the CPU, with accelerate.init_empty_weights(include_buffers=False) "
            "for example, or the whole model"
        )
    # A parameter shared by several modules stays shared.
    made = {}
    for module, name, parameter in parameters:
        if id(parameter) not in made:
            zeros = torch.zeros((), dtype=parameter.dtype).expand(parameter.shape)
            made[id(parameter)] = torch.nn.Parameter(
                zeros, requires_grad=parameter.requires_grad
            )
        module._parameters[name] = made[id(parameter)]
    try:
        yield
    finally:
        for module, name, parameter in parameters:
            module._parameters[name] = parameter
