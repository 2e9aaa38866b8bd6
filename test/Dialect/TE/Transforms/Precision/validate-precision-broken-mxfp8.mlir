// Broken programs with a scale in E8M0 for each 1 x 32 elements.
// Each program is the one below with one mistake, which sed makes.

// RUN: te-opt %s --te-validate-precision -o /dev/null

// DEFINE: %{refused} = not te-opt --te-validate-precision 2>&1 | FileCheck %s --check-prefix

// The blocks of another recipe; one scale.
// RUN: sed -e '/%%x_row/s/64x8x/64x2x/g' %s | %{refused} BLOCKS
// BLOCKS: error: expects its scale to be of type tensor<64x8xf32>
// RUN: sed -e '/%%x_row/s/ -> tensor<64x8xf32>//' -e '/%%x_row/s/ of tensor<64x8xf32>//' -e '/%%x_row/s/64x8xf8E8M0FNU/f8E8M0FNU/' %s | %{refused} ONE
// ONE: error: expects its scale to be of type tensor<64x8xf32>

// The blocks of a weight of block_scaling.
// RUN: sed -e '/%%w_row/s/384x8x/3x2x/g' %s | %{refused} WEIGHT
// WEIGHT: error: expects its scale to be of type tensor<384x8xf32>

// Reciprocals in f32, and in E8M0 where the recipe has f32.
// RUN: sed -e '/%%x_row/s/ -> tensor<64x8xf8E8M0FNU>//' -e '/%%x_row/s/64x8xf8E8M0FNU/64x8xf32/' %s | %{refused} FLOAT
// FLOAT: error: expects the reciprocal of its scale to be f8E8M0FNU, as the recipe says
// RUN: sed -e 's/x[28]xf/x1xf/g' -e 's/te.recipe = #te.mxfp8_scaling/te.recipe = #te.row_scaling<format = e4m3>/' %s | %{refused} OTHERTYPE
// OTHERTYPE: error: expects the reciprocal of its scale to be f32, as the recipe says

// Scales of another format than that of the copy.
// RUN: sed -e '/%%x_row_scale/s/format = f8E4M3FN/format = f8E5M2/' %s | %{refused} FORMAT
// FORMAT: error: expects its scale to be computed for the format that it quantizes to, without a margin

// The columnwise copy read with the reciprocals of another copy's scales.
// RUN: sed -e 's/scales(%%dy_col_inv of/scales(%%o_col_inv of/' %s | %{refused} OTHER
// OTHER: error: expects readers of its copies to have the reciprocal of its scale

// The scales of another tensor's blocks.
// RUN: sed -e 's/te.compute_scale %%dy_col_amax/te.compute_scale %%o_col_amax/' %s | %{refused} AMAX
// AMAX: error: expects its scale to come from the amax of the tensor that it quantizes

module attributes {te.recipe = #te.mxfp8_scaling,
    te.slots = ["fc.input", "fc.weight", "fc.grad_output"],
    te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN]} {
func.func @grad(%x: tensor<64x256xbf16> {te.input = "x"}, %dy: tensor<64x384xbf16> {te.input = "cotangent.y"},
    %o: tensor<64x384xbf16> {te.input = "other"}, %w: tensor<384x256xf32> {te.param = "fc.weight"})
  -> (tensor<64x384xbf16> {te.output = "y"}, tensor<384x256xf32> {te.output = "grad.fc.weight"}, tensor<384x2xf8E8M0FNU> {te.output = "scales"})
  attributes {te.entry = "vjp"} {
  %x_row_amax = te.amax %x : tensor<64x256xbf16> -> tensor<64x8xf32>
  %x_row_scale, %x_row_inv = te.compute_scale %x_row_amax of tensor<64x8xf32> {format = f8E4M3FN} -> tensor<64x8xf8E8M0FNU>
  %x_row = te.quantize %x, %x_row_scale of tensor<64x8xf32> : tensor<64x256xbf16> -> rowwise tensor<64x256xf8E4M3FN>
  %x_col_amax = te.amax %x {transposed} : tensor<64x256xbf16> -> tensor<256x2xf32>
  %x_col_scale, %x_col_inv = te.compute_scale %x_col_amax of tensor<256x2xf32> {format = f8E4M3FN} -> tensor<256x2xf8E8M0FNU>
  %x_col = te.quantize %x, %x_col_scale of tensor<256x2xf32> : tensor<64x256xbf16> -> columnwise tensor<256x64xf8E4M3FN>
  %w_row_amax = te.amax %w : tensor<384x256xf32> -> tensor<384x8xf32>
  %w_row_scale, %w_row_inv = te.compute_scale %w_row_amax of tensor<384x8xf32> {format = f8E4M3FN} -> tensor<384x8xf8E8M0FNU>
  %w_row = te.quantize %w, %w_row_scale of tensor<384x8xf32> : tensor<384x256xf32> -> rowwise tensor<384x256xf8E4M3FN>
  %y = te.scaled_matmul %x_row, %w_row scales(%x_row_inv of tensor<64x8xf8E8M0FNU>, %w_row_inv of tensor<384x8xf8E8M0FNU>) {layer = "fc"} : tensor<64x256xf8E4M3FN>, tensor<384x256xf8E4M3FN> -> tensor<64x384xbf16>
  %o_col_amax = te.amax %o {transposed} : tensor<64x384xbf16> -> tensor<384x2xf32>
  %o_col_scale, %o_col_inv = te.compute_scale %o_col_amax of tensor<384x2xf32> {format = f8E4M3FN} -> tensor<384x2xf8E8M0FNU>
  %dy_col_amax = te.amax %dy {transposed} : tensor<64x384xbf16> -> tensor<384x2xf32>
  %dy_col_scale, %dy_col_inv = te.compute_scale %dy_col_amax of tensor<384x2xf32> {format = f8E4M3FN} -> tensor<384x2xf8E8M0FNU>
  %dy_col = te.quantize %dy, %dy_col_scale of tensor<384x2xf32> : tensor<64x384xbf16> -> columnwise tensor<384x64xf8E4M3FN>
  %dw = te.scaled_matmul %dy_col, %x_col scales(%dy_col_inv of tensor<384x2xf8E8M0FNU>, %x_col_inv of tensor<256x2xf8E8M0FNU>) {layer = "fc", role = #te.role<wgrad>} : tensor<384x64xf8E4M3FN>, tensor<256x64xf8E4M3FN> -> tensor<384x256xf32>
  return %y, %dw, %o_col_inv : tensor<64x384xbf16>, tensor<384x256xf32>, tensor<384x2xf8E8M0FNU>
}
}
