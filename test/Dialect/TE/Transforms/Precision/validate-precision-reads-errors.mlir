// What makes and reads FP8 copies. Each case is correct IR with one thing wrong.
// RUN: te-opt %s --te-validate-precision --split-input-file --verify-diagnostics --allow-unregistered-dialect

// An operand out of nowhere.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<32x16xf32>, %wq: tensor<48x16xf8E4M3FN>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) -> tensor<32x48xf32> {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  // expected-error@+1 {{expects operand b to come from a quantization or to be an FP8 weight}}
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<32x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// The scale_inv of another slot.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<32x16xf32>, %w: tensor<48x16xf32>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) -> tensor<32x48xf32> attributes {te.entry = "forward"} {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %wq = te.quantize %w, %ws : tensor<48x16xf32> -> rowwise tensor<48x16xf8E4M3FN>
  // expected-error@+1 {{expects the scale_inv of operand b to be that of slot 1 'fc.weight' as this step began, but it is that of slot 0 'fc.input'}}
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<32x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// A scale in place of its reciprocal.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<32x16xf32>, %w: tensor<48x16xf32>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) -> tensor<32x48xf32> attributes {te.entry = "forward"} {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %wsi = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %wq = te.quantize %w, %ws : tensor<48x16xf32> -> rowwise tensor<48x16xf8E4M3FN>
  // expected-error@+1 {{expects the scale_inv of operand b to be that of slot 1 'fc.weight' as this step began, but it is the scale of slot 1 'fc.weight'}}
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<32x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// A scale_inv that is not a state.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<32x16xf32>, %w: tensor<48x16xf32>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}, %wsi: tensor<f32>) -> tensor<32x48xf32> attributes {te.entry = "forward"} {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %wq = te.quantize %w, %ws : tensor<48x16xf32> -> rowwise tensor<48x16xf8E4M3FN>
  // expected-error@+1 {{expects the scale_inv of operand b to be that of slot 1 'fc.weight' as this step began, but it is not an element of fp8.scale_invs}}
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<32x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// A scale that is no state.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<32x16xf32>, %w: tensor<48x16xf32>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}, %s: tensor<f32>) -> tensor<32x48xf32> attributes {te.entry = "forward"} {
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<2xf32> to tensor<f32>
  // expected-error@+1 {{expects its scale to be one element of fp8.scales, or a first scale of the recipe}}
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %wq = te.quantize %w, %ws : tensor<48x16xf32> -> rowwise tensor<48x16xf8E4M3FN>
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<32x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// Quantized with the reciprocal.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<32x16xf32>, %w: tensor<48x16xf32>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) -> tensor<32x48xf32> attributes {te.entry = "forward"} {
  %s = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<2xf32> to tensor<f32>
  // expected-error@+1 {{quantizes with a reciprocal (scale_inv); expects the scale of slot 0 'fc.input'}}
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %wq = te.quantize %w, %ws : tensor<48x16xf32> -> rowwise tensor<48x16xf8E4M3FN>
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<32x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// A format that is not the slot's.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<32x16xf32>, %w: tensor<48x16xf32>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) -> tensor<32x48xf32> attributes {te.entry = "forward"} {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<2xf32> to tensor<f32>
  // expected-error@+1 {{quantizes to 'f8E5M2', but slot 0 'fc.input' has the format 'f8E4M3FN'}}
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E5M2>
  %wq = te.quantize %w, %ws : tensor<48x16xf32> -> rowwise tensor<48x16xf8E4M3FN>
  // expected-error@+1 {{reads operand a as 'f8E5M2', but slot 0 'fc.input' has the format 'f8E4M3FN'}}
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<32x16xf8E5M2>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// Sizes that FP8 GEMMs do not take.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @forward(%x: tensor<30x16xf32>, %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{makes an FP8 copy of type 'tensor<30x16xf8E4M3FN>'; expects sizes that are multiples of 16}}
  %q = te.quantize %x, %s : tensor<30x16xf32> -> rowwise tensor<30x16xf8E4M3FN>
  return
}
}

// -----

// An input's columnwise copy in fprop.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<16x16xf32>, %w: tensor<48x16xf32>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) -> tensor<16x48xf32> {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> columnwise tensor<16x16xf8E4M3FN>
  %wq = te.quantize %w, %ws : tensor<48x16xf32> -> rowwise tensor<48x16xf8E4M3FN>
  // expected-error@+1 {{reads the columnwise copy of slot 0 'fc.input' as operand a; fprop expects the rowwise one}}
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<16x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<16x48xf32>
  return %y : tensor<16x48xf32>
}
}

