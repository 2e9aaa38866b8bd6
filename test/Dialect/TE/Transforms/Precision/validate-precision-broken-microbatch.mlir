// Broken microbatches, and first copies of weights, with delayed scaling.
// Each program is the one below with one mistake, which sed makes.

// RUN: te-opt %s --te-validate-precision -o /dev/null

// DEFINE: %{refused} = not te-opt --te-validate-precision 2>&1 | FileCheck %s --check-prefix

// A microbatch whose amaxes never reach the update.
// RUN: sed -e '/^  %%new_history = /d' -e '/^  return/s/%%new_history/%%history/' %s | %{refused} NOT-RECORDED
// NOT-RECORDED: error: quantizes tensors of a microbatch, but does not record their amaxes for the update of the step

// An amax recorded for another slot.
// RUN: sed -e '/te.record_amaxes/s/%%dy_amax, %%du_amax/%%du_amax, %%dy_amax/' %s | %{refused} OTHER-RECORD
// OTHER-RECORD: error: expects amax 4 to be that of the tensor quantized in slot 4 'fc2.grad_output'

// An amax that is not recorded.
// RUN: sed -e '/te.record_amaxes/s/%%u_amax/%%zero/' %s | %{refused} ONLY-ZERO
// ONLY-ZERO: error: expects amax 2 to be that of the tensor quantized in slot 2 'fc2.input'

// An amax recorded in a second slot, too.
// RUN: sed -e '/te.record_amaxes/s/%%x_amax, %%zero/%%x_amax, %%x_amax/' %s | %{refused} IN-ANOTHER-SLOT
// IN-ANOTHER-SLOT: error: expects amax 1 to be zero, as nothing here is quantized in slot 1 'fc1.weight'

// Two records.
// RUN: sed -e 's/^  %%new_history = te.record_amaxes %%history\(.*\)/  %%once = te.record_amaxes %%history\1\n  %%new_history = te.record_amaxes %%once\1/' %s | %{refused} RECORDED-TWICE
// RECORDED-TWICE: error: records amaxes a second time; a microbatch has one record

// A record that is not returned.
// RUN: sed -e '/^  return/s/%%new_history/%%history/' %s | %{refused} DROPPED-RECORD
// DROPPED-RECORD: error: records amaxes, but the function does not return them as 'fp8.amax_history'

// Scales that are updated between two microbatches.
// RUN: sed -e 's/^    %%history: tensor<4x6xf32> {\(.*\)},/&\n    %%nonfinite: tensor<6xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},/' -e 's/^  %%new_history = te.record_amaxes %%history\(.*\) : .*/  %%new_scales, %%new_invs, %%new_history, %%new_nonfinite = te.update_scales %%scales, %%invs, %%history, %%nonfinite\1 {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E5M2, f8E5M2]} : tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>, tensor<6xi64>/' %s | %{refused} UPDATED
// UPDATED: error: updates the scales in a microbatch, so that those behind it quantize with others than the copies of weights; expects a record of the amaxes for the update of the step

// An infinity that a cast hides in a microbatch.
// RUN: sed -e '/te.clip_coefficient/s/%%dy_amax, //' %s | %{refused} UNWATCHED
// UNWATCHED: error: does not read the amax of slot 4 'fc2.grad_output', whose cast hides infinities; expects it among 'amaxes'

// A copy of a weight that differs from microbatch to microbatch.
// RUN: sed -e '/^ *tensor<4x6xf32> {.*}) attributes/s/) attributes/,\n      tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc1.weight.rowwise", te.kind = "fp8_weight"}) attributes/' -e 's/^  return %%sum1, .*/&, %%u_row/' -e 's/^    : tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>, tensor<4x6xf32>/&, tensor<32x32xf8E4M3FN>/' %s | %{refused} OTHER-COPY
// OTHER-COPY: error: returns the state 'fp8.weight.fc1.weight.rowwise' from a microbatch, so that those behind it read another weight; expects the entry that updates the parameter to write it

// A sum of gradients of what was FP8.
// RUN: sed -e 's/^  %%sum2 = /  %%low = te.dequantize %%dy_row, %%dy_inv : tensor<32x32xf8E5M2> -> tensor<32x32xf32>\n&/' -e 's/te.add %%g2, %%dw2/te.add %%g2, %%low/' %s | %{refused} FP8-SUM
// FP8-SUM: error: makes the sum of gradients 'grad.fc2.weight' of an FP8 copy of slot 4 'fc2.grad_output'; parameters, optimizer states and sums of gradients are computed of values in higher precision

// A product of a weight's gradient that is added in FP8.
// RUN: sed -e 's/^  %%sum2 = .*/  %%g8 = arith.truncf %%g2 : tensor<32x32xf32> to tensor<32x32xf8E5M2>\n  %%low = arith.truncf %%dw2 : tensor<32x32xf32> to tensor<32x32xf8E5M2>\n  %%s8 = arith.addf %%g8, %%low : tensor<32x32xf8E5M2>\n  %%sum2 = arith.extf %%s8 : tensor<32x32xf8E5M2> to tensor<32x32xf32>/' %s | %{refused} FP8-WGRAD
// FP8-WGRAD: error: makes 'f8E5M2' values without a scale; expects FP8 values to be the copies of a quantization (te.quantize)

// The first copies with a scale that the first step does not read.
// RUN: sed -e 's/insert_slice %%s2 into %%scales1\[3\]/insert_slice %%s2 into %%scales1[2]/' %s | %{refused} FIRST-SCALE
// FIRST-SCALE: error: expects the scale_inv of slot 2 'fc2.input' to be returned in its column of fp8.scale_invs

