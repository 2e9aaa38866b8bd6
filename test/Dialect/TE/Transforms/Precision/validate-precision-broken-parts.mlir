// A layer that is computed some rows after the other, whose gradient is quantized
// in parts: valid as it is, and with one mistake, which sed makes.

// RUN: te-opt %s --te-validate-precision -o /dev/null

// DEFINE: %{refused} = not te-opt --te-validate-precision 2>&1 | FileCheck %s --check-prefix

// Amaxes.

// The amax of one part in place of the largest.
// RUN: sed -e '/te.update_scales/s/%%dy_amax/%%amax1/' %s | %{refused} FIRST
// FIRST: error: expects amax 2 to be the maximum of those of the 2 parts quantized in slot 2 'head.grad_output'

// One part that does not count, and the other twice.
// RUN: sed -e 's/expand_shape %%amax1/expand_shape %%amax0/' %s | %{refused} TWICE
// TWICE: error: expects amax 2 to be the maximum of those of the 2 parts quantized in slot 2 'head.grad_output'
// TWICE: error: does not read the amax of slot 2 'head.grad_output', whose cast hides infinities

// A number more.
// RUN: sed -e 's/concat dim(0) %%vector0, %%vector1 : (tensor<1xf32>, /concat dim(0) %%vector0, %%vector1, %%vectorx : (tensor<1xf32>, tensor<1xf32>, /' -e 's/tensor<2xf32>$/tensor<3xf32>/' %s | %{refused} MORE
// MORE: error: expects amax 2 to be the maximum of those of the 2 parts quantized in slot 2 'head.grad_output'

// The last in place of the largest.
// RUN: sed -e 's/= te.amax %%vector : tensor<2xf32>/= tensor.extract_slice %%vector[1] [1] [1] : tensor<2xf32> to tensor<f32>/' %s | %{refused} LAST
// LAST: error: expects amax 2 to be the maximum of those of the 2 parts quantized in slot 2 'head.grad_output'

// A part that computes none.
// RUN: sed -e 's/%%col1, %%amax1 = \(.*\) amax tensor<f32>/%%col1 = \1/' -e 's/expand_shape %%amax1/expand_shape %%amax0/' %s | %{refused} NONE
// NONE: error: expects amax 2 to be the maximum of those of the 2 parts quantized in slot 2 'head.grad_output'

// Parts.

// A part quantized with the scale of another tensor.
// RUN: sed -e 's/te.quantize %%dy1, %%dy_scale/te.quantize %%dy1, %%x_scale/' %s | %{refused} OTHER-SCALE
// OTHER-SCALE: error: quantizes a second tensor in slot 0 'head.input'; a slot has one tensor, and its amax

// The gradient of one part in the place of that of the other.
// RUN: sed -e 's/te.quantize %%dy1/te.quantize %%dy0/' %s | %{refused} SAME-PART
// SAME-PART: error: quantizes a second tensor in slot 2 'head.grad_output'; a slot has one tensor, and its amax
// SAME-PART: note: the first is here

// A gradient that is made of both.
// RUN: sed -e 's/arith.subf %%y1, %%t1/arith.subf %%y1, %%y0/' %s | %{refused} BOTH
// BOTH: error: quantizes a second tensor in slot 2 'head.grad_output'

// A gradient of something else.
// RUN: sed -e 's/arith.subf %%y1, %%t1/arith.subf %%t0, %%t1/' %s | %{refused} OTHER
// OTHER: error: quantizes a second tensor in slot 2 'head.grad_output'

// The input of other rows than the gradient.
// RUN: sed -e 's/%%col1, %%x_col1 scales/%%col1, %%x_col0 scales/' %s | %{refused} OTHER-ROWS
// OTHER-ROWS: error: reads the gradient of rows 32 to 64 of the layer 'head' and rows 0 to 32 of its input; expects the same rows
// OTHER-ROWS: note: the rows are computed here

