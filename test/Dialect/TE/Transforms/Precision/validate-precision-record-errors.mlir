// The record of a microbatch's amaxes. Each case is correct IR with one thing wrong.
// RUN: te-opt %s --te-validate-precision --split-input-file --verify-diagnostics

// As it should be.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @step(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %other: tensor<4x1xf32> {te.state = "other", te.kind = "optimizer"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"})
  -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  %h1 = te.record_amaxes %history amaxes(%amax) : tensor<4x1xf32>
  return %h1 : tensor<4x1xf32>
}
}

// -----

// An amax that goes nowhere.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @step(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %other: tensor<4x1xf32> {te.state = "other", te.kind = "optimizer"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"})
  -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  // expected-error@+1 {{expects amax 0 to be that of the tensor quantized in slot 0 'fc.input'}}
  %h1 = te.record_amaxes %history amaxes(%zero) : tensor<4x1xf32>
  return %h1 : tensor<4x1xf32>
}
}

// -----

// Recorded twice.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @step(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %other: tensor<4x1xf32> {te.state = "other", te.kind = "optimizer"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"})
  -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  %h0 = te.record_amaxes %history amaxes(%amax) : tensor<4x1xf32>
  // expected-error@+1 {{records amaxes a second time; a microbatch has one record}}
  %h1 = te.record_amaxes %h0 amaxes(%amax) : tensor<4x1xf32>
  return %h0 : tensor<4x1xf32>
}
}

// -----

// Not recorded.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
// expected-error@+1 {{quantizes tensors of a microbatch, but does not record their amaxes for the update of the step}}
func.func @step(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %other: tensor<4x1xf32> {te.state = "other", te.kind = "optimizer"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"})
  -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  return %history : tensor<4x1xf32>
}
}

// -----

// In a function that nothing ends.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @step(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %other: tensor<4x1xf32> {te.state = "other", te.kind = "optimizer"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"})
  -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "grad"} {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  // expected-error@+1 {{records amaxes in a function that is no microbatch of a step; what it leaves there would be counted by the next step}}
  %h1 = te.record_amaxes %history amaxes(%amax) : tensor<4x1xf32>
  return %h1 : tensor<4x1xf32>
}
}

// -----

// Recorded in something else.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @step(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %other: tensor<4x1xf32> {te.state = "other", te.kind = "optimizer"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"})
  -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  // expected-error@+1 {{expects to record in the function's state of kind 'fp8_amax_history'}}
  %h1 = te.record_amaxes %other amaxes(%amax) : tensor<4x1xf32>
  return %h1 : tensor<4x1xf32>
}
}

// -----

// Not returned.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
func.func @step(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %other: tensor<4x1xf32> {te.state = "other", te.kind = "optimizer"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"})
  -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}) attributes {te.entry = "accumulate"} {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  // expected-error@+1 {{records amaxes, but the function does not return them as 'fp8.amax_history'}}
  %h1 = te.record_amaxes %history amaxes(%amax) : tensor<4x1xf32>
  return %history : tensor<4x1xf32>
}
}

// -----

// Scales change at the end of the step alone.
module attributes {te.recipe = #te.delayed_scaling<history = 4>, te.slots = ["fc.input"], te.slot_formats = [f8E4M3FN]} {
// expected-error@+1 {{returns the state 'fp8.scales', which a microbatch leaves as it is}}
func.func @step(%x: tensor<32x16xf32>,
    %scales: tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"},
    %other: tensor<4x1xf32> {te.state = "other", te.kind = "optimizer"},
    %history: tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"})
  -> (tensor<4x1xf32> {te.state = "fp8.amax_history", te.kind = "fp8_amax_history"}, tensor<1xf32> {te.state = "fp8.scales", te.kind = "fp8_scale"}) attributes {te.entry = "accumulate"} {
  %zero = arith.constant dense<0.0> : tensor<f32>
  %s = tensor.extract_slice %scales[0] [1] [1] : tensor<1xf32> to tensor<f32>
  %q, %amax = te.quantize %x, %s : tensor<32x16xf32> -> rowwise tensor<32x16xf8E4M3FN> amax tensor<f32>
  %h1 = te.record_amaxes %history amaxes(%amax) : tensor<4x1xf32>
  return %h1, %scales : tensor<4x1xf32>, tensor<1xf32>
}
}
