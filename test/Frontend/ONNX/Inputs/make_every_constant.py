# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes every_constant.onnx: every operator that is imported, on constants alone, and
for each of its outputs `y` a second one, `y.expected`, with the numbers of ONNX's
reference evaluator. Needs onnx and numpy.

usage: make_every_constant.py"""

import os

import numpy as np
import onnx
from onnx import helper, numpy_helper
from onnx.reference import ReferenceEvaluator

OPSET = 24
random = np.random.default_rng(0)


def floats(*shape, low=-2.0, high=2.0):
    return random.uniform(low, high, shape).astype(np.float32)


def ints(*values):
    return np.array(values, dtype=np.int64)


def bools(*shape):
    return random.integers(0, 2, shape).astype(bool)


X, Y, ROW = floats(2, 3), floats(2, 3), floats(3)
POSITIVE = floats(2, 3, low=0.1, high=3)
B, C = bools(2, 3), bools(2, 3)
IMAGE = floats(1, 2, 5, 5)
WAVE = floats(2, 6, 1)
HEADS = floats(1, 2, 3, 4)

# (operator, inputs, attributes) or with a number of outputs, where that is not one.
CASES = [(op, [X], {}) for op in
         "Abs Ceil Cos Cosh Elu Erf Exp Floor HardSigmoid HardSwish Identity IsInf IsNaN "
         "LeakyRelu Mish Neg Relu Round Selu Sigmoid Sign Sin Sinh Softplus Softsign Swish "
         "Tanh Reciprocal Gelu Flatten Transpose Trilu LogSoftmax Softmax".split()]
CASES += [(op, [POSITIVE], {}) for op in "Log Sqrt".split()]
CASES += [(op, [X, Y], {}) for op in
          "Add Div Equal Greater GreaterOrEqual Less LessOrEqual Max Min Mul Sub Sum".split()]
CASES += [(op, [B, C], {}) for op in "And Or Xor".split()]
CASES += [(op, [X, ints(1)], {"keepdims": 0}) for op in
          "ReduceL1 ReduceL2 ReduceLogSumExp ReduceMax ReduceMean ReduceMin ReduceSum "
          "ReduceSumSquare".split()]
CASES += [
    ("Gelu", [X], {"approximate": "tanh"}),
    ("ArgMax", [X], {"axis": 1}),
    ("ArgMin", [X], {"axis": 1, "keepdims": 0}),
    ("Attention", [HEADS, floats(1, 2, 4, 4), floats(1, 2, 4, 4)], {}),
    ("AveragePool", [IMAGE], {"kernel_shape": [2, 2], "strides": [1, 1]}),
    ("BatchNormalization", [IMAGE, floats(2), floats(2), floats(2), floats(2, low=0.5)], {}),
    ("Cast", [X], {"to": onnx.TensorProto.INT64}),
    ("CastLike", [ints(1, 2), X], {}),
    ("Clip", [X, np.float32(-1), np.float32(1)], {}),
    ("Concat", [X, Y], {"axis": 0}),
    ("Conv", [IMAGE, floats(3, 2, 3, 3), floats(3)], {"strides": [2, 2]}),
    ("CumSum", [X, np.int64(1)], {}),
    ("DFT", [WAVE, None, np.int64(1)], {}),
    ("Einsum", [X, floats(3, 2)], {"equation": "ij,jk->ik"}),
    ("Expand", [ROW, ints(2, 3)], {}),
    ("Gather", [X, ints(1, 0, 1)], {"axis": 1}),
    ("Gather", [X, ints(1, 0, 1)], {"axis": 0}),
    ("GatherElements", [X, ints(0, 2, 1, 1).reshape(2, 2)], {"axis": 1}),
    ("GatherND", [X, ints(0, 2, 1, 1).reshape(2, 2)], {}),
    ("Gemm", [X, floats(3, 2), floats(2)], {"alpha": 0.5}),
    ("GlobalAveragePool", [IMAGE], {}),
    ("GroupNormalization", [IMAGE, floats(2), floats(2)], {"num_groups": 2}),
    ("InstanceNormalization", [IMAGE, floats(2), floats(2)], {}),
    ("LayerNormalization", [X, ROW, floats(3)], {}),
    ("MatMul", [X, floats(3, 4)], {}),
    ("MaxPool", [IMAGE], {"kernel_shape": [2, 2], "strides": [2, 2]}),
    ("Mod", [ints(7, -7), ints(3, 3)], {}),
    ("Not", [B], {}),
    ("PRelu", [X, ROW], {}),
    ("Pad", [X, ints(0, 1, 1, 0), np.float32(7)], {}),
    ("Pow", [POSITIVE, np.float32(1.5)], {}),
    ("RMSNormalization", [X, ROW], {}),
    ("Reshape", [X, ints(3, 2)], {}),
    ("Resize", [IMAGE, None, None, ints(1, 2, 10, 10)], {
        "mode": "nearest", "coordinate_transformation_mode": "asymmetric",
        "nearest_mode": "floor"}),
    ("RotaryEmbedding", [HEADS, floats(1, 3, 2), floats(1, 3, 2)], {}),
    ("ScatterElements", [X, ints(0, 2).reshape(2, 1), floats(2, 1)], {"axis": 1}),
    ("ScatterND", [X, ints(1).reshape(1, 1), floats(1, 3)], {}),
    ("Slice", [X, ints(1), ints(3), ints(1)], {}),
    ("SoftmaxCrossEntropyLoss", [X, ints(0, 2)], {}),
    ("Split", [X], {"axis": 1, "num_outputs": 3}, 3),
    ("Squeeze", [floats(1, 3), ints(0)], {}),
    ("Tile", [X, ints(2, 1)], {}),
    ("TopK", [X, ints(2)], {"axis": 1}, 2),
    ("Unsqueeze", [X, ints(0)], {}),
    ("Where", [B, X, Y], {}),
    # Without elements.
    ("Concat", [X, floats(0, 3)], {"axis": 0}),
]
# Types that only constants have, and integers; sums and products wrap around.
BYTES = np.array([[100, -3, 100], [-128, -128, 7]])
for dtype in ("int8", "uint8", "int16", "uint16", "int32", "uint32", "float16", "float64"):
    values = (BYTES * (1 << 24 if "32" in dtype else 1)).astype(dtype)
    CASES += [(op, [values, ints(1)], {"keepdims": 0}) for op in
              "ReduceMax ReduceMean ReduceMin ReduceSum".split()]
    CASES += [
        ("ReduceProd", [values[:, 1:], ints(0)], {}),
        ("ArgMax", [values], {"axis": 1}),
        ("ArgMin", [values], {"axis": 1, "select_last_index": 1}),
        ("MatMul", [values, values.T.copy()], {}),
        ("MatMul", [np.stack([values, values]), values.T.copy()], {}),
        ("TopK", [values, ints(2)], {"axis": 1}, 2),
    ]
# Types that outputs of models do not have.
WIDER = {"int8": "int32", "uint8": "int32", "int16": "int32", "uint16": "int32",
         "uint32": "int64", "float16": "float32", "float64": "float32"}


def make():
    nodes, outputs = [], []
    for number, (op, values, attributes, *count) in enumerate(CASES):
        names = [f"{op}_{number}_{i}" if value is not None else ""
                 for i, value in enumerate(values)]
        results = [f"{op}_{number}.{i}" for i in range(count[0] if count else 1)]
        constants = [helper.make_node("Constant", [], [name],
                                      value=numpy_helper.from_array(np.asarray(value)))
                     for name, value in zip(names, values) if value is not None]
        node = helper.make_node(op, names, results, **attributes)
        infos = [onnx.ValueInfoProto(name=name) for name in results]
        graph = helper.make_graph(constants + [node], "g", [], infos)
        model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)])
        expected = ReferenceEvaluator(model).run(None, {})
        nodes += constants + [node]
        for name, value in zip(results, expected):
            value = np.asarray(value)
            # The reference computes some operators of float32 in float64.
            if value.dtype == np.float64 and values[0].dtype == np.float32:
                value = value.astype(np.float32)
            wider = WIDER.get(value.dtype.name)
            if wider:
                value = value.astype(wider)
                nodes.append(helper.make_node("Cast", [name], [name + ".wider"],
                                              to=helper.np_dtype_to_tensor_dtype(value.dtype)))
                name += ".wider"
            nodes.append(helper.make_node("Constant", [], [name + ".expected"],
                                          value=numpy_helper.from_array(value)))
            outputs += [onnx.ValueInfoProto(name=name),
                        onnx.ValueInfoProto(name=name + ".expected")]
    graph = helper.make_graph(nodes, "every_constant", [], outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", OPSET)],
                              ir_version=10)
    onnx.save(model, os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                  "every_constant.onnx"))


if __name__ == "__main__":
    make()
