// Broken readers of FP8 copies in a training step with delayed scaling.
// Each program is the one below with one mistake, which sed makes.

// RUN: te-opt %s --te-validate-precision --allow-unregistered-dialect -o /dev/null

// DEFINE: %{refused} = not te-opt --te-validate-precision --allow-unregistered-dialect 2>&1 | FileCheck %s --check-prefix

// Scales.

// The scale_inv of another tensor.
// RUN: sed -e 's/scales(%%x_inv, %%w1_inv)/scales(%%u_inv, %%w1_inv)/' %s | %{refused} OTHER-SLOT
// OTHER-SLOT: error: expects the scale_inv of operand a to be that of slot 0 'fc1.input' as this step began, but it is that of slot 2 'fc2.input'

// The reciprocals of both operands, exchanged.
// RUN: sed -e 's/scales(%%dy_inv, %%u_inv)/scales(%%u_inv, %%dy_inv)/' %s | %{refused} SWAPPED
// SWAPPED: error: expects the scale_inv of operand a to be that of slot 4 'fc2.grad_output' as this step began, but it is that of slot 2 'fc2.input'

// The reciprocal of the next step, as the update comes before the last reader.
// RUN: sed -e 's/^  .. After the update.$/  %%next_inv = tensor.extract_slice %%new_invs[0] [1] [1] : tensor<6xf32> to tensor<f32>/' -e 's/scales(%%du_inv, %%x_inv)/scales(%%du_inv, %%next_inv)/' %s | %{refused} NEXT-INV
// NEXT-INV: error: expects the scale_inv of operand b to be that of slot 0 'fc1.input' as this step began, but it is that of the next step

// A copy that is made again behind the update, with the scale of the next step.
// RUN: sed -e 's/^  .. After the update.$/  %%next_scale = tensor.extract_slice %%new_scales[0] [1] [1] : tensor<6xf32> to tensor<f32>\n  %%next_inv = tensor.extract_slice %%new_invs[0] [1] [1] : tensor<6xf32> to tensor<f32>\n  %%again = te.quantize %%x, %%next_scale : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E4M3FN>/' -e 's/%%du_col, %%x_col scales(%%du_inv, %%x_inv)/%%du_col, %%again scales(%%du_inv, %%next_inv)/' %s | %{refused} NEXT-SCALE
// NEXT-SCALE: error: reads operand b quantized with a scale of the next step; expects the scale that this step began with

// The scale in the place of its reciprocal.
// RUN: sed -e 's/scales(%%dy_inv, %%w2_inv)/scales(%%dy_scale, %%w2_inv)/' %s | %{refused} NOT-INVERSE
// NOT-INVERSE: error: expects the scale_inv of operand a to be that of slot 4 'fc2.grad_output' as this step began, but it is the scale of slot 4 'fc2.grad_output'

// A tensor quantized with the reciprocal.
// RUN: sed -e 's/te.quantize %%u, %%u_scale/te.quantize %%u, %%u_inv/' %s | %{refused} BY-INVERSE
// BY-INVERSE: error: quantizes with a reciprocal (scale_inv); expects the scale of slot 2 'fc2.input'

// Reciprocals of rows, where the copy has one scale.
// RUN: sed -e 's/^  .. Products.$/  %%a = te.amax %%x : tensor<32x32xbf16> -> tensor<32x1xf32>\n  %%s, %%si = te.compute_scale %%a of tensor<32x1xf32> {format = f8E4M3FN}/' -e 's/scales(%%x_inv, %%w1_inv)/scales(%%si of tensor<32x1xf32>, %%w1_inv)/' %s | %{refused} ROW-INV
// ROW-INV: error: expects the scale_inv of operand a to be that of slot 0 'fc1.input' as this step began, but it is computed from an amax, as those of first copies are

// A tensor quantized with scales of its rows, where the recipe has one scale a tensor.
// RUN: sed -e 's/^  %%du_col, /  %%a = te.amax %%du {transposed} : tensor<32x32xbf16> -> tensor<32x1xf32>\n  %%s, %%si = te.compute_scale %%a of tensor<32x1xf32> {format = f8E5M2}\n&/' -e 's/te.quantize %%du, %%du_scale/te.quantize %%du, %%s of tensor<32x1xf32>/' %s | %{refused} ROW-SCALE
// ROW-SCALE: error: quantizes with scales of type 'tensor<32x1xf32>'; delayed_scaling expects one scale, an element of fp8.scales

// Formats.

