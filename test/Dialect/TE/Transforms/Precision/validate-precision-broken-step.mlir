// Broken amaxes, updates, and copies of weights in a training step with
// delayed scaling.
// Each program is the one below with one mistake, which sed makes.

// RUN: te-opt %s --te-validate-precision -o /dev/null

// DEFINE: %{refused} = not te-opt --te-validate-precision 2>&1 | FileCheck %s --check-prefix

// Amaxes.

// A tensor that saturates, and nobody counts it.
// RUN: sed -e 's/ amaxes(%%x_amax, %%w1_amax, %%u_amax, /&0/;s/%%u_amax, 0/%%x_amax, /;/te.clip/s/%%w1_amax, %%x_amax/%%w1_amax, %%u_amax/' %s | %{refused} NO-AMAX
// NO-AMAX: error: expects amax 2 to be that of the tensor quantized in slot 2 'fc2.input'

// A quantization that does not measure.
// RUN: sed -e 's/%%du_col, %%du_amax = \(.*\) amax tensor<f32>/%%du_col = \1/' -e 's/%%dy_amax, %%du_amax)/%%dy_amax, %%dy_amax)/' %s | %{refused} UNMEASURED
// UNMEASURED: error: expects amax 5 to be that of the tensor quantized in slot 5 'fc1.grad_output', which computes none

// Amaxes in each other's slots.
// RUN: sed -e '/te.update_scales/s/%%dy_amax, %%du_amax/%%du_amax, %%dy_amax/' %s | %{refused} EXCHANGED
// EXCHANGED: error: expects amax 4 to be that of the tensor quantized in slot 4 'fc2.grad_output'
// EXCHANGED: error: expects amax 5 to be that of the tensor quantized in slot 5 'fc1.grad_output'

// The amax of another tensor.
// RUN: sed -e 's/^  %%new_scales, /  %%y_amax = te.amax %%y : tensor<32x32xbf16>\n&/' -e '/te.update_scales/s/%%u_amax/%%y_amax/' %s | %{refused} OTHER-AMAX
// OTHER-AMAX: error: expects amax 2 to be that of the tensor quantized in slot 2 'fc2.input'

// The amax of a weight that was read, exchanged for that of another one.
// RUN: sed -e '/te.update_scales/s/%%w1_amax/%%w2_amax/' %s | %{refused} WEIGHT-AMAX
// WEIGHT-AMAX: error: expects amax 1 to be the state 'fp8.weight_amax.fc1.weight' of the copies read in slot 1 'fc1.weight'

// An amax that counts in one branch of control flow alone.
// RUN: sed -e 's/^  %%new_scales, /  %%zero = arith.constant dense<0.0> : tensor<f32>\n  %%one = arith.constant true\n  %%some = scf.if %%one -> (tensor<f32>) { scf.yield %%x_amax : tensor<f32> } else { scf.yield %%zero : tensor<f32> }\n&/' -e '/te.update_scales/s/amaxes(%%x_amax/amaxes(%%some/' %s | %{refused} BRANCH
// BRANCH: error: expects amax 0 to be that of the tensor quantized in slot 0 'fc1.input'

// A quantization in one branch of control flow.
// RUN: sed -e 's/^  %%du_col, .*/  %%one = arith.constant true\n  %%du_col, %%du_amax = scf.if %%one -> (tensor<32x32xf8E5M2>, tensor<f32>) {\n    %%c, %%a = te.quantize %%du, %%du_scale : tensor<32x32xbf16> -> columnwise tensor<32x32xf8E5M2> amax tensor<f32>\n    scf.yield %%c, %%a : tensor<32x32xf8E5M2>, tensor<f32>\n  } else {\n    scf.yield %%dy_col, %%dy_amax : tensor<32x32xf8E5M2>, tensor<f32>\n  }/' %s | %{refused} INSIDE
// INSIDE: error: quantizes inside 'scf.if', so that amaxes count only where control flow comes by; expects it in the body of the function

