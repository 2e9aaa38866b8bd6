// The entry that makes first copies of weights. Each case is correct IR with one thing
// wrong.
// RUN: te-opt %s --te-validate-precision --split-input-file --verify-diagnostics --allow-unregistered-dialect

// First copies whose scale is not written.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @init(%w: tensor<32x16xf32> {te.param = "fc.weight"},
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %amax = te.amax %w : tensor<32x16xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  // expected-error@+1 {{quantizes a weight with a scale that is not written to fp8.scales}}
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<1xf32>
  return %scales, %invs1, %q, %amax : tensor<1xf32>, tensor<1xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// First copies whose scale_inv is not returned.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @init(%w: tensor<32x16xf32> {te.param = "fc.weight"},
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %amax = te.amax %w : tensor<32x16xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  // expected-error@+1 {{expects the scale_inv of slot 0 'fc.weight' to be returned in its column of fp8.scale_invs}}
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[0] [1] [1] : tensor<f32> into tensor<1xf32>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<1xf32>
  return %scales1, %invs, %q, %amax : tensor<1xf32>, tensor<1xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// First copies whose scale is overwritten together with others.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight", "fc.input"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @init(%w: tensor<32x16xf32> {te.param = "fc.weight"},
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %amax = te.amax %w : tensor<32x16xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  // expected-error@+1 {{expects the scale of slot 0 'fc.weight' to be returned in its column of fp8.scales}}
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[0] [1] [1] : tensor<f32> into tensor<2xf32>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<2xf32>
  %scales2 = tensor.insert_slice %scales into %scales1[1] [2] [-1] : tensor<2xf32> into tensor<2xf32>
  return %scales2, %invs1, %q, %amax : tensor<2xf32>, tensor<2xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// First copies whose scale is not returned.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @init(%w: tensor<32x16xf32> {te.param = "fc.weight"},
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %amax = te.amax %w : tensor<32x16xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  // expected-error@+1 {{expects the scale of slot 0 'fc.weight' to be returned in its column of fp8.scales}}
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[0] [1] [1] : tensor<f32> into tensor<1xf32>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<1xf32>
  return %scales, %invs1, %q, %amax : tensor<1xf32>, tensor<1xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// A first scale of the wrong format.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @init(%w: tensor<32x16xf32> {te.param = "fc.weight"},
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %amax = te.amax %w : tensor<32x16xf32>
  // expected-error@+1 {{computes a scale for 'f8E5M2', but slot 0 'fc.weight' has the format 'f8E4M3FN'}}
  %s, %si = te.compute_scale %amax {format = f8E5M2}
  // expected-error@+1 {{quantizes to 'f8E4M3FN', but its scale has the format 'f8E5M2'}}
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[0] [1] [1] : tensor<f32> into tensor<1xf32>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<1xf32>
  return %scales1, %invs1, %q, %amax : tensor<1xf32>, tensor<1xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// A first scale of another tensor.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @init(%w: tensor<32x16xf32> {te.param = "fc.weight"},
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %other = arith.constant dense<1.0> : tensor<4xf32>
  %amax = te.amax %other : tensor<4xf32>
  // expected-error@+1 {{expects the amax of the weight 'fc.weight'}}
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[0] [1] [1] : tensor<f32> into tensor<1xf32>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<1xf32>
  return %scales1, %invs1, %q, %amax : tensor<1xf32>, tensor<1xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// First copies of another value.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @init(%w: tensor<32x16xf32> {te.param = "fc.weight"},
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %v = arith.addf %w, %w : tensor<32x16xf32>
  %amax = te.amax %v : tensor<32x16xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  // expected-error@+1 {{expects to quantize the parameter 'fc.weight' for the state 'fp8.weight.fc.weight.rowwise'}}
  %q = te.quantize %v, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[0] [1] [1] : tensor<f32> into tensor<1xf32>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<1xf32>
  return %scales1, %invs1, %q, %amax : tensor<1xf32>, tensor<1xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// First copies without their amax.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @init(%w: tensor<32x16xf32> {te.param = "fc.weight"},
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %amax = te.amax %w : tensor<32x16xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  // expected-error@+1 {{expects its amax to be returned as 'fp8.weight_amax.fc.weight'}}
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[0] [1] [1] : tensor<f32> into tensor<1xf32>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<1xf32>
  return %scales1, %invs1, %q, %wamax : tensor<1xf32>, tensor<1xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}