// E5M2 read as E4M3.
// RUN: sed -e 's/^  %%dw2 =/  %%cast = arith.bitcast %%dy_col : tensor<32x32xf8E5M2> to tensor<32x32xf8E4M3FN>\n&/' -e 's/te.scaled_matmul %%dy_col, %%u_col\(.*\)f8E5M2/te.scaled_matmul %%cast, %%u_col\1f8E4M3FN/' %s | %{refused} E5M2-AS-E4M3
// E5M2-AS-E4M3: error: reads the 'f8E5M2' values of slot 4 'fc2.grad_output' without their scale_inv, so that it takes scaled numbers for the tensor's; expects it to read what te.dequantize makes of them
// E5M2-AS-E4M3: error: expects operand a to come from a quantization or to be an FP8 weight, but it comes from 'arith.bitcast'

// E4M3 read as E5M2.
// RUN: sed -e 's/^  %%du =/  %%cast = arith.bitcast %%w2_col : tensor<32x32xf8E4M3FN> to tensor<32x32xf8E5M2>\n&/' -e 's/te.scaled_matmul %%dy_row, %%w2_col\(.*\)f8E5M2\(.*\)f8E4M3FN/te.scaled_matmul %%u_row, %%cast\1f8E4M3FN\2f8E5M2/' %s | %{refused} E4M3-AS-E5M2
// E4M3-AS-E5M2: error: reads the 'f8E4M3FN' values of the state 'fp8.weight.fc2.weight.columnwise' without their scale_inv

// Inputs in the format of gradients, which a product of two gradients would need.
// RUN: sed -e 's/slot_formats = \[f8E4M3FN/slot_formats = [f8E5M2/' %s | %{refused} INPUT-FORMAT
// INPUT-FORMAT: error: gives slot 0 'fc1.input' the format 'f8E5M2', but delayed_scaling makes input 'f8E4M3FN'

// A product of two E5M2 copies.
// RUN: sed -e 's/te.scaled_matmul %%dy_col, %%u_col\(.*\)f8E4M3FN/te.scaled_matmul %%dy_col, %%dy_row\1f8E5M2/' %s | %{refused} TWO-E5M2
// TWO-E5M2: error: 'te.scaled_matmul' op has two f8E5M2 operands; FP8 GEMMs take at most one

// Copies.

// The columnwise copy of another tensor than the rowwise one.
// RUN: sed -e 's/%%du_col, %%x_col scales(%%du_inv, %%x_inv)/%%du_col, %%u_col scales(%%du_inv, %%u_inv)/' %s | %{refused} OTHER-TENSOR
// OTHER-TENSOR: error: reads slot 2 'fc2.input' as the input of the layer 'fc1', of which fprop reads slot 0 'fc1.input'; expects copies of one tensor

// The gradient of another layer.
// RUN: sed -e 's/%%du_col, %%x_col scales(%%du_inv, %%x_inv) {layer = "fc1"/%%du_col, %%u_col scales(%%du_inv, %%u_inv) {layer = "fc2"/' %s | %{refused} OTHER-GRADIENT
// OTHER-GRADIENT: error: reads slot 5 'fc1.grad_output' as the grad_output of the layer 'fc2', of which dgrad reads slot 4 'fc2.grad_output'; expects copies of one tensor

// The weight of another layer.
// RUN: sed -e 's/%%u_row, %%w2_row scales(%%u_inv, %%w2_inv)/%%u_row, %%w1_row scales(%%u_inv, %%w1_inv)/' %s | %{refused} OTHER-WEIGHT
// OTHER-WEIGHT: error: reads slot 3 'fc2.weight' as the weight of the layer 'fc2', of which fprop reads slot 1 'fc1.weight'; expects copies of one tensor

// The columnwise copy quantized anew, from other bytes.
// RUN: sed -e 's/^  %%dw2 =/  %%v = arith.addf %%u, %%u : tensor<32x32xbf16>\n  %%v_col = te.quantize %%v, %%u_scale : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E4M3FN>\n&/' -e 's/%%dy_col, %%u_col scales/%%dy_col, %%v_col scales/' %s | %{refused} SECOND
// SECOND: error: quantizes a second tensor in slot 2 'fc2.input'; a slot has one tensor, and its amax
// SECOND: note: the first is here

// The columnwise copy with another scale than the rowwise one.
// RUN: sed -e 's/^  %%dw2 =/  %%v_col = te.quantize %%u, %%x_scale : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E4M3FN>\n&/' -e 's/%%dy_col, %%u_col scales(%%dy_inv, %%u_inv)/%%dy_col, %%v_col scales(%%dy_inv, %%x_inv)/' %s | %{refused} OTHER-SCALE
// OTHER-SCALE: error: reads slot 0 'fc1.input' as the input of the layer 'fc2', of which fprop reads slot 2 'fc2.input'; expects copies of one tensor
// OTHER-SCALE: error: quantizes a second tensor in slot 0 'fc1.input'

