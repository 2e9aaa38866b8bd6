// Broken programs with a scale for each row.
// Each program is the one below with one mistake, which sed makes.

// RUN: te-opt %s --te-validate-precision -o /dev/null

// DEFINE: %{refused} = not te-opt --te-validate-precision 2>&1 | FileCheck %s --check-prefix

// One scale, where the recipe has one for each row.
// RUN: sed -e 's/%%u_row_amax = te.amax %%u : tensor<32x32xbf16> -> tensor<32x1xf32>/%%u_row_amax = te.amax %%u : tensor<32x32xbf16>/' -e 's/te.compute_scale %%u_row_amax of tensor<32x1xf32>/te.compute_scale %%u_row_amax/' -e 's/%%u_row_scale of tensor<32x1xf32>/%%u_row_scale/' -e 's/%%u_row_inv of tensor<32x1xf32>/%%u_row_inv/' %s | %{refused} ONE-SCALE
// ONE-SCALE: error: expects its scale to be of type tensor<32x1xf32>

// The columnwise copy with the scales of the rowwise one.
// RUN: sed -e 's/te.quantize %%dy, %%dy_col_scale/te.quantize %%dy, %%dy_row_scale/' %s | %{refused} ROWS-OF-COLUMNS
// ROWS-OF-COLUMNS: error: expects its scale to come from amaxes of the transposed tensor, as its copy is columnwise

// The columnwise copy read with the reciprocals of the rowwise one.
// RUN: sed -e 's/te.scaled_matmul %%du_col, %%x_col scales(\(.*\), %%x_col_inv/te.scaled_matmul %%du_col, %%x_col scales(\1, %%x_row_inv/' %s | %{refused} OTHER-INV
// OTHER-INV: error: expects readers of its copies to have the reciprocal of its scale

// The scales of another tensor's rows.
// RUN: sed -e 's/te.compute_scale %%u_row_amax/te.compute_scale %%x_row_amax/' %s | %{refused} OTHER-AMAX
// OTHER-AMAX: error: expects its scale to come from the amax of the tensor that it quantizes

// The columnwise copy of another tensor than the rowwise one.
// RUN: sed -e 's/%%du_col, %%x_col scales(\(.*\), %%x_col_inv/%%du_col, %%u_col scales(\1, %%u_col_inv/' %s | %{refused} OTHER-TENSOR
// OTHER-TENSOR: error: reads another tensor as the input of the layer 'fc1', of which fprop reads a copy of something else; expects copies of one tensor

