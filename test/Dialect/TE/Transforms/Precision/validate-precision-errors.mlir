// Slots and states. Each case is correct IR with one thing wrong.
// RUN: te-opt %s --te-validate-precision --split-input-file --verify-diagnostics --allow-unregistered-dialect

// A region that nobody dissolved.
func.func @forward(%x: tensor<32x16xf32>) -> tensor<32x16xf32> {
  // expected-error@+1 {{te.region is left over; te-quantize dissolves all of them}}
  %y = te.region high -> (tensor<32x16xf32>) {
    %0 = te.activation relu %x : tensor<32x16xf32> -> y tensor<32x16xf32>
    te.yield %0 : tensor<32x16xf32>
  }
  return %y : tensor<32x16xf32>
}

// -----

// FP8 without slots.
// expected-error@+1 {{has FP8 ops but no 'te.slots'}}
module {
func.func @f(%a: tensor<32x16xf8E4M3FN>, %b: tensor<48x16xf8E4M3FN>, %si: tensor<f32>) -> tensor<32x48xf32> {
  %y = te.scaled_matmul %a, %b scales(%si, %si) {layer = "fc"} : tensor<32x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// Slots and formats of different lengths.
// expected-error@+1 {{expects 'te.slots' and 'te.slot_formats' of one length, got 2 and 1}}
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["a.input", "a.weight"], te.slot_formats = [f8E4M3FN]} {
}

// -----

// Two slots of one name.
// expected-error@+1 {{names slots 0 and 1 both 'a.input'}}
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["a.input", "a.input"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
}

// -----

// A format that FP8 does not have.
// expected-error@+1 {{gives slot 0 'a.input' the format 'f16'; formats are f8E4M3FN and f8E5M2}}
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["a.input"], te.slot_formats = [f16]} {
}

// -----

// A scaling state with too few columns.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
// expected-error@+1 {{expects the state 'fp8.scales' to have 2 columns, one per slot, but it is 'tensor<1xf32>'}}
func.func @forward(%scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"}) {
  return
}
}

// -----

// A state that is returned but not taken.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
// expected-error@+1 {{returns the state 'fp8.scales' without an argument of that name and type}}
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"}) {
  return %x : tensor<2xf32>
}
}

// -----

// A state handed on unchanged: its scale moves on without it.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
// expected-error@+1 {{returns the state 'fp8.weight.fc.weight.rowwise', which no quantization in this function wrote}}
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
  return %s1, %i1, %h1, %n1, %nw, %wq, %namax : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>, tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// A weight written in two slots.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight", "gate.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @a(%w: tensor<32x16xf32> {te.param = "fc.weight"},
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
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[0] [1] [1] : tensor<f32> into tensor<2xf32>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<2xf32>
  return %scales1, %invs1, %q, %amax : tensor<2xf32>, tensor<2xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
func.func @b(%w: tensor<32x16xf32> {te.param = "fc.weight"},
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
  // expected-error@+1 {{writes the state 'fp8.weight.fc.weight.rowwise' in slot 1 'gate.weight', but @a writes it in slot 0 'fc.weight'}}
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[1] [1] [1] : tensor<f32> into tensor<2xf32>
  %invs1 = tensor.insert_slice %si into %invs[1] [1] [1] : tensor<f32> into tensor<2xf32>
  return %scales1, %invs1, %q, %amax : tensor<2xf32>, tensor<2xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// A name that does not say whose copy it is.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
// expected-error@+1 {{expects the name of an fp8_weight state to be 'fp8.weight.<parameter>.rowwise' or '.columnwise', got 'weight'}}
func.func @init(%w: tensor<32x16xf32> {te.param = "fc.weight"},
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "weight", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"})
  -> (tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
      tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
      tensor<32x16xf8E4M3FN> {te.state = "weight", te.kind = "fp8_weight"},
      tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) attributes {te.entry = "init"} {
  %amax = te.amax %w : tensor<32x16xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  %q = te.quantize %w, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %scales1 = tensor.insert_slice %s into %scales[0] [1] [1] : tensor<f32> into tensor<1xf32>
  %invs1 = tensor.insert_slice %si into %invs[0] [1] [1] : tensor<f32> into tensor<1xf32>
  return %scales1, %invs1, %q, %amax : tensor<1xf32>, tensor<1xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// Control flow in an entry.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
// expected-error@+1 {{is an entry with several blocks; expects entries without control flow}}
func.func @forward() attributes {te.entry = "forward"} {
  "test.branch"()[^end] : () -> ()
^end:
  return
}
}

// -----

// Slots that no recipe scales.
// expected-error@+1 {{has 'te.slots' but not the recipe that they are scaled by; expects 'te.recipe'}}
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
}
