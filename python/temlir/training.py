# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Whole training steps of a module, the optimizer included, as programs."""

import os
import tempfile

import torch

from . import libraries
from .compiler import compile_model
from .device import common_device, device_of, target_of
from .errors import TemlirError
from .operators import prepare
from .program import TensorType, _Entry, addresses_of
from .states import are_settled
from .trace import boundary_of, export, flatten

_LIMIT = 8
_PASSES = 4
_RECORDS = ("fp8_amax_history", "fp8_nonfinite")


class _StepProgram:
    """The entries train and init of an artifact.

    inputs    TensorType of each input of the model, and of the loss's targets
    scalars   {name: (TensorType, default)}
    states    the descriptions of states that an entry uses, parameters too
    """

    def __init__(self, path, device):
        library, self.description = libraries.open_program(path)
        self._library = library
        entries = {entry["name"]: entry for entry in self.description["entries"]}
        arguments = entries["train"]["arguments"]
        self.inputs = [TensorType(a) for a in arguments if a["role"] == "input"]
        self.scalars = {
            a["name"]: (TensorType(a), a["default"])
            for a in arguments
            if a["role"] == "scalar"
        }
        used = {
            argument["name"]
            for entry in entries.values()
            for argument in entry["arguments"]
            if argument["role"] == "state"
        }
        self.states = [s for s in self.description["states"] if s["name"] in used]
        self.outputs = [TensorType(a) for a in arguments if a["role"] == "output"]

        values = [*(value.name for value in self.inputs), *self.scalars]
        values += [state["name"] for state in self.states]
        places = {("value", name): place for place, name in enumerate(values)}
        for output in self.outputs:
            places["output", output.name] = len(places)
        self._train = _Entry(library, entries["train"], places)
        init = entries.get("init")
        self._init = init and _Entry(library, init, places)
        self.device = device
        self._context = device_of(device)

    def train(self, inputs, scalars, states):
        """{name: output} of a step, which updates `states` in place."""
        outputs = [output.empty(self.device) for output in self.outputs]
        self._call(self._train, *inputs, *scalars, *states, *outputs)
        return {o.name: tensor for o, tensor in zip(self.outputs, outputs)}

    def init(self, states):
        """Writes the states that are derived from the parameters."""
        if self._init:
            inputs = [None] * (len(self.inputs) + len(self.scalars))
            self._call(self._init, *inputs, *states, *[None] * len(self.outputs))

    def _call(self, entry, *tensors):
        self._context.call(
            entry.function,
            entry.pack,
            entry.pick(addresses_of(*tensors)),
            entry.arena_bytes,
        )


class TrainStep:
    """What temlir.train_step returns: a call is a step of training, which updates the
    module's parameters in place and returns the loss.

    settings   {name: number}: learning_rate and what else the optimizer reads. Change
               them at any time; they take effect in the next step
    grad_norm  of the last step, a tensor of one number
    """

    def __init__(self, module, options, settings, limit):
        self.original = module
        self.settings = dict(settings)
        self.grad_norm = None
        self._options = dict(options)
        self._limit = limit
        self._calls = {}
        self._states = None
        self._loaded = None

    def __call__(self, *args, targets=None, learning_rate=None, **kwargs):
        tensors, *others = flatten(args, kwargs)
        if targets is not None:
            tensors = [*tensors, targets]
        shapes = tuple((tensor.shape, tensor.device) for tensor in tensors)
        key = shapes, self.original.training, *others
        program = self._calls.get(key) or self._compile(key, args, kwargs, tensors)
        settings = self.settings
        if learning_rate is not None:
            settings = {**settings, "learning_rate": learning_rate}
        found = self._states.step(program, tensors, settings)
        self.grad_norm = found.get("grad_norm")
        return found["loss"]

    def state_dict(self):
        """The optimizer's states, the FP8 scales and amaxes, and the settings, to be
        saved beside the module's own state_dict()."""
        if self._states is None:
            return self._loaded or {"settings": dict(self.settings), "states": {}}
        return {
            "fingerprint": self._states.fingerprint,
            "settings": dict(self.settings),
            "states": self._states.state_dict(),
        }

    def load_state_dict(self, state):
        """Copies what state_dict() returned. With the module's parameters of the same
        step, the next steps give the same bits."""
        self._loaded = state
        self.settings.update(state["settings"])
        if self._states is not None:
            self._states.load(state)

    def synchronize(self):
        """Waits for the steps on the GPU; raises their errors in data, such as a token
        id outside of its table."""
        for program in self._calls.values():
            device_of(program.device).synchronize()

    def report(self):
        """The descriptions of the compiled programs (docs/artifact.md)."""
        return [program.description for program in self._calls.values()]

    def _compile(self, key, args, kwargs, tensors):
        if len(self._calls) >= self._limit:
            raise TemlirError(
                f"the step has been compiled for {self._limit} other calls; pad the "
                "batches to a few shapes, or compile with a larger limit="
            )
        module = self.original
        _check(module)
        device = common_device(
            [*module.parameters(), *tensors], "the module and its batch"
        )
        options = {"target": target_of(device), **self._options}
        with tempfile.TemporaryDirectory(prefix="temlir-") as folder:
            model = os.path.join(folder, f"{type(module).__name__}.onnx")
            artifact = os.path.join(folder, "step.so")
            names = export(module, args, kwargs, model)["inputs"]
            if options["loss"] == "output":
                options["loss"] = "output:" + _first_output(model)
            compile_model(model, artifact, options, lambda: boundary_of(module))
            program = _StepProgram(artifact, device)
        _check_inputs(program, names, tensors)
        unknown = sorted(set(self.settings) - set(program.scalars))
        if unknown:
            raise TemlirError(
                f"the step has no setting {', '.join(unknown)}; it has "
                + ", ".join(name for name in program.scalars if name != "dropout_seed")
            )
        for name, (_, default) in program.scalars.items():
            if name != "dropout_seed":
                self.settings.setdefault(name, default)
        if self._states is None:
            self._states = _States(module, program)
            if self._loaded is not None:
                self._states.load(self._loaded)
        self._states.check(program)
        self._calls[key] = program
        return program


