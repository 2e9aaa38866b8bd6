// The update of scales and weights. Each case is correct IR with one thing wrong.
// RUN: te-opt %s --te-validate-precision --split-input-file --verify-diagnostics --allow-unregistered-dialect

// An amax that goes nowhere.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @grad(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %lost = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  %amax = te.amax %x : tensor<32x16xf32>
  // expected-error@+1 {{expects amax 0 to be that of the tensor quantized in slot 0 'fc.input'}}
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return %s1, %i1, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// A quantization without amax.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @grad(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %amax = te.amax %x : tensor<32x16xf32>
  // expected-error@+1 {{expects amax 0 to be that of the tensor quantized in slot 0 'fc.input', which computes none}}
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return %s1, %i1, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// Two tensors in one slot.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @grad(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-note@+1 {{the first is here}}
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  // expected-error@+1 {{quantizes a second tensor in slot 0 'fc.input'; a slot has one tensor, and its amax}}
  %q2, %amax2 = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return %s1, %i1, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// An amax of a slot that did not run.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @grad(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %amax = te.amax %x : tensor<32x16xf32>
  // expected-error@+1 {{expects amax 0 to be zero, as nothing here is quantized in slot 0 'fc.input'}}
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return %s1, %i1, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// Two updates.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @grad(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  // expected-error@+1 {{updates the scales a second time; a step has one update}}
  %s2, %i2, %h2, %n2 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return %s1, %i1, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// An old state returned.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @grad(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  // expected-error@+1 {{expects result 1 (fp8_scale_inv) to be what 'te.update_scales' makes of it}}
  return %s1, %invs, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// An update that is dropped.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @grad(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  // expected-error@+1 {{updates the scales, but the function does not return them}}
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return
}
}

// -----

// An update of something else.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @grad(%x: tensor<32x16xf32>, %other: tensor<1xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  // expected-error@+1 {{expects to update the function's state of kind 'fp8_scale'}}
  %s1, %i1, %h1, %n1 = te.update_scales %other, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return %s1, %i1, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// Other formats than the slots'.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @grad(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  // expected-error@+1 {{expects the formats of 'te.slot_formats'}}
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E5M2]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return %s1, %i1, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// The wrong number of amaxes.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @grad(
    // expected-error@-1 {{expects the state 'fp8.scales' to have 2 columns}}
    // expected-error@-2 {{expects the state 'fp8.scale_invs' to have 2 columns}}
    // expected-error@-3 {{expects the state 'fp8.amax_history' to have 2 columns}}
    // expected-error@-4 {{expects the state 'fp8.nonfinite' to have 2 columns}}
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %amax = arith.constant dense<0.0> : tensor<f32>
  // expected-error@+2 {{expects the formats of 'te.slot_formats'}}
  // expected-error@+1 {{expects 2 amaxes, one per slot, got 1}}
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return %s1, %i1, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// New weights with the scale of this step.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @train(%w: tensor<32x16xf32> {te.param = "fc.weight"}, %row: tensor<1x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
      tensor<32x16xf32> {te.param = "fc.weight"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) {
  %amax = arith.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{expects amax 0 to be that of the tensor quantized in slot 0 'fc.weight'}}
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  %nw = tensor.insert_slice %row into %w[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<32x16xf32>
  %ns = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{quantizes the new weight 'fc.weight' with the scale that this step began with; expects the updated scale of slot 0 'fc.weight', which is what the next step reads it with}}
  %nq, %namax = te.quantize %nw, %ns : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  return %s1, %i1, %h1, %n1, %nw, %nq, %namax : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>, tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// Copies of the old parameter.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @train(%w: tensor<32x16xf32> {te.param = "fc.weight"}, %row: tensor<1x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
      tensor<32x16xf32> {te.param = "fc.weight"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) {
  %amax = arith.constant dense<0.0> : tensor<f32>
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  %nw = tensor.insert_slice %row into %w[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<32x16xf32>
  %ns = tensor.extract_slice %s1[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{expects to quantize the new value of the parameter 'fc.weight' for the state 'fp8.weight.fc.weight.rowwise'}}
  %nq, %namax = te.quantize %w, %ns : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  return %s1, %i1, %h1, %n1, %nw, %nq, %namax : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>, tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// The amax of another tensor beside the copies.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @train(%w: tensor<32x16xf32> {te.param = "fc.weight"}, %row: tensor<1x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
      tensor<32x16xf32> {te.param = "fc.weight"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) {
  %amax = arith.constant dense<0.0> : tensor<f32>
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  %nw = tensor.insert_slice %row into %w[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<32x16xf32>
  %ns = tensor.extract_slice %s1[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{expects its amax to be returned as 'fp8.weight_amax.fc.weight'}}
  %nq, %namax = te.quantize %nw, %ns : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  return %s1, %i1, %h1, %n1, %nw, %nq, %wamax : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>, tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// The rowwise copy under the other name.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @train(%w: tensor<16x16xf32> {te.param = "fc.weight"}, %row: tensor<1x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
    %wq: tensor<16x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.columnwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
      tensor<16x16xf32> {te.param = "fc.weight"},
      tensor<16x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.columnwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) {
  %amax = arith.constant dense<0.0> : tensor<f32>
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  %nw = tensor.insert_slice %row into %w[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<16x16xf32>
  %ns = tensor.extract_slice %s1[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{returns its rowwise copy as the state 'fp8.weight.fc.weight.columnwise'}}
  %nq, %namax = te.quantize %nw, %ns : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> amax tensor<f32>
  return %s1, %i1, %h1, %n1, %nw, %nq, %namax : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>, tensor<16x16xf32>, tensor<16x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// A weight that is read, with another amax in the update.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @train(%w: tensor<32x16xf32> {te.param = "fc.weight"}, %row: tensor<1x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
      tensor<32x16xf32> {te.param = "fc.weight"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) {
  %wsi = tensor.extract_slice %invs[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %amax = arith.constant dense<0.0> : tensor<f32>
  %deq = te.dequantize %wq, %wsi : tensor<32x16xf8E4M3FN> -> tensor<32x16xf32>
  // expected-error@+1 {{expects amax 0 to be the state 'fp8.weight_amax.fc.weight' of the copies read in slot 0 'fc.weight'}}
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  %nw = tensor.insert_slice %row into %w[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<32x16xf32>
  %ns = tensor.extract_slice %s1[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %nq, %namax = te.quantize %nw, %ns : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  return %s1, %i1, %h1, %n1, %nw, %nq, %namax : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>, tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// Another entry that moves a scale away from its weight.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @train(%w: tensor<32x16xf32> {te.param = "fc.weight"}, %row: tensor<1x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"},
      tensor<32x16xf32> {te.param = "fc.weight"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) {
  %amax = arith.constant dense<0.0> : tensor<f32>
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  %nw = tensor.insert_slice %row into %w[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<32x16xf32>
  %ns = tensor.extract_slice %s1[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %nq, %namax = te.quantize %nw, %ns : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  return %s1, %i1, %h1, %n1, %nw, %nq, %namax : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>, tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
func.func @grad(
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
    %nonfinite: tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"},
      tensor<1xi64> {te.state = "fp8.nonfinite", te.kind = "fp8_nonfinite"}) {
  %amax = arith.constant dense<0.0> : tensor<f32>
  // expected-error@+1 {{updates the scale of slot 0 'fc.weight', but the function does not quantize the weight 'fc.weight' anew}}
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%amax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  return %s1, %i1, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}
