# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks example inputs against a model's forward."""

import inspect

from .errors import ExportError

_POSITIONAL = (
    inspect.Parameter.POSITIONAL_ONLY,
    inspect.Parameter.POSITIONAL_OR_KEYWORD,
)


def check_inputs(model, args, kwargs, input_names):
    """Raises ExportError, naming the cause, for inputs that `forward` does not
    take, for missing inputs, and for more `input_names` than inputs."""
    parameters = inspect.signature(model.forward).parameters.values()
    kinds = {parameter.kind for parameter in parameters}
    named = [
        parameter
        for parameter in parameters
        if parameter.kind
        not in (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)
    ]
    names = [parameter.name for parameter in named]
    takes = f"forward takes {', '.join(names) or 'nothing'}"
    kwargs = kwargs or {}
    unknown = [name for name in kwargs if name not in names]
    if unknown and inspect.Parameter.VAR_KEYWORD not in kinds:
        raise ExportError(
            f"the example inputs name {', '.join(unknown)}, which forward does not "
            f"take; {takes}"
        )
    positional = [parameter for parameter in named if parameter.kind in _POSITIONAL]
    if len(args) > len(positional) and inspect.Parameter.VAR_POSITIONAL not in kinds:
        raise ExportError(f"there are {len(args)} example inputs, but {takes}")
    given = {parameter.name for parameter in positional[: len(args)]}
    missing = [
        parameter.name
        for parameter in named
        if parameter.default is inspect.Parameter.empty
        and parameter.name not in given
        and parameter.name not in kwargs
    ]
    if missing:
        raise ExportError(
            f"the example inputs lack {', '.join(missing)}, which forward needs; {takes}"
        )
    count = len(args) + len(kwargs)
    if input_names is not None and len(input_names) > count:
        raise ExportError(
            f"input_names has {len(input_names)} names, and there are {count} inputs"
        )
