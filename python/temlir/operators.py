# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as operators of torch, with what autograd and torch.compile ask for.

An operator names its program by a number, because it takes numbers and tensors
alone.
"""

import itertools
import weakref
from collections.abc import Sequence

import torch

from .errors import TemlirError

_numbers = itertools.count()
_bound = weakref.WeakValueDictionary()


class BoundProgram:
    """A program with the states of one module."""

    def __init__(self, program, states):
        self.program = program
        self.states = states
        self.number = next(_numbers)
        _bound[self.number] = self


def _find(number):
    bound = _bound.get(number)
    if bound is None:
        raise TemlirError("the module of this operator is gone")
    return bound


def prepare(tensors, types):
    """Tensors as programs read them: of their dtypes, contiguous, at aligned
    addresses. Autograd does not see that; it converts gradients back itself."""
    return [
        tensor
        if tensor.dtype is described.dtype
        and tensor.is_contiguous()
        and not tensor.data_ptr() % 16
        else _convert(tensor, described.dtype)
        for tensor, described in zip(tensors, types)
    ]


def _convert(tensor, dtype):
    tensor = tensor.to(dtype)
    if tensor.is_contiguous() and not tensor.data_ptr() % 16:
        return tensor
    return tensor.clone(memory_format=torch.contiguous_format)


def _prepare_forward(bound, inputs, parameters):
    program = bound.program
    inputs = prepare(inputs, program.inputs)
    parameters = prepare(parameters, program.parameters)
    if not bound.states.has_scales:
        bound.states.calibrate(program, inputs, parameters)
    return inputs, parameters, bound.states.tensors


def _run_forward(bound, inputs, parameters):
    return bound.program.forward(*_prepare_forward(bound, inputs, parameters))


def _run_forward_saving(bound, inputs, parameters):
    """The outputs, then what the backward pass reads, as bytes."""
    outputs, saved = bound.program.forward_saving(
        *_prepare_forward(bound, inputs, parameters)
    )
    return [*outputs, saved]


def _run_backward(bound, cotangents, kept, saved):
    """The gradients, of `kept` as _kept chose. `saved` is overwritten."""
    program, states = bound.program, bound.states
    cotangents = prepare(cotangents, program.cotangents)
    types = _kept(program, program.inputs, program.parameters, program.outputs)
    kept = iter(prepare(kept, types))
    inputs, parameters, outputs = (
        [next(kept) if is_read else None for is_read in are_read]
        for are_read in _read_by_backward(program)
    )

    def run(saved):
        return program.backward(
            cotangents, saved, inputs, parameters, outputs, states.tensors
        )

    if states.has_gradient_scales:
        return run(saved)
    return states.calibrate_gradients(lambda: run(saved.clone()))


def _read_by_backward(program):
    """Which inputs, parameters and outputs the backward pass reads."""
    return (
        program.inputs_of_backward,
        program.parameters_of_backward,
        program.outputs_of_backward,
    )


def _kept(program, inputs, parameters, outputs):
    """Those that the backward pass reads."""
    values = inputs, parameters, outputs
    return [
        value
        for group, are_read in zip(values, _read_by_backward(program))
        for value in itertools.compress(group, are_read)
    ]


def _cotangents(program, gradients):
    """Those of outputs that have one, in the program's dtypes; zeros where an output
    is not used."""
    found = []
    values = program.outputs, program.have_cotangents, gradients
    for output, has_cotangent, gradient in zip(*values):
        if not has_cotangent:
            continue
        if gradient is None:
            gradient = torch.zeros(
                output.shape, dtype=output.dtype, device=program.device
            )
        found.append(gradient)
    return found


def _gradients(program, found):
    """Those of the inputs, and those of the parameters; None where there is none."""

    def take(places):
        return [None if place is None else found[place] for place in places]

    return take(program.gradient_of_input), take(program.gradient_of_parameter)


class _Call(torch.autograd.Function):
    """A call without the dispatcher's cost."""

    @staticmethod
    def forward(ctx, bound, count, *tensors):
        inputs, parameters = tensors[:count], tensors[count:]
        *outputs, saved = _run_forward_saving(bound, inputs, parameters)
        ctx.bound = bound
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*_kept(bound.program, inputs, parameters, outputs), saved)
        pairs = zip(outputs, bound.program.have_cotangents)
        ctx.mark_non_differentiable(*[output for output, has in pairs if not has])
        return tuple(outputs)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx, *gradients):
        program = ctx.bound.program
        *kept, saved = ctx.saved_tensors
        if torch._C._autograd._get_current_graph_task_keep_graph():
            saved = saved.clone()  # retain_graph=True: it is read again
        found = _run_backward(
            ctx.bound, _cotangents(program, gradients), kept, saved
        )
        of_inputs, of_parameters = _gradients(program, found)
        return None, None, *of_inputs, *of_parameters