module attributes {te.recipe = #te.row_scaling,
    te.slots = ["fc1.input", "fc1.weight", "fc2.input", "fc2.weight", "fc2.grad_output", "fc1.grad_output"],
    te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E5M2, f8E5M2]} {
func.func @grad(%x: tensor<32x32xbf16> {te.input = "x"}, %t: tensor<32x32xbf16> {te.input = "target"},
    %w1: tensor<32x32xf32> {te.param = "fc1.weight"}, %w2: tensor<32x32xf32> {te.param = "fc2.weight"})
  -> (tensor<32x32xf32> {te.output = "grad.fc1.weight"}, tensor<32x32xf32> {te.output = "grad.fc2.weight"}) attributes {te.entry = "grad"} {
  %w1_row_amax = te.amax %w1 : tensor<32x32xf32> -> tensor<32x1xf32>
  %w1_row_scale, %w1_row_inv = te.compute_scale %w1_row_amax of tensor<32x1xf32> {format = f8E4M3FN}
  %w1_row = te.quantize %w1, %w1_row_scale of tensor<32x1xf32> : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN>
  %w2_row_amax = te.amax %w2 : tensor<32x32xf32> -> tensor<32x1xf32>
  %w2_row_scale, %w2_row_inv = te.compute_scale %w2_row_amax of tensor<32x1xf32> {format = f8E4M3FN}
  %w2_row = te.quantize %w2, %w2_row_scale of tensor<32x1xf32> : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN>
  %w2_col_amax = te.amax %w2 {transposed} : tensor<32x32xf32> -> tensor<32x1xf32>
  %w2_col_scale, %w2_col_inv = te.compute_scale %w2_col_amax of tensor<32x1xf32> {format = f8E4M3FN}
  %w2_col = te.quantize %w2, %w2_col_scale of tensor<32x1xf32> : tensor<32x32xf32> -> columnwise tensor<32x32xf8E4M3FN>
  %x_row_amax = te.amax %x : tensor<32x32xbf16> -> tensor<32x1xf32>
  %x_row_scale, %x_row_inv = te.compute_scale %x_row_amax of tensor<32x1xf32> {format = f8E4M3FN}
  %x_row = te.quantize %x, %x_row_scale of tensor<32x1xf32> : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  %x_col_amax = te.amax %x {transposed} : tensor<32x32xbf16> -> tensor<32x1xf32>
  %x_col_scale, %x_col_inv = te.compute_scale %x_col_amax of tensor<32x1xf32> {format = f8E4M3FN}
  %x_col = te.quantize %x, %x_col_scale of tensor<32x1xf32> : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E4M3FN>
  %u = te.scaled_matmul %x_row, %w1_row scales(%x_row_inv of tensor<32x1xf32>, %w1_row_inv of tensor<32x1xf32>) {layer = "fc1"} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %u_row_amax = te.amax %u : tensor<32x32xbf16> -> tensor<32x1xf32>
  %u_row_scale, %u_row_inv = te.compute_scale %u_row_amax of tensor<32x1xf32> {format = f8E4M3FN}
  %u_row = te.quantize %u, %u_row_scale of tensor<32x1xf32> : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  %u_col_amax = te.amax %u {transposed} : tensor<32x32xbf16> -> tensor<32x1xf32>
  %u_col_scale, %u_col_inv = te.compute_scale %u_col_amax of tensor<32x1xf32> {format = f8E4M3FN}
  %u_col = te.quantize %u, %u_col_scale of tensor<32x1xf32> : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E4M3FN>
  %y = te.scaled_matmul %u_row, %w2_row scales(%u_row_inv of tensor<32x1xf32>, %w2_row_inv of tensor<32x1xf32>) {layer = "fc2"} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %dy = arith.subf %y, %t : tensor<32x32xbf16>
  %dy_row_amax = te.amax %dy : tensor<32x32xbf16> -> tensor<32x1xf32>
  %dy_row_scale, %dy_row_inv = te.compute_scale %dy_row_amax of tensor<32x1xf32> {format = f8E5M2}
  %dy_row = te.quantize %dy, %dy_row_scale of tensor<32x1xf32> : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E5M2>
  %dy_col_amax = te.amax %dy {transposed} : tensor<32x32xbf16> -> tensor<32x1xf32>
  %dy_col_scale, %dy_col_inv = te.compute_scale %dy_col_amax of tensor<32x1xf32> {format = f8E5M2}
  %dy_col = te.quantize %dy, %dy_col_scale of tensor<32x1xf32> : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E5M2>
  %du = te.scaled_matmul %dy_row, %w2_col scales(%dy_row_inv of tensor<32x1xf32>, %w2_col_inv of tensor<32x1xf32>) {layer = "fc2", role = #te.role<dgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %dw2 = te.scaled_matmul %dy_col, %u_col scales(%dy_col_inv of tensor<32x1xf32>, %u_col_inv of tensor<32x1xf32>) {layer = "fc2", role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %du_col_amax = te.amax %du {transposed} : tensor<32x32xbf16> -> tensor<32x1xf32>
  %du_col_scale, %du_col_inv = te.compute_scale %du_col_amax of tensor<32x1xf32> {format = f8E5M2}
  %du_col = te.quantize %du, %du_col_scale of tensor<32x1xf32> : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E5M2>
  %dw1 = te.scaled_matmul %du_col, %x_col scales(%du_col_inv of tensor<32x1xf32>, %x_col_inv of tensor<32x1xf32>) {layer = "fc1", role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  return %dw1, %dw2 : tensor<32x32xf32>, tensor<32x32xf32>
}
}