// -----

// A gradient's rowwise copy in wgrad, an input's too.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%x: tensor<16x16xf32>, %dy: tensor<16x16xf32>,
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) -> tensor<16x16xf32> {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %ds = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dsi = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %dq = te.quantize %dy, %ds : tensor<16x16xf32> -> rowwise tensor<16x16xf8E5M2>
  %y = te.matmul %x, %x {layer = "fc"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // expected-error@+2 {{reads the rowwise copy of slot 2 'fc.grad_output' as operand a; wgrad expects the columnwise one}}
  // expected-error@+1 {{reads the rowwise copy of slot 0 'fc.input' as operand b; wgrad expects the columnwise one}}
  %dw = te.scaled_matmul %dq, %q scales(%dsi, %si) {layer = "fc", role = #te.role<wgrad>} : tensor<16x16xf8E5M2>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return %dw : tensor<16x16xf32>
}
}

// -----

// One copy of a weight for fprop and dgrad.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %dy: tensor<16x16xf32>,
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) -> (tensor<16x16xf32>, tensor<16x16xf32>) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %ds = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dsi = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %wq = te.quantize %w, %ws : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %dq = te.quantize %dy, %ds : tensor<16x16xf32> -> rowwise tensor<16x16xf8E5M2>
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  // expected-error@+1 {{reads the rowwise copy of slot 1 'fc.weight' as the fprop of its layer does; expects the columnwise one}}
  %dx = te.scaled_matmul %dq, %wq scales(%dsi, %wsi) {layer = "fc", role = #te.role<dgrad>} : tensor<16x16xf8E5M2>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return %y, %dx : tensor<16x16xf32>, tensor<16x16xf32>
}
}

// -----

// A weight in wgrad.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%w: tensor<16x16xf32>, %dy: tensor<16x16xf32>,
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) -> tensor<16x16xf32> {
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %ds = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dsi = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %wq = te.quantize %w, %ws : tensor<16x16xf32> -> columnwise tensor<16x16xf8E4M3FN>
  %dq = te.quantize %dy, %ds : tensor<16x16xf32> -> columnwise tensor<16x16xf8E5M2>
  %y = te.matmul %dy, %w {layer = "fc"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  // expected-error@+1 {{reads grad_output and weight; wgrad expects grad_output and input}}
  %dw = te.scaled_matmul %dq, %wq scales(%dsi, %wsi) {layer = "fc", role = #te.role<wgrad>} : tensor<16x16xf8E5M2>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return %dw : tensor<16x16xf32>
}
}

// -----

// A product of no layer.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %dy: tensor<16x16xf32>,
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %ds = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dsi = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %wq, %wqt = te.quantize %w, %ws : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN>
  %dq = te.quantize %dy, %ds : tensor<16x16xf32> -> rowwise tensor<16x16xf8E5M2>
  // expected-error@+1 {{has no layer; te-quantize hands the product's name on}}
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return
}
}

// -----

// Two forward products of one layer.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %dy: tensor<16x16xf32>,
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %ds = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dsi = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %wq, %wqt = te.quantize %w, %ws : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN>
  %dq = te.quantize %dy, %ds : tensor<16x16xf32> -> rowwise tensor<16x16xf8E5M2>
  // expected-note@+1 {{the first is here}}
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  // expected-error@+1 {{is a second forward product of the layer 'fc'; expects a name of its own}}
  %z = te.scaled_matmul %q, %wqt scales(%si, %wsi) {layer = "fc"} : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return
}
}

// -----

// A gradient of a layer that is not there.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %dy: tensor<16x16xf32>,
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %ds = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dsi = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %wq, %wqt = te.quantize %w, %ws : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN>
  %dq = te.quantize %dy, %ds : tensor<16x16xf32> -> rowwise tensor<16x16xf8E5M2>
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  // expected-error@+1 {{is the dgrad of the layer 'fd', of which the module has no forward product}}
  %dx = te.scaled_matmul %dq, %wqt scales(%dsi, %wsi) {layer = "fd", role = #te.role<dgrad>} : tensor<16x16xf8E5M2>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return
}
}

// -----

