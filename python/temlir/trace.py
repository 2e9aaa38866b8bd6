# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a module and the arguments of a call to a program."""

import copy
import hashlib
import os
import re
import tempfile
import types
import warnings

import torch
from torch.utils import _pytree as pytree

from .compiler import compile_model
from .device import target_of
from .errors import CompileError, TemlirError
from .program import Program


def flatten(args, kwargs):
    """(tensors, constants, structure): constants has None in place of tensors."""
    leaves, structure = pytree.tree_flatten((args, kwargs))
    tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
    constants = tuple(
        None if isinstance(leaf, torch.Tensor) else (leaf,) for leaf in leaves
    )
    return tensors, constants, structure


def _unflatten(tensors, constants, structure):
    tensors = iter(tensors)
    leaves = [next(tensors) if leaf is None else leaf[0] for leaf in constants]
    return pytree.tree_unflatten(leaves, structure)


class Traced:
    """A program and how a module's call becomes one of it.

    has_seed    whether a seed for dropout is its last input
    """

    def __init__(self, program, result):
        self.program = program
        self.structure = result["structure"]
        self.is_tensor = result["is_tensor"]
        # A tensor, and nothing around it.
        self.is_plain = self.structure.is_leaf() and self.is_tensor == [True]
        self.has_seed = len(program.inputs) > len(result["inputs"])

    def result(self, outputs):
        """What the module would return."""
        outputs = iter(outputs)
        leaves = [next(outputs) if given else None for given in self.is_tensor]
        return pytree.tree_unflatten(leaves, self.structure)


def boundary_of(module):
    """The option boundary: "bf16" if all matrices among the parameters are."""
    dtypes = {
        parameter.dtype
        for parameter in module.parameters()
        if parameter.is_floating_point() and parameter.dim() >= 2
    }
    if dtypes <= {torch.float32}:
        return "f32"
    if dtypes == {torch.bfloat16}:
        return "bf16"
    names = ", ".join(sorted(str(dtype) for dtype in dtypes))
    raise TemlirError(
        f"the module's matrices are {names}; they must all be torch.float32 or all "
        "torch.bfloat16: call module.float() or module.bfloat16()"
    )


def trace(module, args, kwargs, needed, options, device, programs):
    """The module for these arguments: exported, and compiled unless `programs` has
    the program of the same graph, by its digest, of another module. `needed` says of
    each tensor among the arguments whether it needs a gradient."""
    options = {"target": target_of(device), **options}
    with tempfile.TemporaryDirectory(prefix="temlir-") as folder:
        model = os.path.join(folder, f"{type(module).__name__}.onnx")
        artifact = os.path.join(folder, "program.so")
        result = export(module, args, kwargs, model)
        constant = ",".join(
            name
            for name, is_float, is_needed in zip(
                result["inputs"], result["is_float"], needed
            )
            if is_float and not is_needed
        )
        key = result["digest"], constant, device
        if key not in programs:
            if constant:
                options["constant-input"] = constant
            options = {
                "entry": "forward,forward_saving",
                "saved": "overwritten",
                "outputs": "gradients-in-arena",
                **options,
            }
            compile_model(model, artifact, options, lambda: boundary_of(module))
            programs[key] = Program(artifact, device)
        return bind(module, programs[key], result)


def bind(module, program, result):
    """A program as a module's call; `result` is that of `export`."""
    own = dict(module.named_parameters(remove_duplicate=False))
    given = [value.name for value in program.inputs][: len(result["inputs"])]
    unknown = [value.name for value in program.parameters if value.name not in own]
    if given != result["inputs"] or unknown:
        raise TemlirError(
            f"the program has the inputs {', '.join(given)} and parameters unknown to "
            f"the module: {', '.join(unknown) or 'none'}; report this"
        )
    return Traced(program, result)


