// Broken programs with a scale for each block.
// Each program is the one below with one mistake, which sed makes.

// RUN: te-opt %s --te-validate-precision -o /dev/null

// DEFINE: %{refused} = not te-opt --te-validate-precision 2>&1 | FileCheck %s --check-prefix

// A scale for each row, where the recipe has several for each.
// RUN: sed -e '/%%x_row/s/64x2xf32/64x1xf32/g' %s | %{refused} ROWS
// ROWS: error: expects its scale to be of type tensor<64x2xf32> or tensor<1x2xf32>

// One scale for the input.
// RUN: sed -e '/%%x_row/s/ -> tensor<64x2xf32>//' -e '/%%x_row/s/ of tensor<64x2xf32>//g' %s | %{refused} ONE
// ONE: error: expects its scale to be of type tensor<64x2xf32> or tensor<1x2xf32>

// The weight with the blocks of an input.
// RUN: sed -e '/%%w_row/s/3x2xf32/384x2xf32/g' %s | %{refused} WEIGHT
// WEIGHT: error: reads operand b with scales of type 'tensor<384x2xf32>'; block_scaling gives weight scales of type 'tensor<3x2xf32>'

// The input with the blocks of a weight.
// RUN: sed -e '/%%x_row/s/64x2xf32/1x2xf32/g' %s | %{refused} INPUT
// INPUT: error: reads operand a with scales of type 'tensor<1x2xf32>'; block_scaling gives input scales of type 'tensor<64x2xf32>'

// The same in wgrad, whose operands are an input and a gradient.
// RUN: sed -e '/%%x_col/s/256x1xf32/2x1xf32/g' %s | %{refused} WGRAD
// WGRAD: error: reads operand b with scales of type 'tensor<2x1xf32>'; block_scaling gives input scales of type 'tensor<256x1xf32>'

// Scales that are not powers of two, or of another epsilon.
// RUN: sed -e '/%%x_row_scale/s/, power_of_two//' %s | %{refused} MANTISSA
// MANTISSA: error: expects its scale to be rounded down to a power of two, as the recipe says
// RUN: sed -e 's/te.recipe = #te.block_scaling/te.recipe = #te.block_scaling<power_of_two = false>/' %s | %{refused} POWER
// POWER: error: expects its scale not to be rounded down to a power of two, as the recipe says
// RUN: sed -e '/%%x_row_scale/s/{format/{epsilon = 0.5 : f32, format/' %s | %{refused} EPSILON
// EPSILON: error: expects its scale to be computed with the recipe's epsilon

// The columnwise copy read with the reciprocals of another copy's scales.
// RUN: sed -e 's/scales(%%dy_col_inv of tensor<384x1xf32>/scales(%%o_col_inv of tensor<384x1xf32>/' %s | %{refused} OTHER
// OTHER: error: expects readers of its copies to have the reciprocal of its scale

// The scales of another tensor's blocks.
// RUN: sed -e 's/te.compute_scale %%dy_col_amax/te.compute_scale %%o_col_amax/' %s | %{refused} AMAX
// AMAX: error: expects its scale to come from the amax of the tensor that it quantizes

module attributes {te.recipe = #te.block_scaling,
    te.slots = ["fc.input", "fc.weight", "fc.grad_output"],
    te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN]} {
func.func @grad(%x: tensor<64x256xbf16> {te.input = "x"}, %dy: tensor<64x384xbf16> {te.input = "cotangent.y"},
    %o: tensor<64x384xbf16> {te.input = "other"}, %w: tensor<384x256xf32> {te.param = "fc.weight"})
  -> (tensor<64x384xbf16> {te.output = "y"}, tensor<384x256xf32> {te.output = "grad.fc.weight"}, tensor<384x1xf32> {te.output = "scales"})
  attributes {te.entry = "vjp"} {
  %x_row_amax = te.amax %x : tensor<64x256xbf16> -> tensor<64x2xf32>
  %x_row_scale, %x_row_inv = te.compute_scale %x_row_amax of tensor<64x2xf32> {format = f8E4M3FN, power_of_two}
  %x_row = te.quantize %x, %x_row_scale of tensor<64x2xf32> : tensor<64x256xbf16> -> rowwise tensor<64x256xf8E4M3FN>
  %x_col_amax = te.amax %x {transposed} : tensor<64x256xbf16> -> tensor<256x1xf32>
  %x_col_scale, %x_col_inv = te.compute_scale %x_col_amax of tensor<256x1xf32> {format = f8E4M3FN, power_of_two}
  %x_col = te.quantize %x, %x_col_scale of tensor<256x1xf32> : tensor<64x256xbf16> -> columnwise tensor<256x64xf8E4M3FN>
  %w_row_amax = te.amax %w : tensor<384x256xf32> -> tensor<3x2xf32>
  %w_row_scale, %w_row_inv = te.compute_scale %w_row_amax of tensor<3x2xf32> {format = f8E4M3FN, power_of_two}
  %w_row = te.quantize %w, %w_row_scale of tensor<3x2xf32> : tensor<384x256xf32> -> rowwise tensor<384x256xf8E4M3FN>
  %y = te.scaled_matmul %x_row, %w_row scales(%x_row_inv of tensor<64x2xf32>, %w_row_inv of tensor<3x2xf32>) {layer = "fc"} : tensor<64x256xf8E4M3FN>, tensor<384x256xf8E4M3FN> -> tensor<64x384xbf16>
  %o_col_amax = te.amax %o {transposed} : tensor<64x384xbf16> -> tensor<384x1xf32>
  %o_col_scale, %o_col_inv = te.compute_scale %o_col_amax of tensor<384x1xf32> {format = f8E4M3FN, power_of_two}
  %dy_col_amax = te.amax %dy {transposed} : tensor<64x384xbf16> -> tensor<384x1xf32>
  %dy_col_scale, %dy_col_inv = te.compute_scale %dy_col_amax of tensor<384x1xf32> {format = f8E4M3FN, power_of_two}
  %dy_col = te.quantize %dy, %dy_col_scale of tensor<384x1xf32> : tensor<64x384xbf16> -> columnwise tensor<384x64xf8E4M3FN>
  %dw = te.scaled_matmul %dy_col, %x_col scales(%dy_col_inv of tensor<384x1xf32>, %x_col_inv of tensor<256x1xf32>) {layer = "fc", role = #te.role<wgrad>} : tensor<384x64xf8E4M3FN>, tensor<256x64xf8E4M3FN> -> tensor<384x256xf32>
  return %y, %dw, %o_col_inv : tensor<64x384xbf16>, tensor<384x256xf32>, tensor<384x1xf32>
}
}
