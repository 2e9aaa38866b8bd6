// Each case is correct IR with one thing wrong.
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
module attributes {te.slots = ["a.input", "a.weight"], te.slot_formats = [f8E4M3FN]} {
}

// -----

// Two slots of one name.
// expected-error@+1 {{names slots 0 and 1 both 'a.input'}}
module attributes {te.slots = ["a.input", "a.input"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
}

// -----

// A format that is none.
// expected-error@+1 {{gives slot 0 'a.input' the format 'f16'; formats are f8E4M3FN and f8E5M2}}
module attributes {te.slots = ["a.input"], te.slot_formats = [f16]} {
}

// -----

// A scaling state with too few columns.
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
// expected-error@+1 {{expects the state 'fp8.scales' to have 2 columns, one per slot, but it is 'tensor<1xf32>'}}
func.func @forward(%scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"}) {
  return
}
}

// -----

// A state that is returned but not taken.
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
// expected-error@+1 {{returns the state 'fp8.scales' without an argument of that name and type}}
func.func @f(%x: tensor<2xf32>) -> (tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"}) {
  return %x : tensor<2xf32>
}
}

// -----

// An operand out of nowhere.
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
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

// A scale_inv that is no state.
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<32x16xf32>, %w: tensor<48x16xf32>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}, %wsi: tensor<f32>) -> tensor<32x48xf32> attributes {te.entry = "forward"} {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %wq = te.quantize %w, %ws : tensor<48x16xf32> -> rowwise tensor<48x16xf8E4M3FN>
  // expected-error@+1 {{expects the scale_inv of operand b to be that of slot 1 'fc.weight' as this step began, but it is no element of fp8.scale_invs}}
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<32x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// A scale that is no state.
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
func.func @forward(%x: tensor<32x16xf32>, %w: tensor<48x16xf32>,
    %scales: tensor<2xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %invs: tensor<2xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"}, %s: tensor<f32>) -> tensor<32x48xf32> attributes {te.entry = "forward"} {
  %si = tensor.extract_slice %invs[0] [1] [1] : tensor<2xf32> to tensor<f32>
  %ws = tensor.extract_slice %scales[1] [1] [1] : tensor<2xf32> to tensor<f32>
  %wsi = tensor.extract_slice %invs[1] [1] [1] : tensor<2xf32> to tensor<f32>
  // expected-error@+1 {{expects its scale to be one element of fp8.scales, or of te.compute_scale}}
  %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
  %wq = te.quantize %w, %ws : tensor<48x16xf32> -> rowwise tensor<48x16xf8E4M3FN>
  %y = te.scaled_matmul %q, %wq scales(%si, %wsi) {layer = "fc"} : tensor<32x16xf8E4M3FN>, tensor<48x16xf8E4M3FN> -> tensor<32x48xf32>
  return %y : tensor<32x48xf32>
}
}

// -----

// Quantized with the reciprocal.
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @forward(%x: tensor<30x16xf32>, %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"}) {
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{makes an FP8 copy of type 'tensor<30x16xf8E4M3FN>'; expects sizes that are multiples of 16}}
  %q = te.quantize %x, %s : tensor<30x16xf32> -> rowwise tensor<30x16xf8E4M3FN>
  return
}
}

// -----

// An input's columnwise copy in fprop.
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
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
module attributes {te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
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
module attributes {te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
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
module attributes {te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
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
module attributes {te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
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
module attributes {te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
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
module attributes {te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
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
module attributes {te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
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
module attributes {te.slots = ["fc.input", "fc.weight", "fc.grad_output"], te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]} {
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

// An amax that goes nowhere.
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
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
  // expected-error@+1 {{expects result 1 (fp8_scale_inv) to be what te.update_scales makes of it}}
  return %s1, %invs, %h1, %n1 : tensor<1xf32>, tensor<1xf32>, tensor<4x1xf32>, tensor<1xi64>
}
}

// -----

// An update that is dropped.
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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

// A state handed on unchanged: its scale moves on without it.
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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

// The rowwise copy under the other name.
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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

// New weights read in the step that made them.
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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

// Another entry that moves a scale away from its weight.
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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

// -----

// A state that no entry writes.
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
func.func @forward(%invs: tensor<1xf32> {te.state = "fp8.scale_invs", te.kind = "fp8_scale_inv"},
    %wq: tensor<32x16xf8E4M3FN> {te.state = "fp8.weight.fc.weight.rowwise", te.kind = "fp8_weight"},
    %wamax: tensor<f32> {te.state = "fp8.weight_amax.fc.weight", te.kind = "fp8_weight_amax"}) -> tensor<32x16xf32> {
  %wsi = tensor.extract_slice %invs[0] [1] [1] : tensor<1xf32> to tensor<f32>
  // expected-error@+1 {{reads operand x from the state 'fp8.weight.fc.weight.rowwise', which no entry writes}}
  %deq = te.dequantize %wq, %wsi : tensor<32x16xf8E4M3FN> -> tensor<32x16xf32>
  return %deq : tensor<32x16xf32>
}
}

// -----

// First copies whose scale is not written.
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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

// First copies whose scale is not returned.
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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

// -----

// A weight written in two slots.
module attributes {te.slots = ["fc.weight", "gate.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
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
module attributes {te.slots = ["fc.weight"], te.slot_formats = [f8E4M3FN]} {
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
module attributes {te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
// expected-error@+1 {{is an entry with several blocks; expects entries without control flow}}
func.func @forward() attributes {te.entry = "forward"} {
  "test.branch"()[^end] : () -> ()
^end:
  return
}
}
