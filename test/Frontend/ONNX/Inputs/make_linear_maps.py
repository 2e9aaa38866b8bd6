# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Makes linear_maps.onnx, Fourier transforms, resized tensors and pooled patches, and
linear_maps.safetensors, what ONNX's reference implementation computes for it;
linear_maps_17.*, the same of operators as opset 17 has them; and
linear_maps_refused.onnx. Run it in its folder; it needs onnx (1.19 or later), numpy
and safetensors."""
import numpy as np
import onnx
from onnx import parser
from onnx.reference import ReferenceEvaluator
from safetensors.numpy import save_file

INPUTS = """float[2,6,5,1] r, float[2,6,5,2] c, float[2,6,5] x, float[1,2,5,7] image,
  float[1,2,144,72] large"""
CONSTANTS = """int64 one = {1}, int64 two = {2}, int64 minus2 = {-2}, int64 eight = {8},
  int64 four = {4}, int64 seven = {7}, int64[1] last = {-1},
  float[2,6,5,1] none = {%s},
  int64[4] larger = {1,2,8,9}, int64[4] smaller = {1,2,3,4}, int64[2] spatial = {10,3}""" % ", ".join(["0.0"] * 60)


def make(name, opset, inputs, constants, lines):
    body, outputs = [], []
    for line in lines:
        if " = " in line.split("<")[0].split("(")[0]:
            body.append("  " + line)
            continue
        outputs.append(f"float[1] y{len(outputs)}")
        body.append(f"  y{len(outputs) - 1} = {line}")
    model = parser.parse_model(
        f"""<ir_version: 10, opset_import: ["" : {opset}]>
g ({inputs}) => ({", ".join(outputs)})
<{constants}>
{{
""" + "\n".join(body) + "\n}\n")
    random = np.random.default_rng(3)
    values = {}
    for value in model.graph.input:
        shape = [d.dim_value for d in value.type.tensor_type.shape.dim]
        # Means that are not almost nothing.
        mean = 1 if value.name == "large" else 0
        values[value.name] = np.asarray(mean + random.standard_normal(shape), np.float32)
    if name.endswith("refused"):
        onnx.save(model, f"{name}.onnx")
        return
    results = ReferenceEvaluator(model).run(None, values)
    for value, result in zip(model.graph.output, results):
        shape = value.type.tensor_type.shape
        shape.ClearField("dim")
        for size in result.shape:
            shape.dim.add().dim_value = size
        values[value.name] = np.asarray(result, np.float32, order="C")
    onnx.checker.check_model(model)
    onnx.save(model, f"{name}.onnx")
    save_file(values, f"{name}.safetensors")


resize = "Resize <mode = {}, coordinate_transformation_mode = {}{}> ({})"
make("linear_maps", 20, INPUTS, CONSTANTS, [
    # Of real and of complex numbers, one way and back, along several axes.
    "DFT (r, , one)",
    "DFT (c, , two)",
    "DFT <inverse = 1> (c, , one)",
    "DFT <inverse = 1> (r, , minus2)",
    "DFT <onesided = 1> (r, , one)",
    "DFT <onesided = 1> (r, , two)",
    # Padded, and cut off.
    "DFT (r, eight, one)",
    "DFT <onesided = 1> (r, four, one)",
    # Half a spectrum back to real numbers, of even and of odd length.
    "DFT <inverse = 1, onesided = 1> (c, , two)",
    "DFT <inverse = 1, onesided = 1> (c, seven, two)",
    # As PyTorch exports it: complex numbers that were real, twice, the real part.
    "real = Unsqueeze (x, last)",
    "complex = Concat <axis = -1> (real, none)",
    "once = DFT (complex, , two)",
    "both = DFT (once, , one)",
    "zero = Constant <value_int = 0> ()",
    "twice = Constant <value_floats = [1.0, 1.0, 2.0, 0.6]> ()",
    "Gather <axis = -1> (both, zero)",
    # Images.
    resize.format('"linear"', '"half_pixel"', "", "image, , , larger"),
    resize.format('"linear"', '"half_pixel"', "", "image, , , smaller"),
    resize.format('"linear"', '"align_corners"', "", "image, , , larger"),
    resize.format('"linear"', '"pytorch_half_pixel"', "", "image, , twice"),
    resize.format('"cubic"', '"half_pixel"', ", cubic_coeff_a = -0.5", "image, , , larger"),
    resize.format('"cubic"', '"align_corners"', "", "image, , , smaller"),
    resize.format('"cubic"', '"half_pixel"', ", exclude_outside = 1", "image, , , larger"),
    resize.format('"nearest"', '"asymmetric"', ', nearest_mode = "floor"', "image, , , larger"),
    resize.format('"nearest"', '"half_pixel"', "", "image, , , smaller"),
    resize.format('"nearest"', '"half_pixel_symmetric"',
                  ', nearest_mode = "round_prefer_ceil", axes = [2, 3]',
                  "image, , , spatial"),
    # Patches of more elements than an unrolled window may have, and of few.
    "AveragePool <kernel_shape = [72,72], strides = [72,72], count_include_pad = 1> (large)",
    "MaxPool <kernel_shape = [72,72], strides = [72,72]> (large)",
    "AveragePool <kernel_shape = [144,72]> (large)",
    "AveragePool <kernel_shape = [5,7], ceil_mode = 1> (image)",
    "AveragePool <kernel_shape = [3,3], strides = [2,2], ceil_mode = 1, count_include_pad = 1> (image)",
])
make("linear_maps_17", 17, "float[2,6,5,1] r, float[2,6,5,2] c, float[2,6,2] d",
     "int64 four = {4}", [
         "DFT <axis = 1> (r)",
         "DFT <axis = 2, inverse = 1> (c)",
         "DFT <axis = 1, onesided = 1> (r, four)",
         "DFT (d)",
     ])
make("linear_maps_refused", 20, "float[2,6,5,2] c, float[1,1,4,4] image, int64 axis",
     "int64 last = {3}, int64[4] sizes = {1,1,8,8}, "
     "int64 one = {1}", [
         "scales = Constant <value_floats = [1.0, 1.0, 2.0, 2.0]> ()",
         "DFT <onesided = 1> (c, , one)",
         "DFT (c)",
         "DFT (c, , last)",
         "DFT (c, , axis)",
         "DFT (image, , one)",
         "Resize <antialias = 1, mode = \"linear\"> (image, , scales)",
         "Resize <mode = \"linear\", coordinate_transformation_mode = \"tf_crop_and_resize\"> "
         "(image, , scales)",
         "Resize <keep_aspect_ratio_policy = \"not_larger\"> (image, , , sizes)",
         "AveragePool <kernel_shape = [3,3], strides = [2,2], ceil_mode = 1> (image)",
     ])
