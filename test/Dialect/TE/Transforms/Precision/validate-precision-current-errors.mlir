// RUN: te-opt %s --te-validate-precision --split-input-file --verify-diagnostics

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
  func.func @no_scale(%x: tensor<32x16xf32>, %s: tensor<f32>) -> tensor<32x16xf8E4M3FN> {
    // expected-error@+1 {{expects its scale to be one of te.compute_scale}}
    %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
    return %q : tensor<32x16xf8E4M3FN>
  }
}

// -----

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
  func.func @recomputed(%x: tensor<32x16xf32>) -> tensor<32x16xf8E4M3FN> {
    %a = te.activation relu %x : tensor<32x16xf32> -> amax tensor<f32>
    %s, %si = te.compute_scale %a {format = f8E4M3FN}
    %q = te.activation relu %x quantize(%s) : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
    return %q : tensor<32x16xf8E4M3FN>
  }
}

// -----

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
  func.func @other_function(%x: tensor<32x16xf32>) -> tensor<32x16xf8E4M3FN> {
    %a = te.activation relu %x : tensor<32x16xf32> -> amax tensor<f32>
    %s, %si = te.compute_scale %a {format = f8E4M3FN}
    // expected-error@+1 {{expects its scale to come from the amax of the tensor that it quantizes}}
    %q = te.activation silu %x quantize(%s) : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
    return %q : tensor<32x16xf8E4M3FN>
  }
}

// -----

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
  func.func @other_operand(%x: tensor<32x16xf32>, %g: tensor<16xf32>, %h: tensor<16xf32>) -> tensor<32x16xf8E4M3FN> {
    %r0, %a = te.rms_norm %x, %g {eps = 1.0e-5 : f32} : tensor<32x16xf32>, tensor<16xf32> -> stats tensor<32xf32> amax tensor<f32>
    %s, %si = te.compute_scale %a {format = f8E4M3FN}
    // expected-error@+1 {{expects its scale to come from the amax of the tensor that it quantizes}}
    %r, %q = te.rms_norm %x, %h quantize(%s) {eps = 1.0e-5 : f32} : tensor<32x16xf32>, tensor<16xf32> -> stats tensor<32xf32> rowwise tensor<32x16xf8E4M3FN>
    return %q : tensor<32x16xf8E4M3FN>
  }
}

// -----

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
  func.func @other_tensor(%x: tensor<32x16xf32>, %y: tensor<32x16xf32>) -> tensor<32x16xf8E4M3FN> {
    %a = te.amax %y : tensor<32x16xf32>
    %s, %si = te.compute_scale %a {format = f8E4M3FN}
    // expected-error@+1 {{expects its scale to come from the amax of the tensor that it quantizes}}
    %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
    return %q : tensor<32x16xf8E4M3FN>
  }
}

// -----

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
  func.func @other_format(%x: tensor<32x16xf32>) -> tensor<32x16xf8E4M3FN> {
    %a = te.amax %x : tensor<32x16xf32>
    %s, %si = te.compute_scale %a {format = f8E5M2}
    // expected-error@+1 {{expects its scale to be computed for the format that it quantizes to, without a margin}}
    %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
    return %q : tensor<32x16xf8E4M3FN>
  }
}

// -----

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
  func.func @size(%x: tensor<32x20xf32>) -> tensor<32x20xf8E4M3FN> {
    %a = te.amax %x : tensor<32x20xf32>
    %s, %si = te.compute_scale %a {format = f8E4M3FN}
    // expected-error@+1 {{makes an FP8 copy of type 'tensor<32x20xf8E4M3FN>'; expects sizes that are multiples of 16}}
    %q = te.quantize %x, %s : tensor<32x20xf32> -> rowwise tensor<32x20xf8E4M3FN>
    return %q : tensor<32x20xf8E4M3FN>
  }
}

// -----

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
  func.func @other_reciprocal(%x: tensor<32x16xf32>, %si: tensor<f32>) -> tensor<32x16xf32> {
    %a = te.amax %x : tensor<32x16xf32>
    %s, %inverse = te.compute_scale %a {format = f8E4M3FN}
    %q = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN>
    // expected-error@+1 {{expects readers of its copies to have the reciprocal of its scale}}
    %y = te.dequantize %q, %si : tensor<32x16xf8E4M3FN> -> tensor<32x16xf32>
    return %y : tensor<32x16xf32>
  }
}

// -----

module attributes {te.recipe = #te.current_scaling, te.slots = ["fc.input", "fc.weight"], te.slot_formats = [f8E4M3FN, f8E4M3FN]} {
  func.func @role(%x: tensor<32x16xf32>, %w: tensor<64x16xf32>) -> tensor<32x64xf32> {
    %xa = te.amax %x : tensor<32x16xf32>
    %xs, %xsi = te.compute_scale %xa {format = f8E5M2}
    %q = te.quantize %x, %xs : tensor<32x16xf32> -> rowwise tensor<32x16xf8E5M2>
    %wa = te.amax %w : tensor<64x16xf32>
    %ws, %wsi = te.compute_scale %wa {format = f8E4M3FN}
    %p = te.quantize %w, %ws : tensor<64x16xf32> -> rowwise tensor<64x16xf8E4M3FN>
    // expected-error@+1 {{reads operand a as 'f8E5M2'; current_scaling makes input 'f8E4M3FN'}}
    %y = te.scaled_matmul %q, %p scales(%xsi, %wsi) {layer = "fc"} : tensor<32x16xf8E5M2>, tensor<64x16xf8E4M3FN> -> tensor<32x64xf32>
    return %y : tensor<32x64xf32>
  }
}

// -----

// expected-error@+1 {{expects 'te.recipe' to be a quantization recipe, such as #te.delayed_scaling}}
module attributes {te.recipe = "current"} {
}

// -----

// Rows have scales of their own, and the two copies of a tensor different rows.

module attributes {te.recipe = #te.row_scaling, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
  func.func @one_scale(%x: tensor<32x32xf32>) -> tensor<32x32xf8E4M3FN> {
    %a = te.amax %x : tensor<32x32xf32>
    %s, %si = te.compute_scale %a {format = f8E4M3FN}
    // expected-error@+1 {{expects its scale to be of type tensor<32x1xf32>}}
    %q = te.quantize %x, %s : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN>
    return %q : tensor<32x32xf8E4M3FN>
  }
  func.func @rows_of_columns(%x: tensor<32x32xf32>) -> (tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>) {
    %a = te.amax %x : tensor<32x32xf32> -> tensor<32x1xf32>
    %s, %si = te.compute_scale %a of tensor<32x1xf32> {format = f8E4M3FN}
    %q = te.quantize %x, %s of tensor<32x1xf32> : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN>
    // expected-error@+1 {{expects its scale to come from amaxes of the transposed tensor, as its copy is columnwise}}
    %qt = te.quantize %x, %s of tensor<32x1xf32> : tensor<32x32xf32> -> columnwise tensor<32x32xf8E4M3FN>
    return %q, %qt : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>
  }
}