module attributes {te.recipe = #te.delayed_scaling<history = 4>,
    te.slots = ["fc1.input", "fc1.weight", "fc2.input", "fc2.weight", "fc2.grad_output", "fc1.grad_output"],
    te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E5M2, f8E5M2]} {
func.func @accumulate(%x: tensor<32x32xbf16> {te.input = "x"}, %t: tensor<32x32xbf16> {te.input = "target"},
    %g1: tensor<32x32xf32> {te.state = "grad.fc1.weight", te.kind = "gradient"},
    %g2: tensor<32x32xf32> {te.state = "grad.fc2.weight", te.kind = "gradient"},
    %guard: tensor<f32> {te.state = "loss.guard", te.kind = "guard"},
    %scales: tensor<6xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<6xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x6xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %w1_row: tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc1.weight.rowwise", te.kind = "fp8_weight"},
    %w2_row: tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.rowwise", te.kind = "fp8_weight"},
    %w2_col: tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.columnwise", te.kind = "fp8_weight"})
  -> (
      tensor<32x32xf32> {te.state = "grad.fc1.weight", te.kind = "gradient"},
      tensor<32x32xf32> {te.state = "grad.fc2.weight", te.kind = "gradient"},
      tensor<f32> {te.state = "loss.guard", te.kind = "guard"},
      tensor<4x6xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
  %zero = arith.constant dense<0.0> : tensor<f32>
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
  %x_row, %x_col, %x_amax = te.quantize %x, %x_scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN> amax tensor<f32>
  %u = te.scaled_matmul %x_row, %w1_row scales(%x_inv, %w1_inv) {layer = "fc1"} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %u_row, %u_col, %u_amax = te.quantize %u, %u_scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN> amax tensor<f32>
  %y = te.scaled_matmul %u_row, %w2_row scales(%u_inv, %w2_inv) {layer = "fc2"} : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %dy = arith.subf %y, %t : tensor<32x32xbf16>
  %dy_row, %dy_col, %dy_amax = te.quantize %dy, %dy_scale : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E5M2> columnwise tensor<32x32xf8E5M2> amax tensor<f32>
  %du = te.scaled_matmul %dy_row, %w2_col scales(%dy_inv, %w2_inv) {layer = "fc2", role = #te.role<dgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xbf16>
  %dw2 = te.scaled_matmul %dy_col, %u_col scales(%dy_inv, %u_inv) {layer = "fc2", role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %du_col, %du_amax = te.quantize %du, %du_scale : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E5M2> amax tensor<f32>
  %dw1 = te.scaled_matmul %du_col, %x_col scales(%du_inv, %x_inv) {layer = "fc1", role = #te.role<wgrad>} : tensor<32x32xf8E5M2>, tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>
  %sum1 = te.add %g1, %dw1 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %sum2 = te.add %g2, %dw2 : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %new_history = te.record_amaxes %history amaxes(%x_amax, %zero, %u_amax, %zero, %dy_amax, %du_amax) : tensor<4x6xf32>
  %new_guard = te.clip_coefficient %guard, %zero amaxes(%x_amax, %u_amax, %dy_amax, %du_amax)
  return %sum1, %sum2, %new_guard, %new_history
    : tensor<32x32xf32>, tensor<32x32xf32>, tensor<f32>, tensor<4x6xf32>
}
func.func @init(%w1: tensor<32x32xf32> {te.param = "fc1.weight"}, %w2: tensor<32x32xf32> {te.param = "fc2.weight"},
    %scales: tensor<6xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<6xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %w1_row: tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc1.weight.rowwise", te.kind = "fp8_weight"},
    %w2_row: tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.rowwise", te.kind = "fp8_weight"},
    %w2_col: tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.columnwise", te.kind = "fp8_weight"},
    %w1_amax: tensor<f32> {te.state = "fp8.weight_amax.fc1.weight", te.kind = "fp8_weight_amax"},
    %w2_amax: tensor<f32> {te.state = "fp8.weight_amax.fc2.weight", te.kind = "fp8_weight_amax"})
  -> (
      tensor<6xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<6xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc1.weight.rowwise", te.kind = "fp8_weight"},
      tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.rowwise", te.kind = "fp8_weight"},
      tensor<32x32xf8E4M3FN> {te.state = "fp8.weight.fc2.weight.columnwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc1.weight", te.kind = "fp8_weight_amax"},
      tensor<f32> {te.state = "fp8.weight_amax.fc2.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %a1 = te.amax %w1 : tensor<32x32xf32>
  %s1, %i1 = te.compute_scale %a1 {format = f8E4M3FN}
  %row1 = te.quantize %w1, %s1 : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN>
  %a2 = te.amax %w2 : tensor<32x32xf32>
  %s2, %i2 = te.compute_scale %a2 {format = f8E4M3FN}
  %row2, %col2 = te.quantize %w2, %s2 : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN> columnwise tensor<32x32xf8E4M3FN>
  %scales1 = tensor.insert_slice %s1 into %scales[1] [1] [1] : tensor<f32> into tensor<6xf32>
  %scales2 = tensor.insert_slice %s2 into %scales1[3] [1] [1] : tensor<f32> into tensor<6xf32>
  %invs1 = tensor.insert_slice %i1 into %invs[1] [1] [1] : tensor<f32> into tensor<6xf32>
  %invs2 = tensor.insert_slice %i2 into %invs1[3] [1] [1] : tensor<f32> into tensor<6xf32>
  return %scales2, %invs2, %row1, %row2, %col2, %a1, %a2 : tensor<6xf32>, tensor<6xf32>, tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<f32>, tensor<f32>
}
}
