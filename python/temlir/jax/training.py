# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole training steps of a function, the optimizer included, as programs."""

import jax.numpy as jnp

from ..errors import TemlirError
from .function import Signature, make_options
from .program import Artifact, first_values
from .states import are_settled

_LIMIT = 8
_PASSES = 4
_RECORDS = ("fp8_amax_history", "fp8_nonfinite")


class _StepProgram:
    """The entries train and init of an artifact."""

    def __init__(self, path, device):
        artifact = Artifact(path, device)
        self.description = artifact.description
        self.states = {state["name"]: state for state in self.description["states"]}
        fixed = {
            name
            for name, state in self.states.items()
            if state["kind"] == "parameter" and state.get("frozen", False)
        }
        parameters = {n for n, s in self.states.items() if s["kind"] == "parameter"}
        self.train = artifact.entry("train", set(self.states) - fixed)
        self.init = artifact.entry("init", set(self.states) - parameters)
        self.types = artifact.types
        arguments = artifact.entries["train"]["arguments"]
        self.inputs = [a["name"] for a in arguments if a["role"] == "input"]
        self.scalars = {
            a["name"]: a["default"] for a in arguments if a["role"] == "scalar"
        }
        entries = filter(None, (self.train, self.init))
        used = {name for entry in entries for name in entry.arguments}
        self.states = {n: s for n, s in self.states.items() if n in used}


class TrainStep:
    """What temlir.jax.train_step returns: a pure function of a state and a batch, which
    returns the next state and what the step measured.

    settings   {name: number}: learning_rate and what else the optimizer reads;
               constants of what jax.jit compiles
    """

    def __init__(self, function, options, platform, limit, params, settings):
        self.settings = dict(settings)
        self._signature = Signature(function, options, platform, limit, params)

    def init(self, params, *args, targets=None, **kwargs):
        """The first state, {"params": tree, "states": {name: array}}: `params`, zeros
        for the optimizer, and FP8 scales, which are found by this first batch."""
        call, program, names = self._find(params, args, targets, kwargs)
        states = {
            name: first_values(state, program.types[name])
            for name, state in program.states.items()
            if state["kind"] != "parameter"
        }
        if program.init:
            states |= program.init({**call.choose(program.types), **states})
        state = {"params": params, "states": states}
        if not any(s["kind"] == "fp8_amax_history" for s in program.states.values()):
            return state

        def run(states):
            state = {"params": params, "states": states}
            return self(state, *args, targets=targets, learning_rate=0.0, **kwargs)[0]

        first = dict(states)
        kinds = {name: program.states[name]["kind"] for name in states}
        for _ in range(_PASSES):
            before = states
            states = states | {n: first[n] for n in states if kinds[n] in _RECORDS}
            states = run(states)["states"]
            pairs = [
                (before[n], states[n]) for n in states if kinds[n] == "fp8_scale"
            ]
            if are_settled(pairs):
                break
        learnt = {n: v for n, v in first.items() if not kinds[n].startswith("fp8_")}
        return {"params": params, "states": states | learnt}

    def __call__(self, state, *args, targets=None, learning_rate=None, **kwargs):
        """(the next state, {"loss": …, "grad_norm": …})"""
        call, program, names = self._find(state["params"], args, targets, kwargs)
        values = {**call.choose(program.types), **state["states"]}
        if targets is not None:
            values[names[-1]] = _widen(targets, program.types[names[-1]])
        settings = {**program.scalars, **self.settings}
        if learning_rate is not None:
            settings["learning_rate"] = learning_rate
        for name in program.scalars:
            values[name] = jnp.asarray(settings[name], program.types[name].dtype)
        expected = set(program.train.arguments) - set(program.train.outputs)
        if missing := sorted(expected - set(values)):
            raise TemlirError(
                f"the state lacks {', '.join(missing)}: it is that of another step"
            )
        found = program.train(values)
        metrics = {name: found.pop(name) for name in program.train.outputs}
        params = call.replace(state["params"], found)
        states = {name: found.get(name, v) for name, v in state["states"].items()}
        return {"params": params, "states": states}, metrics

    def report(self):
        """The descriptions of the compiled programs (docs/artifact.md)."""
        return [program.description for program in self._signature.programs()]

    def _find(self, params, args, targets, kwargs):
        """The call with its arrays, the program, and the names of its inputs."""
        position = self._signature.params
        args = (*args[:position], params, *args[position:])
        call, program = self._signature.find(args, kwargs, _StepProgram)
        unknown = sorted(set(self.settings) - set(program.scalars))
        if unknown:
            raise TemlirError(
                f"the step has no setting {', '.join(unknown)}; it has "
                + ", ".join(program.scalars)
            )
        extra = [name for name in program.inputs if name not in call.names]
        if len(extra) != (targets is not None):
            raise TemlirError(
                "the loss needs targets=" if extra else "the loss takes no targets"
            )
        if extra:
            shape = program.types[extra[0]].shape
            if program.types[extra[0]].dtype == jnp.int32:
                shape = shape[:-1]
            if tuple(targets.shape) != shape:
                raise TemlirError(
                    f"targets are {list(targets.shape)}, and the step takes {list(shape)}"
                )
        return call, program, [*call.names, *extra]


def _widen(targets, kind):
    """Labels are 64-bit integers, which are pairs here."""
    if kind.dtype != jnp.int32:
        return jnp.asarray(targets, kind.dtype)
    low = jnp.asarray(targets, jnp.int32)
    return jnp.stack([low, low >> 31], -1)


def train_step(
    function,
    *,
    loss,
    optimizer="adamw",
    settings=None,
    precision="fp8",
    recipe="delayed_scaling",
    policy=None,
    params=0,
    platform=None,
    limit=_LIMIT,
    options=None,
):
    """A whole step of training as one program: forward and backward pass, clipping and
    the optimizer.

        step = temlir.jax.train_step(model.apply, loss="causal-lm")
        state = step.init(params, ids)
        run = jax.jit(step, donate_argnums=0)
        for i, ids in enumerate(batches):
            state, metrics = run(state, ids, learning_rate=schedule(i))

    function    f(params, *inputs), as for `compile`, with parameters in float32
    loss        "causal-lm", "masked-lm", "cross-entropy", "classification" or "mse",
                of the function's output and, except for the first, of targets=; or
                "output", if the function returns its loss, alone or first
    optimizer   "adamw", "sgd", "lion" or "muon", also with parameters,
                "sgd<momentum = 0.9>"
    settings    what each step reads: learning_rate, max_grad_norm (1; 0 clips nothing),
                and those of the optimizer, such as weight_decay
    precision, recipe, policy, params, platform, limit, options
                as for `compile`

    Raises CompileError and TemlirError.
    """
    device, chosen = make_options(precision, recipe, policy, platform)
    chosen |= {"entry": "train", "optimizer": optimizer}
    chosen["loss"] = "output:output.0" if loss == "output" else loss
    return TrainStep(
        function, {**chosen, **(options or {})}, device, limit, params, settings or {}
    )