// A part's gradient that reaches the weight's twice, and another that does not.
// RUN: sed -e 's/%%col1, %%x_col1 scales/%%col0, %%x_col0 scales/' %s | %{refused} UNREAD
// UNREAD: error: quantizes the gradient of rows 0 to 32, which is not read once by each product that reads those of the other rows

// A part's gradient that does not reach the input's.
// RUN: sed -e 's/te.scaled_matmul %%row1, /te.scaled_matmul %%row0, /' %s | %{refused} NOT-BACK
// NOT-BACK: error: quantizes the gradient of rows 0 to 32, which is not read once by each product that reads those of the other rows

// Forward products.

// Rows that are computed twice.
// RUN: sed -e 's/%%x_row\[32, 0\]/%%x_row[16, 0]/' %s | %{refused} OVERLAP
// OVERLAP: error: computes rows 16 to 48 of the layer 'head', whose products before it end at row 32; expects every row once, in order

// Rows that are left out.
// RUN: sed -e '/te.input = "x"/s/%%x: tensor<64x32/%%x: tensor<80x32/' -e '/te.quantize %%x,/{s/64x32/80x32/g;s/32x64/32x80/}' -e '/extract_slice %%x_/{s/64x32/80x32/;s/32x64/32x80/}' %s | %{refused} LEFT-OUT
// LEFT-OUT: error: is the last forward product of the layer 'head', and ends at row 64 of 80; expects every row once, in order

// Another weight for some of the rows.
// RUN: sed -e 's/%%x_row1, %%w_row scales/%%x_row1, %%other_row scales/' %s | %{refused} OTHER-WEIGHT
// OTHER-WEIGHT: error: is a second forward product of the layer 'head'; expects a name of its own
// OTHER-WEIGHT: note: the first is here

// All rows beside some.
// RUN: sed -e 's/^  %%y1 = .*/  %%all = te.scaled_matmul %%x_row, %%w_row scales(%%x_inv, %%w_inv) {layer = "head"} : tensor<64x32xf8E4M3FN>, tensor<48x32xf8E4M3FN> -> tensor<64x48xbf16>\n  %%y1 = tensor.extract_slice %%all[32, 0] [32, 48] [1, 1] : tensor<64x48xbf16> to tensor<32x48xbf16>/' %s | %{refused} ALL
// ALL: error: is a second forward product of the layer 'head'; expects a name of its own