class _States:
    """All that the steps of a module update: its parameters, and tensors of ours."""

    def __init__(self, module, program):
        self.fingerprint = program.description["fingerprint"]
        own = dict(module.named_parameters(remove_duplicate=False))
        self._described = program.states
        self._parameters, self._values = {}, {}
        self._scalars = {}
        # Of each parameter: where the module has it, and what may not change.
        self._owners = {}
        for state in program.states:
            name, init = state["name"], state["init"]
            if state["kind"] == "parameter":
                parameter = own[name]
                if not parameter.is_contiguous() or parameter.data_ptr() % 16:
                    parameter.data = parameter.data.clone(
                        memory_format=torch.contiguous_format
                    )
                self._parameters[name] = parameter
                path, _, last = name.rpartition(".")
                owner = module.get_submodule(path)._parameters
                self._owners[name] = owner, last, _kept(parameter)
            else:
                value = TensorType(state).empty(program.device)
                self._values[name] = value.zero_()
                if init["kind"] == "constant":
                    value.fill_(init["value"])
        kinds = {state["kind"] for state in program.states}
        self._is_fresh = "fp8_amax_history" in kinds
        self._has_derived = any(s["init"]["kind"] == "derived" for s in program.states)
        # Of the parameters that the derived states are of.
        self._seen = None

    def state_dict(self):
        return dict(self._values)

    def load(self, state):
        if state.get("fingerprint") != self.fingerprint:
            raise TemlirError(
                "the loaded state is of a step with other states: another model, "
                "optimizer, precision, recipe or policy"
            )
        for name, value in self._values.items():
            value.copy_(state["states"][name])
        self._is_fresh = False
        # The derived states are those of the parameters that are loaded beside.
        self._seen = "loaded"

    def check(self, program):
        if program.description["fingerprint"] != self.fingerprint:
            raise TemlirError(
                "the step for these shapes has other states than that for the first: "
                "other layers became FP8. Pad the batches to one shape, or choose the "
                "layers with policy="
            )

    def _check_parameters(self):
        for name, (owner, last, kept) in self._owners.items():
            if _kept(owner[last]) != kept:
                raise TemlirError(
                    f"the parameter {name} was replaced, moved, converted, frozen or "
                    "unfrozen after the step was compiled; make a new step with "
                    "temlir.train_step"
                )

    def step(self, program, tensors, settings):
        self._check_parameters()
        inputs = prepare([tensor.detach() for tensor in tensors], program.inputs)
        scalars = self._set(program, settings)
        states = self._tensors()
        self._derive(program, states)
        if self._is_fresh:
            self._calibrate(program, inputs, settings, states)
            scalars = self._set(program, settings)
        found = program.train(inputs, scalars, states)
        torch.autograd.graph.increment_version(list(self._parameters.values()))
        self._seen = self._versions()
        return found

    def _tensors(self):
        both = {**self._parameters, **self._values}
        return [both[state["name"]] for state in self._described]

    def _versions(self):
        return [(p.data_ptr(), p._version) for p in self._parameters.values()]

    def _derive(self, program, states):
        """Makes FP8 copies of parameters anew that something else has changed."""
        if not self._has_derived or self._seen == "loaded":
            return
        if self._seen != self._versions():
            program.init(states)

    def _set(self, program, settings):
        """The scalars as tensors on the device, written where they changed."""
        tensors = []
        for name, (kind, _) in program.scalars.items():
            if name == "dropout_seed":
                tensors.append(
                    torch.randint(2**62, (), dtype=kind.dtype, device=program.device)
                )
                continue
            if name not in self._scalars:
                self._scalars[name] = [None, kind.empty(program.device)]
            known = self._scalars[name]
            if known[0] != settings[name]:
                known[1].fill_(settings[name])
                known[0] = settings[name]
            tensors.append(known[1])
        return tensors

    def _calibrate(self, program, inputs, settings, states):
        """Finds the first scales by steps that learn nothing: while those of a tensor
        are far off, the tensors computed from it are, too. Only the amaxes of the
        last one stay."""
        self._is_fresh = False
        scalars = self._set(program, {**settings, "learning_rate": 0.0})
        kept = [(p, p.detach().clone()) for p in self._parameters.values()]
        for _ in range(_PASSES):
            self._restart(lambda kind: kind in _RECORDS)
            before = [scale.clone() for scale in self._of_kind("fp8_scale")]
            program.train(inputs, scalars, states)
            if are_settled(before, self._of_kind("fp8_scale")):
                break
        self._restart(lambda kind: not kind.startswith("fp8_"))
        with torch.no_grad():
            for parameter, value in kept:
                parameter.copy_(value)

    def _of_kind(self, kind):
        return [self._values[s["name"]] for s in self._described if s["kind"] == kind]

    def _restart(self, chosen):
        for state in self._described:
            if state["kind"] == "parameter" or not chosen(state["kind"]):
                continue
            if state["init"]["kind"] == "constant":
                self._values[state["name"]].fill_(state["init"]["value"])


