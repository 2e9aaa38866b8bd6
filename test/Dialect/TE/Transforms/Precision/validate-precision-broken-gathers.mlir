// Broken programs whose ranks gather FP8 copies.
// Each program is the one below with one mistake, which sed makes.

// RUN: te-opt %s --te-validate-precision -o /dev/null

// DEFINE: %{refused} = not te-opt --te-validate-precision 2>&1 | FileCheck %s --check-prefix

// A rank's own scale, where gathered copies have one.
// RUN: sed -e 's/te.compute_scale %%amax/te.compute_scale %%own/' %s | %{refused} OWN-SCALE
// OWN-SCALE: error: quantizes with a scale of the rank's own, but the ranks along axes [0] of the grid gather their copies, which have one scale; expects the maximum of their amaxes (te.reduce_scalars)

// The reciprocal of another scale than that of the gathered copies.
// RUN: sed -e 's/^  %%y = /  %%s2, %%other = te.compute_scale %%own {format = f8E4M3FN}\n&/' -e 's/scales(%%inv, /scales(%%other, /' %s | %{refused} OWN-INV
// OWN-INV: error: expects readers of its copies to have the reciprocal of its scale

// Copies with several scales in one tensor.
// RUN: sed -e 's/^  %%w_amax = /  %%top = tensor.extract_slice %%all[0, 0] [16, 32] [1, 1] : tensor<32x32xf8E4M3FN> to tensor<16x32xf8E4M3FN>\n  %%s2, %%i2 = te.compute_scale %%own {format = f8E4M3FN}\n  %%mine = te.quantize %%x, %%s2 : tensor<16x32xbf16> -> rowwise tensor<16x32xf8E4M3FN>\n  %%mixed = tensor.concat dim(0) %%top, %%mine : (tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN>) -> tensor<32x32xf8E4M3FN>\n&/' -e 's/te.scaled_matmul %%all,/te.scaled_matmul %%mixed,/' %s | %{refused} MIXED
// MIXED: error: expects operand a to come from a quantization or to be an FP8 weight, but it comes from 'tensor.concat'

// Rows of ranks put beside each other.
// RUN: sed -e 's/^  %%w_amax = /  %%beside = shard.all_gather %%part on @mesh grid_axes = [0] gather_axis = 1 : tensor<16x32xf8E4M3FN> -> tensor<16x64xf8E4M3FN>\n  %%sq = tensor.expand_shape %%beside [[0, 1], [2]] output_shape [1, 16, 64] : tensor<16x64xf8E4M3FN> into tensor<1x16x64xf8E4M3FN>\n  %%flat = tensor.collapse_shape %%sq [[0], [1, 2]] : tensor<1x16x64xf8E4M3FN> into tensor<1x1024xf8E4M3FN>\n  %%wide = tensor.expand_shape %%flat [[0], [1, 2]] output_shape [1, 32, 32] : tensor<1x1024xf8E4M3FN> into tensor<1x32x32xf8E4M3FN>\n  %%re = tensor.collapse_shape %%wide [[0, 1], [2]] : tensor<1x32x32xf8E4M3FN> into tensor<32x32xf8E4M3FN>\n&/' -e 's/te.scaled_matmul %%all,/te.scaled_matmul %%re,/' %s | %{refused} COLUMNS
// COLUMNS: error: expects operand a to come from a quantization or to be an FP8 weight, but it comes from 'tensor.collapse_shape'

// A copy gathered in bf16, whose scale is that of a part.
// RUN: sed -e 's/^  %%w_amax = /  %%wholex = shard.all_gather %%x on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x32xbf16> -> tensor<32x32xbf16>\n  %%again = te.quantize %%wholex, %%scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>\n&/' -e 's/te.scaled_matmul %%all,/te.scaled_matmul %%again,/' %s | %{refused} BF16-GATHER
// BF16-GATHER: error: expects its scale to come from the amax of the tensor that it quantizes

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @vjp(%whole: tensor<32x32xbf16> {te.input = "x"}, %dy: tensor<32x32xbf16> {te.input = "cotangent.y"}, %w: tensor<32x32xf32> {te.param = "fc.weight"})
  -> (tensor<32x32xbf16> {te.output = "y"}, tensor<32x32xf32> {te.output = "grad.fc.weight"}) attributes {te.entry = "vjp"} {
  %x = shard.all_slice %whole on @mesh grid_axes = [0] slice_axis = 0 : tensor<32x32xbf16> -> tensor<16x32xbf16>
  %own = te.amax %x : tensor<16x32xbf16>
  %max = te.reduce_scalars maxima(%own) on @mesh axes = [0] -> max tensor<1xf32>
  %amax = tensor.extract_slice %max[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %scale, %inv = te.compute_scale %amax {format = f8E4M3FN}
  %part = te.quantize %x, %scale : tensor<16x32xbf16> -> rowwise tensor<16x32xf8E4M3FN>
  %all = shard.all_gather %part on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
  %w_amax = te.amax %w : tensor<32x32xf32>
  %w_scale, %w_inv = te.compute_scale %w_amax {format = f8E4M3FN}
  %w_row = te.quantize %w, %w_scale : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN>
  %y = te.scaled_matmul %all, %w_row scales(%inv, %w_inv) {layer = "fc"} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %init = tensor.empty() : tensor<32x32xf8E4M3FN>
  %all_col = linalg.transpose ins(%all : tensor<32x32xf8E4M3FN>) outs(%init : tensor<32x32xf8E4M3FN>) permutation = [1, 0]
  %dy_amax = te.amax %dy : tensor<32x32xbf16>
  %dy_scale, %dy_inv = te.compute_scale %dy_amax {format = f8E5M2}
  %dy_col = te.quantize %dy, %dy_scale : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E5M2>
  %dw = te.scaled_matmul %dy_col, %all_col scales(%dy_inv, %inv) {layer = "fc", role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  return %y, %dw : tensor<32x32xbf16>, tensor<32x32xf32>
}
}
