// Broken programs with scales that are made in the step.
// Each program is the one below with one mistake, which sed makes.

// RUN: te-opt %s --te-validate-precision -o /dev/null

// DEFINE: %{refused} = not te-opt --te-validate-precision 2>&1 | FileCheck %s --check-prefix

// The scale of another tensor.
// RUN: sed -e 's/te.compute_scale %%u_amax/te.compute_scale %%x_amax/' %s | %{refused} OTHER-AMAX
// OTHER-AMAX: error: expects its scale to come from the amax of the tensor that it quantizes

// The reciprocal of another scale.
// RUN: sed -e 's/scales(%%dy_inv, %%u_inv)/scales(%%dy_inv, %%x_inv)/' %s | %{refused} OTHER-INV
// OTHER-INV: error: expects readers of its copies to have the reciprocal of its scale

// A tensor quantized with the reciprocal.
// RUN: sed -e 's/te.quantize %%u, %%u_scale/te.quantize %%u, %%u_inv/' %s | %{refused} BY-INVERSE
// BY-INVERSE: error: expects its scale to be one of te.compute_scale

// Scales of rows, where the recipe has one scale a tensor.
// RUN: sed -e 's/%%du_amax = te.amax %%du : tensor<32x32xbf16>/%%du_amax = te.amax %%du {transposed} : tensor<32x32xbf16> -> tensor<32x1xf32>/' -e 's/te.compute_scale %%du_amax/& of tensor<32x1xf32>/' -e 's/te.quantize %%du, %%du_scale/& of tensor<32x1xf32>/' -e 's/scales(%%du_inv/& of tensor<32x1xf32>/' %s | %{refused} ROWS
// ROWS: error: expects its scale to be of type tensor<f32>

// The columnwise copy of another tensor than the rowwise one.
// RUN: sed -e 's/%%du_col, %%x_col scales(%%du_inv, %%x_inv)/%%du_col, %%u_col scales(%%du_inv, %%u_inv)/' %s | %{refused} OTHER-TENSOR
// OTHER-TENSOR: error: reads another tensor as the input of the layer 'fc1', of which fprop reads a copy of something else; expects copies of one tensor
// OTHER-TENSOR: note: the fprop is here

// The gradient of another layer.
// RUN: sed -e 's/%%dy_col, %%u_col scales(%%dy_inv, %%u_inv)/%%w2_col, %%u_col scales(%%w2_inv, %%u_inv)/;/%%w2_col, %%u_col/s/f8E5M2/f8E4M3FN/' %s | %{refused} OTHER-GRADIENT
// OTHER-GRADIENT: error: reads another tensor as the grad_output of the layer 'fc2', of which dgrad reads a copy of something else
// OTHER-GRADIENT: error: reads 'f8E4M3FN' and 'f8E4M3FN'; current_scaling makes grad_output 'f8E5M2' and input 'f8E4M3FN', which are what wgrad reads

// A weight of another layer.
// RUN: sed -e 's/%%dy_row, %%w2_col scales(%%dy_inv, %%w2_inv)/%%dy_row, %%u_col scales(%%dy_inv, %%u_inv)/' %s | %{refused} OTHER-WEIGHT
// OTHER-WEIGHT: error: reads another tensor as the weight of the layer 'fc2', of which fprop reads a copy of something else

// A gradient in the format of inputs.
// RUN: sed -e '/%%dy_\|%%du =/s/f8E5M2/f8E4M3FN/g' %s | %{refused} GRADIENT-FORMAT
// GRADIENT-FORMAT: error: reads operand a as 'f8E4M3FN'; current_scaling makes grad_output 'f8E5M2'