module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["head.input", "head.weight", "head.grad_output"],
    te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%x: tensor<64x32xbf16> {te.input = "x"}, %t: tensor<64x48xbf16> {te.input = "target"}, %lr: tensor<f32> {te.scalar = "max_grad_norm"},
    %w: tensor<48x32xf32> {te.param = "head.weight"},
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x3xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<3xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<64x32xbf16> {te.output = "dx"}, tensor<48x32xf32> {te.output = "dw"}, tensor<f32> {te.output = "clip"},
      tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x3xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<3xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) attributes {te.entry = "grad"} {
  %x_scale = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %w_scale = tensor.extract_slice %scales[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %dy_scale = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %x_inv = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %w_inv = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %dy_inv = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %x_row, %x_col, %x_amax = te.quantize %x, %x_scale : tensor<64x32xbf16> -> rowwise tensor<64x32xf8E4M3FN> columnwise tensor<32x64xf8E4M3FN> amax tensor<f32>
  %w_row, %w_col, %w_amax = te.quantize %w, %w_scale : tensor<48x32xf32> -> rowwise tensor<48x32xf8E4M3FN> columnwise tensor<32x48xf8E4M3FN> amax tensor<f32>
  %other_row = tensor.concat dim(0) %w_row : (tensor<48x32xf8E4M3FN>) -> tensor<48x32xf8E4M3FN>
  %t0 = tensor.extract_slice %t[0, 0] [32, 48] [1, 1] : tensor<64x48xbf16> to tensor<32x48xbf16>
  %t1 = tensor.extract_slice %t[32, 0] [32, 48] [1, 1] : tensor<64x48xbf16> to tensor<32x48xbf16>
  %x_row0 = tensor.extract_slice %x_row[0, 0] [32, 32] [1, 1] : tensor<64x32xf8E4M3FN> to tensor<32x32xf8E4M3FN>
  %x_row1 = tensor.extract_slice %x_row[32, 0] [32, 32] [1, 1] : tensor<64x32xf8E4M3FN> to tensor<32x32xf8E4M3FN>
  %x_col0 = tensor.extract_slice %x_col[0, 0] [32, 32] [1, 1] : tensor<32x64xf8E4M3FN> to tensor<32x32xf8E4M3FN>
  %x_col1 = tensor.extract_slice %x_col[0, 32] [32, 32] [1, 1] : tensor<32x64xf8E4M3FN> to tensor<32x32xf8E4M3FN>
  %y0 = te.scaled_matmul %x_row0, %w_row scales(%x_inv, %w_inv) {layer = "head"} : tensor<32x32xf8E4M3FN>, tensor<48x32xf8E4M3FN> -> tensor<32x48xbf16>
  %dy0 = arith.subf %y0, %t0 : tensor<32x48xbf16>
  %row0, %col0, %amax0 = te.quantize %dy0, %dy_scale : tensor<32x48xbf16> -> rowwise tensor<32x48xf8E5M2> columnwise tensor<48x32xf8E5M2> amax tensor<f32>
  %dx0 = te.scaled_matmul %row0, %w_col scales(%dy_inv, %w_inv) {layer = "head", role = #te.role<dgrad>} : tensor<32x48xf8E5M2>, tensor<32x48xf8E4M3FN> -> tensor<32x32xbf16>
  %dw0 = te.scaled_matmul %col0, %x_col0 scales(%dy_inv, %x_inv) {layer = "head", role = #te.role<wgrad>} : tensor<48x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<48x32xf32>
  %y1 = te.scaled_matmul %x_row1, %w_row scales(%x_inv, %w_inv) {layer = "head"} : tensor<32x32xf8E4M3FN>, tensor<48x32xf8E4M3FN> -> tensor<32x48xbf16>
  %dy1 = arith.subf %y1, %t1 : tensor<32x48xbf16>
  %row1, %col1, %amax1 = te.quantize %dy1, %dy_scale : tensor<32x48xbf16> -> rowwise tensor<32x48xf8E5M2> columnwise tensor<48x32xf8E5M2> amax tensor<f32>
  %dx1 = te.scaled_matmul %row1, %w_col scales(%dy_inv, %w_inv) {layer = "head", role = #te.role<dgrad>} : tensor<32x48xf8E5M2>, tensor<32x48xf8E4M3FN> -> tensor<32x32xbf16>
  %dw1 = te.scaled_matmul %col1, %x_col1 scales(%dy_inv, %x_inv) addend(%dw0 : tensor<48x32xf32>) {layer = "head", role = #te.role<wgrad>} : tensor<48x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<48x32xf32>
  %dx = tensor.concat dim(0) %dx0, %dx1 : (tensor<32x32xbf16>, tensor<32x32xbf16>) -> tensor<64x32xbf16>
  %vectorx = tensor.expand_shape %x_amax [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %vector0 = tensor.expand_shape %amax0 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %vector1 = tensor.expand_shape %amax1 [] output_shape [1] : tensor<f32> into tensor<1xf32>
  %vector = tensor.concat dim(0) %vector0, %vector1 : (tensor<1xf32>, tensor<1xf32>) -> tensor<2xf32>
  %dy_amax = te.amax %vector : tensor<2xf32>
  %new_scales, %new_invs, %new_history, %new_nonfinite = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%x_amax, %w_amax, %dy_amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} : tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3xi64>
  %norm = te.global_norm %dw1 : tensor<48x32xf32>
  %clip = te.clip_coefficient %norm, %lr amaxes(%x_amax, %w_amax, %dy_amax)
  return %dx, %dw1, %clip, %new_scales, %new_invs, %new_history, %new_nonfinite
    : tensor<64x32xbf16>, tensor<48x32xf32>, tensor<f32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>, tensor<3xi64>
}
}
