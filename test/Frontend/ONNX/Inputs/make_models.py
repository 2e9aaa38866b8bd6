# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes the models of this folder (see README.md): python3 make_models.py

Needs the PyPI package onnx. With paths to exported models it strips those
instead: python3 make_models.py strip FROM.onnx TO.onnx
"""
import os
import sys

import onnx
from onnx import TensorProto, helper, parser

HERE = os.path.dirname(os.path.abspath(__file__))
KEEP = ("pkg.torch.onnx.name_scopes", "pkg.torch.onnx.stack_trace")


def strip(source, target):
    """The exported graph without weights, value infos and most metadata."""
    model = onnx.load(source, load_external_data=False)
    graph = model.graph
    offset = 0
    for tensor in graph.initializer:
        size = 4
        for dim in tensor.dims:
            size *= dim
        tensor.ClearField("raw_data")
        tensor.data_location = TensorProto.EXTERNAL
        del tensor.external_data[:]
        for key, value in (("location", "absent.bin"), ("offset", offset), ("length", size)):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)
        offset += size
    del graph.value_info[:]
    for entry in list(graph.metadata_props):
        if entry.key.endswith("range_constraints"):
            graph.metadata_props.remove(entry)
    for node in graph.node:
        kept = [(p.key, p.value) for p in node.metadata_props if p.key in KEEP]
        del node.metadata_props[:]
        # Shape arithmetic needs no positions here.
        if node.op_type in ("Constant", "Concat"):
            continue
        for key, value in kept:
            entry = node.metadata_props.add()
            entry.key, entry.value = key, value
    onnx.save(model, target)


def save(name, model):
    onnx.save(model, os.path.join(HERE, name + ".onnx"))


def text(name, body, opset=23):
    save(name, parser.parse_model(f'<ir_version: 10, opset_import: ["" : {opset}, "com.example" : 1]>\n{body}'))


def scope(node, path, line):
    """Metadata of a node as PyTorch's exporter writes it."""
    scopes = [""] + [".".join(path.split(".")[: i + 1]) for i in range(path.count(".") + 1)]
    for key, value in (
        ("pkg.torch.onnx.name_scopes", str(scopes + [node.name])),
        ("pkg.torch.onnx.stack_trace", f'File "model.py", line {line}, in forward\n    x = f(x)'),
    ):
        entry = node.metadata_props.add()
        entry.key, entry.value = key, value