// A tensor that was FP8 already, quantized again.
// RUN: sed -e 's/^  %%du_amax = /  %%back = te.dequantize %%dy_row, %%dy_inv : tensor<32x32xf8E5M2> -> tensor<32x32xbf16>\n&/' -e 's/te.amax %%du :/te.amax %%back :/' -e 's/te.quantize %%du,/te.quantize %%back,/' %s | %{refused} TWICE
// TWICE: error: quantizes what te.dequantize made of the 'f8E5M2' values: the tensor is rounded to FP8 twice

// FP8 values as numbers.
// RUN: sed -e 's/^  %%y = /  %%wide = arith.extf %%u_row : tensor<32x32xf8E4M3FN> to tensor<32x32xbf16>\n&/' -e 's/arith.subf %%y/arith.subf %%wide/' %s | %{refused} NOT-DEQUANTIZED
// NOT-DEQUANTIZED: error: reads the 'f8E4M3FN' values without their scale_inv, so that it takes scaled numbers for the tensor's; expects it to read what te.dequantize makes of them

module attributes {te.recipe = #te.current_scaling,
    te.slots = ["fc1.input", "fc1.weight", "fc2.input", "fc2.weight", "fc2.grad_output", "fc1.grad_output"],
    te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E5M2, f8E5M2]} {
func.func @grad(%x: tensor<32x32xbf16> {te.input = "x"}, %t: tensor<32x32xbf16> {te.input = "target"},
    %w1: tensor<32x32xf32> {te.param = "fc1.weight"}, %w2: tensor<32x32xf32> {te.param = "fc2.weight"})
  -> (tensor<32x32xf32> {te.output = "grad.fc1.weight"}, tensor<32x32xf32> {te.output = "grad.fc2.weight"}) attributes {te.entry = "grad"} {
  %w1_amax = te.amax %w1 : tensor<32x32xf32>
  %w1_scale, %w1_inv = te.compute_scale %w1_amax {format = f8E4M3FN}
  %w1_row = te.quantize %w1, %w1_scale : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN>
  %w2_amax = te.amax %w2 : tensor<32x32xf32>
  %w2_scale, %w2_inv = te.compute_scale %w2_amax {format = f8E4M3FN}
  %w2_row, %w2_col = te.quantize %w2, %w2_scale : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN>
  %x_amax = te.amax %x : tensor<32x32xbf16>
  %x_scale, %x_inv = te.compute_scale %x_amax {format = f8E4M3FN}
  %x_row, %x_col = te.quantize %x, %x_scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN>
  %u = te.scaled_matmul %x_row, %w1_row scales(%x_inv, %w1_inv) {layer = "fc1"} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %u_amax = te.amax %u : tensor<32x32xbf16>
  %u_scale, %u_inv = te.compute_scale %u_amax {format = f8E4M3FN}
  %u_row, %u_col = te.quantize %u, %u_scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN>
  %y = te.scaled_matmul %u_row, %w2_row scales(%u_inv, %w2_inv) {layer = "fc2"} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %dy = arith.subf %y, %t : tensor<32x32xbf16>
  %dy_amax = te.amax %dy : tensor<32x32xbf16>
  %dy_scale, %dy_inv = te.compute_scale %dy_amax {format = f8E5M2}
  %dy_row, %dy_col = te.quantize %dy, %dy_scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E5M2> columnwise tensor<32x32xf8E5M2>
  %du = te.scaled_matmul %dy_row, %w2_col scales(%dy_inv, %w2_inv) {layer = "fc2", role = #te.role<dgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %dw2 = te.scaled_matmul %dy_col, %u_col scales(%dy_inv, %u_inv) {layer = "fc2", role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %du_amax = te.amax %du : tensor<32x32xbf16>
  %du_scale, %du_inv = te.compute_scale %du_amax {format = f8E5M2}
  %du_col = te.quantize %du, %du_scale : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E5M2>
  %dw1 = te.scaled_matmul %du_col, %x_col scales(%du_inv, %x_inv) {layer = "fc1", role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  return %dw1, %dw2 : tensor<32x32xf32>, tensor<32x32xf32>
}
}
