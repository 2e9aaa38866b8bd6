# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes tensor_ops.onnx, operators across elements that no te op covers, and
tensor_ops.safetensors, what ONNX's reference implementation computes for it. Run
it in its folder; it needs onnx (1.19 or later), numpy and safetensors."""
import numpy as np
import onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator
from safetensors.numpy import save_file

INPUTS = """float[2,4,6] x, float[2,6,3] m, float[2,4,5,8] q, float[2,2,7,8] k,
  float[2,2,7,8] v, float[2,2,7,3] short, float[1,4,5,7] bias, int64[2,7] padding,
  float[2,4,9] signal, float[2,4,6,6] image, float[6,4,3] w1, float[8,4,3,3] w2,
  float[4,1,3] wd, float[6] b6, float[4] c4, int64[2,5] ids, int64[2,3,6] picks,
  float[5,4] table"""
CONSTANTS = """int64[1] last = {-1}, int64[1] first = {0}, int64[1] second = {1},
  int64[1] second2 = {2}, int64[1] three = {3}, int64 zero = {0}, int64 one = {1},
  int64 two = {2}, int64 mod3 = {3}, int64[3] many = {2,1,2}, int64[3] wide = {3,4,6},
  int64[6] pads = {0,1,2,0,0,3}, float fill = {0.5}, int64[2] rows12 = {12,4},
  int64[2,2,2] pairs = {0,3,1,2,1,0,0,1}, int64[3] rows = {3,0,3},
  int64[2] every = {1,3}, int64[2,1] places = {2,0},
  int64[2,2,3] spots = {0,2,1,5,3,4,1,2,0,4,-1,3}, int64[4] line = {2,1,1,7}"""
lines, outputs = [], []


def output(line):
    name = f"y{len(outputs)}"
    outputs.append(f"float[1] {name}")
    lines.append(f"  {name} = {line}")


# Products.
output("MatMul (x, m)")
lines.append("  x0 = Gather <axis = 0> (x, zero)")  # [4,6]
output("MatMul (x0, m)")
lines.append("  q1 = Slice (q, first, second, second)")  # [2,1,5,8]
lines.append("  kt = Transpose <perm = [0,1,3,2]> (k)")
output("MatMul (q1, kt)")
output('Einsum <equation = "bhid,bgjd->bij"> (q, k)')
output('Einsum <equation = "...d->..."> (x)')
output('Einsum <equation = "bsi,b i n->nbs"> (x, m)')
lines.append("  x_t = Transpose <perm = [1,0]> (x0)")
output("Gemm <alpha = 0.5, beta = 2.0, transA = 1, transB = 1> (x_t, x0, c4)")
# Reductions.
for op in ["ReduceMax", "ReduceMin", "ReduceL1", "ReduceL2", "ReduceSumSquare",
           "ReduceLogSumExp"]:
    output(f"{op} (x, last)")
output("ReduceMax <keepdims = 0> (x, second)")
output("Softmax (x)")
output("Softmax <axis = 1> (x)")
output("LogSoftmax (x)")
output("CumSum (x, one)")
output("CumSum <exclusive = 1, reverse = 1> (x, two)")
lines.append("  tops, where = TopK (x, three)")
output("Identity (tops)")
output("Cast <to = 1> (where)")
lines.append("  most = ArgMax <axis = 1> (x)")
output("Cast <to = 1> (most)")
output("RMSNormalization (x, b6)")
output("GroupNormalization <num_groups = 2> (signal, c4, c4)")
# Shapes.
output("Expand (x0, wide)")
output("Tile (x, many)")
output("Pad (x, pads, fill)")
output("Trilu <upper = 0> (x)")
# Positions.
output("Gather <axis = 2> (x, rows)")
output("Gather <axis = 1> (x, every)")
output("Gather <axis = 1> (x, zero)")
output("Gather <axis = 2> (x, ids)")
output("GatherElements <axis = 1> (x, picks)")
output("GatherND (x, pairs)")
lines.append("  x24 = Reshape (x, rows12)")
lines.append("  written = Slice (x24, first, second2, first)")
output("ScatterND (table, places, written)")
lines.append("  m1 = Slice (m, first, second, second)")  # [2,1,3]
lines.append("  m2 = Slice (m, second, second2, second)")
lines.append("  m12 = Concat <axis = 1> (m1, m2)")
output("ScatterElements <axis = 1> (m, spots, m12)")
output('ScatterElements <axis = 1, reduction = "add"> (m, spots, m12)')
# Integers and truth values that depend on inputs.
lines.append("  isPad = Equal (ids, zero)")
lines.append("  kept = Not (isPad)")
lines.append("  keptInt = Cast <to = 7> (kept)")
lines.append("  places2 = CumSum (keptInt, one)")
lines.append("  positions = Mul (places2, keptInt)")
output("Gather (table, positions)")
lines.append("  doubled = Add (ids, ids)")
lines.append("  odd = Mod (doubled, mod3)")
lines.append("  limited = Clip (odd, one, two)")
output("Cast <to = 1> (limited)")
# Convolutions.
output("Conv (signal, w1)")
output("Conv <pads = [2,1], strides = [2], dilations = [2]> (signal, w1, b6)")
output("Conv <group = 4, pads = [2,0]> (signal, wd, c4)")
output("Conv <strides = [3,3]> (image, w2)")
output("Conv <pads = [1,1,1,1], strides = [2,1]> (image, w2)")
output("AveragePool <kernel_shape = [3,2], pads = [1,0,1,0]> (image)")
output("MaxPool <kernel_shape = [2,2], strides = [2,2]> (image)")
output("GlobalAveragePool (image)")
# Attention that te.attention does not know.
lines.append("  seen = Reshape (padding, line)")
lines.append("  mask = Cast <to = 9> (seen)")
output("Attention (q, k, v, mask)")
output("Attention (q, k, v, bias)")
output("Attention (q, k, short)")
output("Attention <is_causal = 1> (q, k, v)")
output("Attention <is_causal = 1, scale = 0.3, softcap = 2.0> (q, k, v, bias)")
graph = f"""<ir_version: 10, opset_import: ["" : 24]>
g ({INPUTS}) => ({", ".join(outputs)})
<{CONSTANTS}>
{{
""" + "\n".join(lines) + "\n}\n"
model = parser.parse_model(graph)

random = np.random.default_rng(5)
inputs = {}
for value in model.graph.input:
    shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
    inputs[value.name] = np.asarray(random.standard_normal(shape), np.float32)
inputs["ids"] = np.array([[3, 1, 2, 0, 0], [0, 4, 1, 2, 3]])
inputs["picks"] = random.integers(-4, 4, (2, 3, 6))
# A query without keys among the rest.
inputs["padding"] = np.array([[1, 1, 0, 1, 1, 0, 0], [0] * 7])
results = ReferenceEvaluator(model).run(None, inputs)
names = [value.name for value in model.graph.output]
for value, result in zip(model.graph.output, results):
    shape = value.type.tensor_type.shape
    shape.ClearField("dim")
    for size in result.shape:
        shape.dim.add().dim_value = size
onnx.checker.check_model(model)
onnx.save(model, "tensor_ops.onnx")
save_file({**inputs, **{name: np.asarray(result, np.float32, order="C")
                        for name, result in zip(names, results)}},
          "tensor_ops.safetensors")