def constants():
    """One graph output per evaluated op; see constant-folding.test."""
    text("constants", """
g () => (int64[3] range, int64[3] clipped, int64[2,3] cumsum, int64[2,3] cumsum_er,
         int64[2] gathernd, int64[2,2] elements, int64[1,2,3] taken, int64[2,2] slice, int64[3] reversed,
         bool[2,2] le, int64[2,2] where, float[3] trig, int64[2] div, int64[2] mod, int64[2] fmod,
         float[2,2] lower, int64[4] shape, int64[1,3,1] unsq, int64[3,2] transposed, float[2] cast,
         int64[2,2] expanded, float[1,2,2] angles, int32[2] narrow, float[2] root, int64[6] flat)
<int64 zero = {0}, int64 three = {3}, int64 one = {1}, int64[2,3] m = {1, 2, 3, 4, 5, 6}, int64 minus = {-1},
 int64[2,2] nd = {0, 2, 1, -3}, int64[2,2] el = {2, 0, 1, 1}, int64[1,2] idx = {1, -2},
 int64[1] s0 = {-2}, int64[1] s1 = {9}, int64[1] ax = {1}, int64[1] st = {1},
 int64[1] r0 = {-1}, int64[1] r1 = {-9}, int64[1] rst = {-1}, int64[1] ax0 = {0},
 int64[2,1] col = {0, 1}, int64[1,2] row = {0, 1}, float pi = {3.14159274}, int64[2] num = {-7, 7}, int64[2] den = {2, -2},
 int64[2] axes = {0, 2}, int64[2] two = {2, 2}, int64 seven = {7}, int64[1] all = {-1}, int64[4] shape4 = {1, 2, 3, 1}>
{
  range = Range(zero, three, one)
  clipped = Min(range, one)
  cumsum = CumSum(m, one)
  cumsum_er = CumSum <exclusive = 1, reverse = 1> (m, minus)
  gathernd = GatherND(m, nd)
  elements = GatherElements <axis = 1> (m, el)
  taken = Gather <axis = 0> (m, idx)
  slice = Slice(m, s0, s1, ax, st)
  reversed = Slice(range, r0, r1, ax0, rst)
  le = LessOrEqual(row, col)
  where = Where(le, row, seven)
  f = Cast <to = 1> (range)
  cosine = Cos(f)
  trig = Mul(cosine, pi)
  div = Div(num, den)
  mod = Mod(num, den)
  fmod = Mod <fmod = 1> (num, den)
  ones = ConstantOfShape <value = float[1] {1.5}> (two)
  lower = Trilu <upper = 0> (ones)
  cube = Reshape(m, shape4)
  shape = Shape(cube)
  unsq = Unsqueeze(range, axes)
  transposed = Transpose(m)
  cast = CastLike(num, pi)
  expanded = Expand(row, two)
  halves = Constant <value_floats = [0.5, 0.25]> ()
  positions = Constant <value_floats = [2.0, 3.0]> ()
  squares = Constant <value_floats = [4.0, 2.25]> ()
  column = Unsqueeze(halves, ax)
  columns = Unsqueeze(column, ax0)
  line = Unsqueeze(positions, ax0)
  lines = Unsqueeze(line, ax0)
  angles = MatMul(columns, lines)
  narrow = Cast <to = 6> (num)
  root = Sqrt(squares)
  flat = Reshape(m, all)
}
""")


