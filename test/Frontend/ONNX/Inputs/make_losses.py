# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes losses.onnx, SoftmaxCrossEntropyLoss in its forms, losses.safetensors, what
ONNX's reference implementation computes for it, and losses_refused.onnx, forms that are
not imported. Run it in its folder; it needs onnx (1.19 or later), numpy and
safetensors."""
import numpy as np
import onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator
from safetensors.numpy import save_file

HEADER = '<ir_version: 10, opset_import: ["": 23]>\n'
TAKEN = parser.parse_model(HEADER + """losses (float[4,5] rows, int64[4] labels,
    float[2,5,3] sequences, int32[2,3] tokens, float[2,5,2,3] image, int64[2,2,3] pixels)
    => (float y0, float y1, float y2, float y3) {
  y0 = SoftmaxCrossEntropyLoss (rows, labels)
  y1 = SoftmaxCrossEntropyLoss <ignore_index = 2> (rows, labels)
  y2 = SoftmaxCrossEntropyLoss <reduction = "sum", ignore_index = 1> (sequences, tokens)
  y3 = SoftmaxCrossEntropyLoss <reduction = "mean"> (image, pixels)
}""")
REFUSED = parser.parse_model(HEADER + """losses (float[4,5] rows, int64[4] labels,
    float[5] weights) => (float[4] y0, float y1, float y2, float[4,5] logs) {
  y0 = SoftmaxCrossEntropyLoss <reduction = "none"> (rows, labels)
  y1 = SoftmaxCrossEntropyLoss (rows, labels, weights)
  y2, logs = SoftmaxCrossEntropyLoss (rows, labels)
  y3 = SoftmaxCrossEntropyLoss (weights, labels)
}""")

generator = np.random.default_rng(0)
inputs = {}
for value in TAKEN.graph.input:
    shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
    kind = value.type.tensor_type.elem_type
    if kind == onnx.TensorProto.FLOAT:
        inputs[value.name] = generator.normal(0, 2, shape).astype(np.float32)
    else:
        inputs[value.name] = generator.integers(0, 5, shape).astype(
            onnx.helper.tensor_dtype_to_np_dtype(kind))
outputs = ReferenceEvaluator(TAKEN).run(None, inputs)
expected = {f"y{i}": np.asarray(y, np.float32) for i, y in enumerate(outputs)}
save_file({**inputs, **expected}, "losses.safetensors")
onnx.save(TAKEN, "losses.onnx")
onnx.save(REFUSED, "losses_refused.onnx")
print(inputs["labels"], inputs["tokens"], expected)