// A gradient quantized in a slot of the forward pass.
// RUN: sed -e 's/te.quantize %%du, %%du_scale\(.*\)f8E5M2/te.quantize %%du, %%u_scale\1f8E4M3FN/' -e 's/%%du_col, %%x_col scales(%%du_inv\(.*\)f8E5M2/%%du_col, %%x_col scales(%%u_inv\1f8E4M3FN/' %s | %{refused} FORWARD-SLOT
// FORWARD-SLOT: error: quantizes a second tensor in slot 2 'fc2.input'
// FORWARD-SLOT: error: reads input and input; wgrad expects grad_output and input

// The rowwise copy, where a product sums over rows.
// RUN: sed -e 's/%%dy_col, %%u_col scales/%%dy_col, %%u_row scales/' %s | %{refused} ROWWISE
// ROWWISE: error: reads the rowwise copy of slot 2 'fc2.input' as operand b; wgrad expects the columnwise one

// A tensor that was FP8 already, quantized again.
// RUN: sed -e 's/^  %%y =/  %%back = te.dequantize %%x_row, %%x_inv : tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>\n&/' -e 's/te.quantize %%dy, %%dy_scale/te.quantize %%back, %%dy_scale/' %s | %{refused} TWICE
// TWICE: error: quantizes what te.dequantize made of the 'f8E4M3FN' values of slot 0 'fc1.input': the tensor is rounded to FP8 twice; expects it to quantize the tensor itself, or its readers to read that copy
// TWICE: note: it is dequantized here

// FP8 values in an op that does not know their scale.
// RUN: sed -e 's/^  %%y =/  %%sum = "other.norm"(%%u_row) : (tensor<32x32xf8E4M3FN>) -> tensor<32x32xbf16>\n&/' -e 's/te.quantize %%dy, %%dy_scale/te.quantize %%sum, %%dy_scale/' %s | %{refused} NOT-DEQUANTIZED
// NOT-DEQUANTIZED: error: reads the 'f8E4M3FN' values of slot 2 'fc2.input' without their scale_inv, so that it takes scaled numbers for the tensor's; expects it to read what te.dequantize makes of them

// FP8 values that a cast made without a scale.
// RUN: sed -e 's/^  %%dw2 =/  %%cast = arith.truncf %%u : tensor<32x32xbf16> to tensor<32x32xf8E4M3FN>\n&/' -e 's/%%dy_col, %%u_col scales/%%dy_col, %%cast scales/' %s | %{refused} CAST
// CAST: error: makes 'f8E4M3FN' values without a scale; expects FP8 values to be the copies of a quantization (te.quantize)

// A copy that leaves the step without its scale.
// RUN: sed -e 's/-> ($/-> (tensor<32x32xf8E4M3FN> {te.output = "u"},/' -e 's/^  return /&%%u_row, /' -e 's/^    : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, /    : tensor<32x32xf8E4M3FN>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, /' %s | %{refused} RETURNED
// RETURNED: error: returns the 'f8E4M3FN' values of slot 2 'fc2.input' as result 0 without their scale_inv; only copies of weights leave an entry (te.kind = "fp8_weight"), so expects te.dequantize before it