def main():
    constants()
    if "--reference" in sys.argv:
        from onnx.reference import ReferenceEvaluator

        model = onnx.load(os.path.join(HERE, "constants.onnx"))
        results = ReferenceEvaluator(model).run(None, {})
        for output, value in zip(model.graph.output, results):
            print(output.name, value.dtype, value.shape, value.tolist())

    # Pointwise ops, pieces and shapes that GPT-2 does not have.
    text("ops", """
g (float[2,3,8] x) => (float[2,3,8] y, float[6,4] z)
<float[8] g = {1,1,1,1,1,1,1,1}, float[8,4] w = {0}, float[4] b = {0,0,0,0},
 int64[2] sizes = {2, 6}, int64[1] last = {-1}, int64[1] zero = {0}, int64[1] two = {2}, float half = {0.5}, int64[1] axis1 = {1}>
{
  norm = LayerNormalization(x, g)
  p1, p2 = Split <axis = -1> (norm, sizes)
  joined = Concat <axis = 2> (p1, p2)
  relu = Relu(joined)
  gelu = Gelu(relu)
  silu = Swish(gelu)
  quick = Swish <alpha = 1.702> (silu)
  scaled = Mul(half, quick)
  difference = Sub(scaled, x)
  a = Unsqueeze(difference, axis1)
  s = Squeeze(a, axis1)
  y = Identity(s)
  flat = Flatten <axis = 2> (s)
  gemm = Gemm(flat, w, b)
  z = Sigmoid(gemm)
}
""", opset=24)
    path = os.path.join(HERE, "ops.onnx")
    model = onnx.load(path)
    for tensor in model.graph.initializer:
        if tensor.name == "w":
            tensor.ClearField("float_data")
            tensor.float_data.extend([0.0] * 32)
    onnx.save(model, path)

    # Attention of rank 3 with its heads as an attribute, and masks.
    mask = """
g (float[2,4,8] q, float[2,4,8] k, float[2,4,8] v) => (float[2,4,8] y)
<int64 zero = {0}, int64 four = {4}, int64 one = {1}, int64[1] ax0 = {0}, int64[1] ax1 = {1}, int64 window = {1},
 float nothing = {0.0}, float forbid = {-1.0}, float slope = {-1.0}>
{
  positions = Range(zero, four, one)
  row = Unsqueeze(positions, ax0)
  column = Unsqueeze(positions, ax1)
  causal = LessOrEqual(row, column)
  MASK
  y = Attention <q_num_heads = 2, kv_num_heads = 2> (q, k, v, mask)
}
"""
    def masked(name, lines):
        body = mask.replace("MASK", lines)
        model = parser.parse_model('<ir_version: 10, opset_import: ["" : 23]>\n' + body)
        # The parser knows no infinity.
        for tensor in model.graph.initializer:
            if tensor.name == "forbid":
                tensor.float_data[0] = float("-inf")
        save(name, model)

    masked("mask_boolean", "mask = Identity(causal)")
    masked("mask_additive", "mask = Where(causal, nothing, forbid)")
    masked("mask_full", "never = Not(causal)\n mask = Or(causal, never)")
    masked("mask_window", "near = Sub(column, row)\n inside = LessOrEqual(near, window)\n mask = And(causal, inside)")
    masked("mask_padding", "early = Less(row, four)\n late = Less(row, window)\n all = Or(causal, early)\n mask = And(late, all)")
    masked("mask_bias", "f = Cast <to = 1> (row)\n mask = Mul(f, slope)")
    text("mask_input", """
g (float[2,2,4,8] q, float[2,2,4,8] k, float[2,2,4,8] v, float[2,1,4,4] mask) => (float[2,2,4,8] y)
{
  y = Attention(q, k, v, mask)
}
""")

    # Several kinds of unsupported nodes, some behind others.
    text("unsupported", """
g (float[2,8] x) => (float[2,8] y, float[2,8] z)
{
  a = com.example.Magic(x)
  b = com.example.Magic(a)
  c = Hardmax(b)
  d = Relu(c)
  e = Gelu <approximate = "exact"> (x)
  y = Mish(x)
  z = Tanh(d)
}
""")
    path = os.path.join(HERE, "unsupported.onnx")
    model = onnx.load(path)
    for i, node in enumerate(model.graph.node):
        node.name = f"node_{i}"
        scope(node, "block.mlp", 10 + i)
    onnx.save(model, path)

    text("dynamic", 'g (float[batch,8] x, float[4,sequence] y) => (float[batch,8] z) { z = Relu(x) }')
    text("half", 'g (float16[2,8] x) => (float16[2,8] z) { z = Relu(x) }')
    text("half_inside", 'g (float[2,8] x) => (float[2,8] z) { h = Cast <to: int = 10> (x) z = Cast <to: int = 1> (h) }')
    text("opset16", "g (float[2,8] x) => (float[2,8] y) { y = Relu(x) }", opset=16)
    save("functions", parser.parse_model("""
<ir_version: 10, opset_import: ["" : 23, "local" : 1]>
g (float[2,8] x) => (float[2,8] y) { y = local.twice(x) }
<domain: "local", opset_import: ["" : 23]>
twice (a) => (b) { b = Add(a, a) }
"""))

    # What the exporter's optimizer makes of two layers.
    text("optimized", """
g (float[2,4] x) => (float[2,4] y)
<float[4] ln1_weight = {1,1,1,1}, float[4] ln1_bias = {0,0,0,0}, float[4,4] val_93 = {1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1}>
{
  a = LayerNormalization(x, ln1_weight, ln1_bias)
  b = MatMul(a, val_93)
  y = LayerNormalization(b, ln1_weight, ln1_bias)
}
""")
    path = os.path.join(HERE, "optimized.onnx")
    model = onnx.load(path)
    for node, layer in zip(model.graph.node, ("ln1", "fc", "ln2")):
        node.name = layer
        scope(node, layer, 3)
    onnx.save(model, path)

    # What the exporter's signature says about tensors: b is not a parameter, the
    # lookup of positions was folded into "embedding".
    text("signature", """
g (float[2,4] x) => (float[2,4] y, float[4] z)
<float[4] w = {1,1,1,1}, float[4] b = {2,2,2,2}, float[2,4] embedding = {0,0,0,0,0,0,0,0}>
{
  a = Add(x, w)
  y = Add(a, embedding)
  z = Mul(b, b)
}
""")
    path = os.path.join(HERE, "signature.onnx")
    model = onnx.load(path)
    entry = model.graph.metadata_props.add()
    entry.key = "pkg.torch.export.ExportedProgram.graph_signature"
    entry.value = (
        "\n# inputs\np_w: PARAMETER target='w'\np_p: PARAMETER target='positions.weight'\n"
        "b_b: BUFFER target='b' persistent=False\nx: USER_INPUT\n"
    )
    onnx.save(model, path)

    # Operators with too few inputs, and outputs that are not what is declared.
    for name, node in (
        ("equal_of_one", "y = Equal(x)"),
        ("sum_of_none", "y = Sum()"),
        ("less_or_equal_without_output", "y = Relu(x) = LessOrEqual(x)"),
    ):
        text(name, "g (float[2,3] x) => (float[2,3] y) { " + node + " }")
    text("positions_outside", """g (float[2,3] x, float[2,2] u) => (float[2,2] a, float[2] b, float[2,3] c, float[2,3] d) {
        i = Constant <value = int64[2,2] {0, 7, 1, -1}> ()
        j = Constant <value = int64[2,2] {0, 5, 1, 0}> ()
        k = Constant <value = int64 {1}> ()
        a = GatherElements <axis = 1> (x, i)
        b = GatherND (x, j)
        c = ScatterElements <axis = 1> (x, i, u)
        d = ScatterND (x, k, u)
    }""")
    text("clip_by_tensor", "g (float[3] x, float[2,3] low) => (float[3] y) { y = Clip(x, low) }")
    text("large_dimensions", """g (float[2,2147483647] x) => (int64[2,1] a, float[2,2147483647] b) {
        a = ArgMax <axis = 1> (x)
        b = Trilu (x)
    }""")
    text("output_shape", "g (float[2,3] x) => (float[3,2] y) { y = Relu(x) }")
    text("output_type", "g (float[2,3] x) => (int64[2,3] y) { y = Relu(x) }")
    text("output_named_sizes", "g (float[2,3] x) => (float[batch,3] y) { y = Relu(x) }")
    model = parser.parse_model("""
<ir_version: 10, opset_import: ["" : 17, "ai.onnx" : 23]>
g (float[2,3] x) => (float[2,3] y) { y = Relu(x) }
""")
    save("two_opsets", model)

    # External data: one model per way to name it.
    for name, location, offset, length in (
        ("absent", "nowhere.bin", 0, 16),
        ("present", "weights.bin", 8, 16),
        ("short", "weights.bin", 12, 16),
        ("overflow", "weights.bin", 2**64 - 8, 16),
        ("wrong_length", "weights.bin", 0, 12),
        ("parent", "../Inputs/weights.bin", 0, 16),
        ("absolute", "/etc/passwd", 0, 16),
        ("folder", ".", 0, 16),
        ("link", "link.bin", 0, 16),
    ):
        model = parser.parse_model("""
<ir_version: 10, opset_import: ["" : 23]>
g (float[2,4] x) => (float[2,4] y) <float[4] bias = {0,0,0,0}> { y = Add(x, bias) }
""")
        tensor = model.graph.initializer[0]
        tensor.ClearField("float_data")
        tensor.data_location = TensorProto.EXTERNAL
        for key, value in (("location", location), ("offset", offset), ("length", length)):
            entry = tensor.external_data.add()
            entry.key, entry.value = key, str(value)
        save("external_" + name, model)
    with open(os.path.join(HERE, "weights.bin"), "wb") as f:
        f.write(bytes(24))


if __name__ == "__main__":
    if len(sys.argv) == 4 and sys.argv[1] == "strip":
        strip(sys.argv[2], sys.argv[3])
    else:
        main()