// An infinity that a cast hides from what decides about the update.
// RUN: sed -e '/te.clip_coefficient/s/%%u_amax, //' %s | %{refused} UNWATCHED
// UNWATCHED: error: does not read the amax of slot 2 'fc2.input', whose cast hides infinities; expects it among 'amaxes'
// UNWATCHED: note: the tensor is quantized here

// The update of the scales.

// Scales that are never updated.
// RUN: sed -e '/^  %%new_scales, /,/recipe = /d' -e 's/%%w\([12]\)_scale = tensor.extract_slice %%new_scales/%%w\1_scale = tensor.extract_slice %%scales/' -e 's/%%new_scales, %%new_invs, %%new_history, %%new_nonfinite/%%scales, %%invs, %%history, %%nonfinite/' %s | %{refused} NO-UPDATE
// NO-UPDATE: error: updates parameters, but not the scales that it uses, among them that of slot 0 'fc1.input'; expects the update of #te.delayed_scaling<history = 4> with the amaxes of all slots

// A history of another length.
// RUN: sed -e 's/tensor<4x6xf32>/tensor<8x6xf32>/' -e '/formats = /s/history = 4/history = 8/' %s | %{refused} HISTORY
// HISTORY: error: expects the state 'fp8.amax_history' to be 'tensor<4x6xf32>', as the module's recipe #te.delayed_scaling<history = 4> makes it, but it is 'tensor<8x6xf32>'
// HISTORY: error: updates the scales with #te.delayed_scaling<history = 8>, but the recipe of the module (te.recipe) is #te.delayed_scaling<history = 4>

// An update with another margin.
// RUN: sed -e '/formats = /s/history = 4/history = 4, margin = 2/' %s | %{refused} MARGIN
// MARGIN: error: updates the scales with #te.delayed_scaling<history = 4, margin = 2>, but the recipe of the module (te.recipe) is #te.delayed_scaling<history = 4>

// A state that is written twice.
// RUN: sed -e 's/^  .. After the update.$/  %%s2, %%i2, %%h2, %%n2 = te.update_scales %%new_scales, %%new_invs, %%new_history, %%new_nonfinite amaxes(%%x_amax, %%w1_amax, %%u_amax, %%w2_amax, %%dy_amax, %%du_amax)\n    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E4M3FN, f8E5M2, f8E5M2]} : tensor<6xf32>, tensor<6xf32>, tensor<4x6xf32>, tensor<6xi64>/' -e '/^  return/s/%%new_scales/%%s2/' %s | %{refused} TWO-UPDATES
// TWO-UPDATES: error: updates the scales a second time; a step has one update
// TWO-UPDATES: error: expects result 5 (fp8_scale) to be what 'te.update_scales' makes of it

// A slot whose update is overwritten.
// RUN: sed -e 's/^  .. After the update.$/  %%kept = tensor.insert_slice %%x_scale into %%new_scales[0] [1] [1] : tensor<f32> into tensor<6xf32>/' -e '/^  return/s/%%new_scales/%%kept/' %s | %{refused} OLD-RETURNED
// OLD-RETURNED: error: expects result 5 (fp8_scale) to be what 'te.update_scales' makes of it

// The weights.

// New weights quantized with the scale that the step began with.
// RUN: sed -e 's/%%w1_scale = tensor.extract_slice %%new_scales/%%w1_scale = tensor.extract_slice %%scales/' %s | %{refused} OLD-SCALE
// OLD-SCALE: error: quantizes the new weight 'fc1.weight' with the scale that this step began with; expects the updated scale of slot 1 'fc1.weight', which is what the next step reads it with

// The copy of the weight as it was before the update, rounded to bf16.
// RUN: sed -e 's/^  %%new_w1_row, /  %%narrow = arith.truncf %%w1 : tensor<32x32xf32> to tensor<32x32xbf16>\n&/' -e 's/te.quantize %%new_w1, %%w1_scale : tensor<32x32xf32>/te.quantize %%narrow, %%w1_scale : tensor<32x32xbf16>/' %s | %{refused} OLD-WEIGHT
// OLD-WEIGHT: error: expects to quantize the new value of the parameter 'fc1.weight' for the state 'fp8.weight.fc1.weight.rowwise'