module attributes {te.recipe = #te.delayed_scaling<history = 4>,
    te.slots = ["fc1.input", "fc1.weight", "fc2.input", "fc2.weight", "fc2.grad_output", "fc1.grad_output"],
    te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E5M2, f8E5M2]} {
func.func @train(%x: tensor<32x32xbf16> {te.input = "x"}, %t: tensor<32x32xbf16> {te.input = "target"}, %lr: tensor<f32> {te.scalar = "learning_rate"},
    %w1: tensor<32x32xf32> {te.param = "fc1.weight"}, %w2: tensor<32x32xf32> {te.param = "fc2.weight"},
    %m1: tensor<32x32xf32> {te.state = "sgd.momentum.fc1.weight", te.kind = "optimizer"},
    %m2: tensor<32x32xf32> {te.state = "sgd.momentum.fc2.weight", te.kind = "optimizer"},
    %step: tensor<i64> {te.state = "step", te.kind = "counter"},
    %scales: tensor<6xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<6xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x6xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<6xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
    %w1_row: tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc1.weight.rowwise", te.kind = "fp8_weight"},
    %w2_row: tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.rowwise", te.kind = "fp8_weight"},
    %w2_col: tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.columnwise", te.kind = "fp8_weight"},
    %w1_amax: tensor<f32> {te.state = "fp8.weight_amax.fc1.weight", te.kind = "fp8_weight_amax"},
    %w2_amax: tensor<f32> {te.state = "fp8.weight_amax.fc2.weight", te.kind = "fp8_weight_amax"})
  -> (
      tensor<32x32xf32> {te.param = "fc1.weight"}, tensor<32x32xf32> {te.param = "fc2.weight"},
      tensor<32x32xf32> {te.state = "sgd.momentum.fc1.weight"}, tensor<32x32xf32> {te.state = "sgd.momentum.fc2.weight"},
      tensor<i64> {te.state = "step"},
      tensor<6xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<6xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x6xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<6xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
      tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc1.weight.rowwise", te.kind = "fp8_weight"},
      tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.rowwise", te.kind = "fp8_weight"},
      tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.columnwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc1.weight", te.kind = "fp8_weight_amax"},
      tensor<f32> {te.state = "fp8.weight_amax.fc2.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "train"} {
  // Scales and reciprocals.
  %x_scale = tensor.extract_slice %scales[0] [1] [1] : tensor<6xf32> to tensor<f32>
  %u_scale = tensor.extract_slice %scales[2] [1] [1] : tensor<6xf32> to tensor<f32>
  %dy_scale = tensor.extract_slice %scales[4] [1] [1] : tensor<6xf32> to tensor<f32>
  %du_scale = tensor.extract_slice %scales[5] [1] [1] : tensor<6xf32> to tensor<f32>
  %x_inv = tensor.extract_slice %invs[0] [1] [1] : tensor<6xf32> to tensor<f32>
  %w1_inv = tensor.extract_slice %invs[1] [1] [1] : tensor<6xf32> to tensor<f32>
  %u_inv = tensor.extract_slice %invs[2] [1] [1] : tensor<6xf32> to tensor<f32>
  %w2_inv = tensor.extract_slice %invs[3] [1] [1] : tensor<6xf32> to tensor<f32>
  %dy_inv = tensor.extract_slice %invs[4] [1] [1] : tensor<6xf32> to tensor<f32>
  %du_inv = tensor.extract_slice %invs[5] [1] [1] : tensor<6xf32> to tensor<f32>
  // Products.
  %x_row, %x_col, %x_amax = te.quantize %x, %x_scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN> amax tensor<f32>
  %u = te.scaled_matmul %x_row, %w1_row scales(%x_inv, %w1_inv) {layer = "fc1"} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %u_row, %u_col, %u_amax = te.quantize %u, %u_scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN> amax tensor<f32>
  %y = te.scaled_matmul %u_row, %w2_row scales(%u_inv, %w2_inv) {layer = "fc2"} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %dy = arith.subf %y, %t : tensor<32x32xbf16>
  %dy_row, %dy_col, %dy_amax = te.quantize %dy, %dy_scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E5M2> columnwise tensor<32x32xf8E5M2> amax tensor<f32>
  %du = te.scaled_matmul %dy_row, %w2_col scales(%dy_inv, %w2_inv) {layer = "fc2", role = #te.role<dgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %dw2 = te.scaled_matmul %dy_col, %u_col scales(%dy_inv, %u_inv) {layer = "fc2", role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %du_col, %du_amax = te.quantize %du, %du_scale : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E5M2> amax tensor<f32>
  %new_scales, %new_invs, %new_history, %new_nonfinite = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%x_amax, %w1_amax, %u_amax, %w2_amax, %dy_amax, %du_amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E5M2, f8E5M2]} : tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>, tensor<6xi64>
  // After the update.
  %dw1 = te.scaled_matmul %du_col, %x_col scales(%du_inv, %x_inv) {layer = "fc1", role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %norm = te.global_norm %dw1, %dw2 : tensor<32x32xf32>, tensor<32x32xf32>
  %clip = te.clip_coefficient %norm, %lr amaxes(%x_amax, %w1_amax, %u_amax, %w2_amax, %dy_amax, %du_amax)
  %next = te.advance_step %step if_finite %clip
  %new_w1, %new_m1 = te.update #te.sgd %w1 states(%m1) gradient(%dw1) coefficient(%clip) scalars(%lr, %lr, %lr, %lr) step(%next) : tensor<32x32xf32>, tensor<32x32xf32>
  %new_w2, %new_m2 = te.update #te.sgd %w2 states(%m2) gradient(%dw2) coefficient(%clip) scalars(%lr, %lr, %lr, %lr) step(%next) : tensor<32x32xf32>, tensor<32x32xf32>
  %w1_scale = tensor.extract_slice %new_scales[1] [1] [1] : tensor<6xf32> to tensor<f32>
  %w2_scale = tensor.extract_slice %new_scales[3] [1] [1] : tensor<6xf32> to tensor<f32>
  %new_w1_row, %new_w1_amax = te.quantize %new_w1, %w1_scale : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN> amax tensor<f32>
  %new_w2_row, %new_w2_col, %new_w2_amax = te.quantize %new_w2, %w2_scale : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN> amax tensor<f32>
  return %new_w1, %new_w2, %new_m1, %new_m2, %next, %new_scales, %new_invs, %new_history, %new_nonfinite, %new_w1_row, %new_w2_row, %new_w2_col, %new_w1_amax, %new_w2_amax
    : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>, tensor<i64>, tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>, tensor<6xi64>, tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<f32>, tensor<f32>
}
}