// Two activations.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %dy: tensor<16x16xf32>,
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %ds = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dsi = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %wq, %wqt = te.quantize %w, %ws : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN>
  %dq = te.quantize %dy, %ds : tensor<16x16xf32> -> rowwise tensor<16x16xf8E5M2>
  // expected-error@+1 {{reads input and input; fprop expects input and weight}}
  %y = te.scaled_matmul %q, %q scales(%si, %si) {layer = "fc"} : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return
}
}

// -----

// A dgrad without a gradient.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %dy: tensor<16x16xf32>,
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %ds = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dsi = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %wq, %wqt = te.quantize %w, %ws : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN>
  %dq = te.quantize %dy, %ds : tensor<16x16xf32> -> rowwise tensor<16x16xf8E5M2>
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  // expected-error@+1 {{reads input and weight; dgrad expects grad_output and weight}}
  %dx = te.scaled_matmul %q, %wqt scales(%si, %wsi) {layer = "fc", role = #te.role<dgrad>} : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return
}
}

// -----

// One weight both ways: each layer reads its own two copies.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
func.func @grad(%x: tensor<16x16xf32>, %w: tensor<16x16xf32>, %dy: tensor<16x16xf32>,
    %scales: tensor<3xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<3xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<3xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<3xf32> to tensor<f32>
  %ds = tensor.extract_slice %scales[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %dsi = tensor.extract_slice %invs[2] [1] [1] : tensor<3xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN>
  %wq, %wqt = te.quantize %w, %ws : tensor<16x16xf32> -> rowwise tensor<16x16xf8E4M3FN> columnwise tensor<16x16xf8E4M3FN>
  %dq = te.quantize %dy, %ds : tensor<16x16xf32> -> rowwise tensor<16x16xf8E5M2>
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "encoder"} : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  %z = te.scaled_matmul %q, %wqt scales(%si, %wsi) {layer = "decoder"} : tensor<16x16xf8E4M3FN>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  %dz = te.scaled_matmul %dq, %wq scales(%dsi, %wsi) {layer = "decoder", role = #te.role<dgrad>} : tensor<16x16xf8E5M2>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  // expected-error@+1 {{reads the rowwise copy of slot 1 'fc.weight' as the fprop of its layer does; expects the columnwise one}}
  %dy2 = te.scaled_matmul %dq, %wq scales(%dsi, %wsi) {layer = "encoder", role = #te.role<dgrad>} : tensor<16x16xf8E5M2>, tensor<16x16xf8E4M3FN> -> tensor<16x16xf32>
  return
}
}

// -----

// New weights read in the step that made them.
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
  %wsi = tensor.extract_slice %i1[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{reads operand x quantized with a scale of the next step; expects the scale that this step began with}}
  %deq = te.dequantize %nq, %wsi : tensor<32x16xf8E4M3FN> -> tensor<32x16xf32>
  return %s1, %i1, %h1, %n1, %nw, %nq, %namax : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>, tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// A weight read with the reciprocal of the next step.
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
  %s1, %i1, %h1, %n1 = te.update_scales %scales, %invs, %history, %nonfinite amaxes(%wamax)
    {recipe = #te.delayed_scaling<history = 4>, formats = [f8E4M3FN]} : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
  %nw = tensor.insert_slice %row into %w[0, 0] [1, 16] [1, 1] : tensor<1x16xf32> into tensor<32x16xf32>
  %ns = tensor.extract_slice %s1[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %nq, %namax = te.quantize %nw, %ns : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  %wsi = tensor.extract_slice %i1[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{expects the scale_inv of operand x to be that of slot 0 'fc.weight' as this step began, but it is that of the next step}}
  %deq = te.dequantize %wq, %wsi : tensor<32x16xf8E4M3FN> -> tensor<32x16xf32>
  return %s1, %i1, %h1, %n1, %nw, %nq, %namax : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>, tensor<32x16xf32>, tensor<32x16xf8E4M3FN>, tensor<f32>
}
}

// -----

// A state that no entry writes.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @forward(%invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) -> tensor<32x16xf32> {
  %wsi = tensor.extract_slice %invs[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{reads operand x from the state 'fp8.weight.fc.weight.rowwise', which no entry writes}}
  %deq = te.dequantize %wq, %wsi : tensor<32x16xf8E4M3FN> -> tensor<32x16xf32>
  return %deq : tensor<32x16xf32>
}
}