def call(bound, inputs, parameters):
    """The outputs of a program, differentiable where gradients are enabled."""
    with_gradient = torch.is_grad_enabled() and any(
        tensor.requires_grad for tensor in (*inputs, *parameters)
    )
    if not with_gradient:
        if torch.compiler.is_compiling():
            return torch.ops.temlir.forward(inputs, parameters, bound.number)
        return _run_forward(bound, inputs, parameters)
    if torch.compiler.is_compiling():
        *outputs, _ = torch.ops.temlir.forward_saving(inputs, parameters, bound.number)
        pairs = zip(outputs, bound.program.have_cotangents)
        return [output if has else output.detach() for output, has in pairs]
    return _Call.apply(bound, len(inputs), *inputs, *parameters)


# The same for torch.compile, whose graphs hold operators.


@torch.library.custom_op("temlir::forward", mutates_args=())
def _forward(
    inputs: Sequence[torch.Tensor], parameters: Sequence[torch.Tensor], number: int
) -> list[torch.Tensor]:
    return _run_forward(_find(number), inputs, parameters)


@_forward.register_fake
def _(inputs, parameters, number):
    program = _find(number).program
    return [output.empty(program.device) for output in program.outputs]


@torch.library.custom_op("temlir::forward_saving", mutates_args=())
def _forward_saving(
    inputs: Sequence[torch.Tensor], parameters: Sequence[torch.Tensor], number: int
) -> list[torch.Tensor]:
    return _run_forward_saving(_find(number), inputs, parameters)


@_forward_saving.register_fake
def _(inputs, parameters, number):
    program = _find(number).program
    outputs = [output.empty(program.device) for output in program.outputs]
    return [*outputs, program.empty_saved()]


@torch.library.custom_op("temlir::backward", mutates_args=())
def _backward(
    cotangents: Sequence[torch.Tensor],
    kept: Sequence[torch.Tensor],
    saved: torch.Tensor,
    number: int,
) -> list[torch.Tensor]:
    # The caller may read what was saved again, and results of an operator do not
    # share memory.
    found = _run_backward(_find(number), cotangents, kept, saved.clone())
    return [gradient.clone() for gradient in found]


@_backward.register_fake
def _(cotangents, kept, saved, number):
    program = _find(number).program
    return [gradient.empty(program.device) for gradient in program.gradients]


def _set_context(ctx, inputs, output):
    values, parameters, ctx.number = inputs
    program = _find(ctx.number).program
    ctx.counts = len(values), len(parameters)
    *outputs, saved = output
    ctx.save_for_backward(*_kept(program, values, parameters, outputs), saved)


def _differentiate(ctx, gradients):
    program = _find(ctx.number).program
    *kept, saved = ctx.saved_tensors
    found = torch.ops.temlir.backward(
        _cotangents(program, gradients[:-1]), kept, saved, ctx.number
    )
    return *_gradients(program, found), None


_forward_saving.register_autograd(_differentiate, setup_context=_set_context)