def export(module, args, kwargs, model):
    """Writes the model file; returns what `bind` needs of the call, which inputs are
    floats, and a digest of the file, which has no values of parameters."""
    # A machine that only loads programs needs no ONNX.
    from temlir_export import ExportError, export_onnx

    _refuse_statistics(module)
    tensors, constants, structure = flatten(args, kwargs)
    clone = _shapes_of(module)
    found = {}
    plain_forward = clone.forward

    def forward(self, *tensors):
        args, kwargs = _unflatten(tensors, constants, structure)
        result = plain_forward(*args, **kwargs)
        paths, found["structure"] = pytree.tree_flatten_with_path(result)
        leaves = [leaf for _, leaf in paths]
        found["outputs"] = _names(paths, "output")
        found["is_tensor"] = [isinstance(leaf, torch.Tensor) for leaf in leaves]
        bad = [leaf for leaf in leaves if not isinstance(leaf, torch.Tensor | None)]
        if bad:
            raise TemlirError(
                f"the module returns a {type(bad[0]).__name__} beside tensors; let it "
                "return tensors alone, or compile a module around it that does"
            )
        return tuple(leaf for leaf in leaves if isinstance(leaf, torch.Tensor))

    clone.forward = types.MethodType(forward, clone)
    examples = tuple(_example(tensor) for tensor in tensors)
    paths = pytree.tree_flatten_with_path((args, kwargs))[0]
    names = _names([(path[1:], leaf) for path, leaf in paths], "input")
    # The program has its own types, whatever the caller's autocast does.
    with (
        torch.autocast("cpu", enabled=False),
        torch.autocast("cuda", enabled=False),
        warnings.catch_warnings(),
    ):
        warnings.filterwarnings("ignore", "for the export use_cache is off")
        warnings.filterwarnings("ignore", "dropout is left out of the export")
        warnings.filterwarnings("ignore", "for the export dropout is asked for")
        warnings.filterwarnings("ignore", "for the export no parameter requires")
        try:
            export_onnx(
                clone,
                examples,
                model,
                input_names=names,
                weights="absent",
                dropout=module.training,
                allow_unused=True,
            )
        except ExportError as error:
            raise CompileError(str(error)) from error
    _name_outputs(model, found.pop("outputs"))
    with open(model, "rb") as file:
        found["digest"] = hashlib.sha256(file.read()).hexdigest()
    is_float = [tensor.is_floating_point() for tensor in tensors]
    return {"inputs": names, "is_float": is_float, **found}


def _refuse_statistics(module):
    for name, child in module.named_modules():
        if child.training and getattr(child, "track_running_stats", False):
            raise CompileError(
                f"{name or 'the module'} ({type(child).__name__}) keeps running "
                "statistics, which a program does not update: call its eval(), or use "
                "a norm without them"
            )


def _shapes_of(module):
    """A copy of the module whose parameters have no values, in float32."""
    memo = {}
    for parameter in module.parameters():
        dtype = torch.float32 if parameter.is_floating_point() else parameter.dtype
        memo[id(parameter)] = torch.nn.Parameter(
            torch.empty(parameter.shape, dtype=dtype, device="meta"),
            requires_grad=parameter.requires_grad,
        )
    for buffer in module.buffers():
        value = buffer.detach().cpu().clone()
        memo[id(buffer)] = value.float() if value.is_floating_point() else value
    clone = copy.deepcopy(module, memo)
    for child in clone.modules():
        # FSDP's would shard the module itself again.
        child._state_dict_pre_hooks.clear()
        child._state_dict_hooks.clear()
    return clone


def _example(tensor):
    value = tensor.detach().cpu()
    return value.float() if value.is_floating_point() else value.clone()


def _names(paths, kind):
    """A name for each tensor of a tree, by where it is: "loss", "output_1"."""
    names = []
    for path, leaf in paths:
        if isinstance(leaf, torch.Tensor):
            text = re.sub(r"\W+", "_", pytree.keystr(path)).strip("_")
            names.append(text if text[:1].isalpha() else f"{kind}_{text}".strip("_"))
    return names


def _name_outputs(model, names):
    """Gives the outputs of a file these names, in place of the exporter's."""
    import onnx

    proto = onnx.load(model, load_external_data=False)
    graph = proto.graph
    taken = {value.name for value in [*graph.input, *graph.initializer]}
    taken |= {name for node in graph.node for name in node.output}
    for output, name in zip(graph.output, names):
        while name in taken:
            name += "_"
        taken.add(name)
        graph.node.add(op_type="Identity", input=[output.name], output=[name])
        output.name = name
    onnx.save(proto, model)
