// RUN: te-opt %s --split-input-file --verify-diagnostics --te-differentiate=entries=vjp

func.func @forward(%x: tensor<16x32xf32> {te.param = "x"}, %s: tensor<f32> {te.input = "s"}) -> (tensor<1x1xf32> {te.output = "y"}) {
  // expected-error @+1 {{'te.activation' op is differentiated in its quantized form; run te-differentiate before te-fuse}}
  %q, %amax = te.activation silu %x quantize(%s) : tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN> amax tensor<f32>
  %y = tensor.expand_shape %amax [] output_shape [1, 1] : tensor<f32> into tensor<1x1xf32>
  return %y : tensor<1x1xf32>
}

// -----

func.func @forward(%x: tensor<4x5xf32> {te.param = "x"}, %s: tensor<8xi32> {te.input = "s"}) -> (tensor<8x5xf32> {te.output = "y"}) {
  // expected-error @+1 {{'te.permute' op has no gradient, as the order of its rows is not a result of te.group_rows}}
  %y = te.permute %x, %s : tensor<4x5xf32>, tensor<8xi32> -> y tensor<8x5xf32>
  return %y : tensor<8x5xf32>
}

// -----

func.func @forward(%x: tensor<6x5xf32> {te.param = "x"}, %w: tensor<15x4xf32> {te.input = "w"}, %e: tensor<6xi32> {te.input = "e"}) -> (tensor<15x4xf32> {te.output = "y"}) {
  %dy = te.expert_matmul %x, %w experts(%e) {layer = "up"} : tensor<6x5xf32>, tensor<15x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  // expected-error @+1 {{'te.expert_matmul' op is a gradient; gradients of it are not supported}}
  %dw = te.expert_matmul %x, %dy experts(%e) {layer = "up", role = #te.role<wgrad>} : tensor<6x5xf32>, tensor<6x4xf32>, tensor<6xi32> -> tensor<15x4xf32>
  return %dw : tensor<15x4xf32>
}

// -----

func.func @forward(%d: tensor<2x8x6xf32> {te.param = "d"}) -> (tensor<2x6xf32> {te.output = "s"}) {
  // expected-error @+1 {{'te.scan' op has no gradient for its result #1, the states that are saved for the backward pass only}}
  %y, %states, %f = te.scan %d, %d {chunk = 8 : i64} : tensor<2x8x6xf32>, tensor<2x8x6xf32> -> tensor<2x8x6xf32>, tensor<2x1x6x1xf32>, tensor<2x6x1xf32>
  %s = tensor.collapse_shape %states [[0], [1, 2, 3]] : tensor<2x1x6x1xf32> into tensor<2x6xf32>
  return %s : tensor<2x6xf32>
}
