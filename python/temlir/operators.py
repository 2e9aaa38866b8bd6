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


def _prepare_forward(bound, values):
    """Of inputs and parameters; and the states."""
    values = prepare(values, bound.program.values)
    if not bound.states.has_scales:
        bound.states.calibrate(bound.program, values)
    return values, bound.states.tensors


def _run_forward(bound, values):
    return bound.program.forward(*_prepare_forward(bound, values))


def _run_forward_saving(bound, values):
    """The outputs, and what the backward pass reads, as bytes."""
    return bound.program.forward_saving(*_prepare_forward(bound, values))


def _run_backward(bound, cotangents, kept, saved):
    """The gradients, of `kept` as _kept chose. `saved` is overwritten."""
    program, states = bound.program, bound.states
    cotangents = prepare(cotangents, program.cotangents)
    kept = prepare(kept, _kept(program, program.values, program.outputs))
    if states.has_gradient_scales:
        return program.backward(cotangents, saved, kept, states.tensors)
    return states.calibrate_gradients(
        lambda: program.backward(cotangents, saved.clone(), kept, states.tensors)
    )


def _kept(program, values, outputs):
    """Those that the backward pass reads."""
    values = *values, *outputs
    return [values[place] for place in program.kept]


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
    def forward(ctx, bound, *values):
        program = bound.program
        outputs, saved = _run_forward_saving(bound, values)
        ctx.bound = bound
        ctx.set_materialize_grads(False)
        ctx.save_for_backward(*_kept(program, values, outputs), saved)
        if not all(program.have_cotangents):
            pairs = zip(outputs, program.have_cotangents)
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
        return None, *of_inputs, *of_parameters


def call(bound, inputs, parameters):
    """The outputs of a program, differentiable where gradients are enabled."""
    with_gradient = torch.is_grad_enabled() and any(
        tensor.requires_grad for tensor in (*inputs, *parameters)
    )
    if not with_gradient:
        if torch.compiler.is_compiling():
            return torch.ops.temlir.forward(inputs, parameters, bound.number)
        return _run_forward(bound, (*inputs, *parameters))
    if torch.compiler.is_compiling():
        *outputs, _ = torch.ops.temlir.forward_saving(inputs, parameters, bound.number)
        pairs = zip(outputs, bound.program.have_cotangents)
        return [output if has else output.detach() for output, has in pairs]
    return _Call.apply(bound, *inputs, *parameters)


# The same for torch.compile, whose graphs hold operators.


@torch.library.custom_op("temlir::forward", mutates_args=())
def _forward(
    inputs: Sequence[torch.Tensor], parameters: Sequence[torch.Tensor], number: int
) -> list[torch.Tensor]:
    return _run_forward(_find(number), (*inputs, *parameters))


@_forward.register_fake
def _(inputs, parameters, number):
    program = _find(number).program
    return [output.empty(program.device) for output in program.outputs]


@torch.library.custom_op("temlir::forward_saving", mutates_args=())
def _forward_saving(
    inputs: Sequence[torch.Tensor], parameters: Sequence[torch.Tensor], number: int
) -> list[torch.Tensor]:
    outputs, saved = _run_forward_saving(_find(number), (*inputs, *parameters))
    return [*outputs, saved]


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
    kept = _kept(program, (*values, *parameters), outputs)
    ctx.save_for_backward(*kept, saved)


def _differentiate(ctx, gradients):
    program = _find(ctx.number).program
    *kept, saved = ctx.saved_tensors
    found = torch.ops.temlir.backward(
        _cotangents(program, gradients[:-1]), kept, saved, ctx.number
    )
    return *_gradients(program, found), None


_forward_saving.register_autograd(_differentiate, setup_context=_set_context)
