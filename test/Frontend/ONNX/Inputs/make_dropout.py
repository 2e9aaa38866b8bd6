# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes dropout.onnx, every way to write Dropout, and dropout_refused.onnx, those that
are not imported. Needs onnx.

usage: make_dropout.py"""

import os

import onnx
from onnx import TensorProto, helper

HERE = os.path.dirname(os.path.abspath(__file__))


def scalar(name, kind, value):
    return helper.make_tensor(name, kind, [], [value])


CONSTANTS = [
    scalar("yes", TensorProto.BOOL, True),
    scalar("no", TensorProto.BOOL, False),
    scalar("tenth", TensorProto.FLOAT, 0.1),
    scalar("nothing", TensorProto.FLOAT, 0.0),
    scalar("all", TensorProto.FLOAT, 1.0),
]


def save(name, nodes, outputs, opset=17):
    used = {i for node in nodes for i in node.input}
    graph = helper.make_graph(
        nodes,
        name,
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, [2, 3, 8])],
        [helper.make_tensor_value_info(o, kind, None) for o, kind in outputs],
        [tensor for tensor in CONSTANTS if tensor.name in used],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)])
    model.ir_version = 8
    onnx.save(model, os.path.join(HERE, name + ".onnx"))


def node(inputs, outputs, name="", **attributes):
    return helper.make_node("Dropout", inputs, outputs, name=name, **attributes)


save(
    "dropout",
    [
        node(["x"], ["a"]),
        node(["a", "tenth", "no"], ["b"]),
        node(["b", "nothing", "yes"], ["c"]),
        node(["c", "tenth", "yes"], ["d"], seed=7),
        node(["d", "", "yes"], ["e", "mask"]),
        node(["e", "tenth"], ["f", "unused"]),
    ],
    [("f", TensorProto.FLOAT), ("mask", TensorProto.BOOL)],
)
save(
    "dropout_refused",
    [
        node(["x", "all", "yes"], ["a"], "of_all"),
        helper.make_node("ReduceMax", ["x"], ["most"], keepdims=0),
        helper.make_node("Cast", ["most"], ["mode"], to=TensorProto.BOOL),
        node(["x", "tenth", "mode"], ["b"], "of_some_mode"),
        node(["x", "most", "yes"], ["c"], "of_some_ratio"),
    ],
    [(o, TensorProto.FLOAT) for o in "abc"],
)