def _kept(parameter):
    """What must be as it was when the step was compiled."""
    return (
        id(parameter),
        parameter.requires_grad,
        parameter.dtype,
        parameter.device,
        parameter.shape,
        parameter.stride(),
        parameter.data_ptr() % 16,
    )


def _check(module):
    """The parameters are the program's own, in float32."""
    if boundary_of(module) != "f32":
        raise TemlirError(
            "a training step keeps the parameters in float32, and makes narrow copies "
            "itself: call module.float()"
        )
    if not any(parameter.requires_grad for parameter in module.parameters()):
        raise TemlirError("no parameter of the module requires a gradient")


def _check_inputs(program, names, tensors):
    expected = [value.name for value in program.inputs]
    if expected[: len(names)] != names or len(expected) > len(names) + 1:
        raise TemlirError(
            f"the step has the inputs {', '.join(expected)}, and the module "
            f"{', '.join(names)}; report this"
        )
    given = len(tensors) - len(names)
    if len(expected) != len(tensors):
        raise TemlirError(
            "the loss takes no targets" if given else "the loss needs targets="
        )
    for tensor, value in zip(tensors, program.inputs):
        if tuple(tensor.shape) != value.shape:
            raise TemlirError(
                f"{value.name} is {list(tensor.shape)}, and the step takes "
                f"{list(value.shape)}"
            )


def _first_output(model):
    import onnx

    return onnx.load(model, load_external_data=False).graph.output[0].name


def train_step(
    module,
    *,
    loss,
    optimizer="adamw",
    settings=None,
    precision="fp8",
    recipe=None,
    policy=None,
    limit=_LIMIT,
    options=None,
):
    """A whole step of training as one program: forward and backward pass, clipping and
    the optimizer.

        step = temlir.train_step(model, loss="causal-lm", settings={"weight_decay": 0.1})
        for i, ids in enumerate(batches):
            loss = step(input_ids=ids, learning_rate=schedule(i))

    module      a torch.nn.Module in float32, on a CPU or a Hopper GPU. Its parameters
                are updated in place: they stay the tensors that they are
    loss        "causal-lm", "masked-lm", "cross-entropy", "classification" or "mse",
                of the module's output and, except for the first, of targets=; or
                "output", if the module returns its loss, alone or first
    optimizer   "adamw", "sgd", "lion" or "muon", also with parameters,
                "sgd<momentum = 0.9>"
    settings    first values of what each step reads: learning_rate, max_grad_norm (1;
                0 clips nothing), and those of the optimizer, such as weight_decay
    precision, recipe, policy, limit, options
                as for `compile`

    The arguments of a step are those of the module. A program is compiled at the first
    call, and for other shapes. Raises CompileError and TemlirError.
    """
    chosen = {"precision": precision, "entry": "train"}
    chosen |= {"loss": loss, "optimizer": optimizer}
    if recipe is not None:
        chosen["recipe"] = recipe
    if policy is not None:
        chosen["policy"] = policy
    return TrainStep(module, {**chosen, **(options or {})}, settings or {}, limit)