// A copy that is carried on as it was.
// RUN: sed -e '/^  return/s/%%new_w2_col/%%w2_col/' %s | %{refused} STALE
// STALE: error: returns the state 'fp8.weight.fc2.weight.columnwise', which no quantization in this function wrote

// A copy that the update of its parameter forgets.
// RUN: sed -e '/^      tensor.* {te.state = "fp8.weight.fc2.weight.columnwise"/d' -e '/^  return/s/ %%new_w2_col,//' -e '/^    : /s/tensor<32x32xf8E4M3FN>, //' %s | %{refused} DROPPED
// DROPPED: error: returns a new value of the parameter 'fc2.weight', but not its FP8 copy 'fp8.weight.fc2.weight.columnwise', which the next step would read as it was before; expects the new value's

// The copy of another weight.
// RUN: sed -e '/^  return/s/%%new_w1_row, %%new_w2_row/%%new_w2_row, %%new_w1_row/' %s | %{refused} OTHER-COPY
// OTHER-COPY: error: expects to quantize the new value of the parameter 'fc1.weight' for the state 'fp8.weight.fc1.weight.rowwise'

// The rowwise copy in the place of the columnwise one.
// RUN: sed -e '/^  return/s/%%new_w2_row, %%new_w2_col/%%new_w2_col, %%new_w2_row/' %s | %{refused} ORIENTATION
// ORIENTATION: error: returns its columnwise copy as the state 'fp8.weight.fc2.weight.rowwise'

// What stays in higher precision.

// An optimizer that reads a gradient that was FP8.
// RUN: sed -e 's/^  %%du_col, /  %%g = te.dequantize %%dy_row, %%dy_inv : tensor<32x32xf8E5M2> -> tensor<32x32xf32>\n&/' -e 's/gradient(%%dw2)/gradient(%%g)/' %s | %{refused} FP8-GRADIENT
// FP8-GRADIENT: error: makes the new parameter 'fc2.weight' of an FP8 copy of slot 4 'fc2.grad_output'; parameters, optimizer states and sums of gradients are computed of values in higher precision: expects the tensor that was quantized

// A parameter updated from its FP8 copy.
// RUN: sed -e 's/^  .. After the update.$/  %%from = te.dequantize %%w1_row, %%w1_inv : tensor<32x32xf8E4M3FN> -> tensor<32x32xf32>/' -e 's/te.update #te.sgd %%w1 /te.update #te.sgd %%from /' %s | %{refused} FP8-MASTER
// FP8-MASTER: error: makes the new parameter 'fc1.weight' of an FP8 copy of slot 1 'fc1.weight'

// A parameter that loses its last bits on the way to its update.
// RUN: sed -e 's/^  .. After the update.$/  %%low = arith.truncf %%w1 : tensor<32x32xf32> to tensor<32x32xbf16>\n  %%from = arith.extf %%low : tensor<32x32xbf16> to tensor<32x32xf32>/' -e 's/te.update #te.sgd %%w1 /te.update #te.sgd %%from /' %s | %{refused} NARROWED
// NARROWED: error: keeps the parameter 'fc1.weight' as 'bf16' on its way to the next step, which loses what is smaller than its last bit; expects the value in 'f32'

// Momentum that is rounded when it is returned.
// RUN: sed -e '/^  return/s/%%new_m2/%%from/' -e 's/^  return/  %%low = arith.truncf %%new_m2 : tensor<32x32xf32> to tensor<32x32xbf16>\n  %%from = arith.extf %%low : tensor<32x32xbf16> to tensor<32x32xf32>\n&/' %s | %{refused} NARROWED-STATE
// NARROWED-STATE: error: keeps the state 'sgd.momentum.fc2.weight' as 'bf16' on its way to the next step

// A parameter that becomes another one.
// RUN: sed -e 's/te.update #te.sgd %%w2 /te.update #te.sgd %%w1 /' %s | %{refused} OTHER-MASTER
// OTHER-MASTER: error: returns as the parameter 'fc2.weight' what becomes of the parameter 'fc1.weight'; expects the new value of 'fc2.weight'

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
