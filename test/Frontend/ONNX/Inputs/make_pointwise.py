# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes pointwise.onnx, every operator that becomes a kernel by itself, and
pointwise.safetensors, what ONNX's reference implementation computes for it. Run
it in its folder; it needs onnx, numpy and safetensors."""
import numpy as np
import onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator
from safetensors.numpy import save_file

UNARY = ["Abs", "Ceil", "Cos", "Cosh", "Elu", "Elu <alpha = 0.5>", "Erf", "Exp",
         "Floor", "HardSigmoid", "HardSigmoid <alpha = 0.3, beta = 0.4>",
         "HardSwish", "LeakyRelu", "LeakyRelu <alpha = 0.2>", "Mish", "Neg",
         "Reciprocal", "Round", "Selu", "Sin", "Sinh", "Softplus", "Softsign",
         "Tanh", "Relu", "Sigmoid"]
lines, outputs = [], []


def output(line, shape="2,3,4"):
    name = f"y{len(outputs)}"
    outputs.append(f"float[{shape}] {name}")
    lines.append(f"  {name} = {line}")


for op in UNARY:
    output(f"{op} (x)")
for op in ["Log", "Sqrt"]:
    output(f"{op} (p)")
# Operands repeat from the right: a row, a column, one in the middle, a number,
# and both at once.
for op in ["Add", "Sub", "Mul", "Div", "Max", "Min", "PRelu"]:
    for operand in ["row", "column", "middle", "number"]:
        output(f"{op} (x, {operand})")
output("Sub (row, middle)", "3,4")
output("Pow (p, row)")
output("Pow (x, three)")
output("Max (x, row, number)")
output("Sum (x, row, column, number)")
output("Clip (x, low, high)")
output("Clip (x, low)")
output("Clip (x, , high)")
for op in ["Less", "LessOrEqual", "Greater", "GreaterOrEqual", "Equal"]:
    lines.append(f"  c{op} = {op} (x, row)")
    output(f"Where (c{op}, x, middle)")
for op in ["And", "Or", "Xor"]:
    lines.append(f"  c{op} = {op} (cLess, cGreater)")
    output(f"Where (c{op}, number, x)")
output("ReduceSum (x, last)", "2,3,1")
output("ReduceMean <keepdims = 0> (x, last)", "2,3")
output("ReduceMean <keepdims = 0> (x, outer)", "3")
output("ReduceSum (x)", "1,1,1")
graph = f"""<ir_version: 10, opset_import: ["" : 23]>
g (float[2,3,4] x, float[2,3,4] p, float[4] row, float[2,3,1] column, float[3,1] middle, float number)
  => ({", ".join(outputs)})
<float three = {{3.0}}, float low = {{-0.5}}, float high = {{0.75}}, int64[1] last = {{-1}}, int64[2] outer = {{0, 2}}>
{{
""" + "\n".join(lines) + "\n}\n"
model = parser.parse_model(graph)
# The parser writes no shape for a number.
model.graph.input[5].type.tensor_type.shape.SetInParent()
onnx.checker.check_model(model)
onnx.save(model, "pointwise.onnx")

random = np.random.default_rng(3)
inputs = {}
for value in model.graph.input:
    shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
    inputs[value.name] = np.asarray(random.standard_normal(shape), np.float32)
inputs["p"] = np.exp(inputs["p"])
results = ReferenceEvaluator(model).run(None, inputs)
names = [value.name for value in model.graph.output]
save_file({**inputs, **{name: np.asarray(result, np.float32, order="C")
                        for name, result in zip(names, results)}},
          "pointwise.safetensors")
