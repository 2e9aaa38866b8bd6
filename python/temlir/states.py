# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scales and amaxes of one module, and their first values."""

import torch

from .errors import TemlirError
from .program import TensorType

_PASSES = 8


def are_settled(before, after):
    """Whether no scale has changed by a factor of 2."""
    return all(
        bool(((old <= 2 * new) & (new <= 2 * old)).all())
        for old, new in zip(before, after)
    )


class States:
    """The states of a module's FP8 tensors. Programs for other shapes of its inputs
    share them if they quantize the same tensors, so do the modules of a
    checkpoint."""

    def __init__(self, program, device):
        self.fingerprint = program.description["fingerprint"]
        self.names = []
        self.tensors = []
        self._kinds = []
        for state in program.states:
            init = state["init"]
            if init["kind"] != "constant":
                raise TemlirError(
                    f"the state {state['name']} has no constant first value; report this"
                )
            described = TensorType(state)
            self.names.append(described.name)
            self.tensors.append(described.empty(device).fill_(init["value"]))
            self._kinds.append(state["kind"])
        # Nothing to calibrate without amaxes of earlier steps.
        delayed = "fp8_amax_history" in self._kinds
        self.has_scales = self.has_gradient_scales = not delayed

    def of_kind(self, kind):
        return [t for t, k in zip(self.tensors, self._kinds) if k == kind]

    def state_dict(self):
        return dict(zip(self.names, self.tensors))

    def load(self, values):
        """Copies values of state_dict(); they need no calibration."""
        missing = sorted(set(self.names) - set(values))
        if missing:
            raise TemlirError(f"the FP8 states lack {', '.join(missing)}")
        for name, tensor in zip(self.names, self.tensors):
            if values[name].shape != tensor.shape:
                raise TemlirError(
                    f"the FP8 state {name} is {list(values[name].shape)}, and "
                    f"{list(tensor.shape)} in this module: it is another program's"
                )
            tensor.copy_(values[name])
        self.has_scales = self.has_gradient_scales = True

    def calibrate(self, program, values):
        """Scales of inputs and weights, before the first call, by its data: else
        everything would be quantized with a scale of 1. Zero cotangents leave the
        scales of gradients alone."""
        self.has_scales = True
        zeros = [
            torch.zeros(value.shape, dtype=value.dtype, device=program.device)
            for value in program.cotangents
        ]

        def run():
            outputs, saved = program.forward_saving(values, self.tensors)
            every = *values, *outputs
            kept = [every[place] for place in program.kept]
            program.backward(zeros, saved, kept, self.tensors)

        self._repeat(run, keep=False)

    def calibrate_gradients(self, run):
        """The same for gradients, before the first backward pass; returns the
        result of the last `run`."""
        self.has_gradient_scales = True
        return self._repeat(run, keep=True)

    def _repeat(self, run, keep):
        """Runs until no scale changes by a factor of 2: what was flushed to zero
        with a bad scale hides the amaxes behind it. The records are those of the
        last run, or as before."""
        records = self.of_kind("fp8_amax_history") + self.of_kind("fp8_nonfinite")
        before = [record.clone() for record in records]
        for passes in range(_PASSES):
            scales = [scale.clone() for scale in self.of_kind("fp8_scale")]
            result = run()
            settled = are_settled(scales, self.of_kind("fp8_scale"))
            last = settled or passes == _PASSES - 1
            if not (last and keep):
                for record, value in zip(records, before):
                    record.copy_(value)
            if last:
                return result
