// RUN: te-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{expects label_smoothing in [0, 1], got}}
module attributes {test.loss = #te.causal_lm<label_smoothing = 1.5>} {}

// -----

// expected-error @+1 {{expects label_smoothing in [0, 1], got}}
module attributes {test.loss = #te.classification<label_smoothing = -0.1>} {}

// -----

// expected-error @+1 {{expects z_loss to be finite and not negative, got}}
module attributes {test.loss = #te.masked_lm<z_loss = -1.0e-4>} {}

// -----

// Too large for the float32 that the op has.
// expected-error @+1 {{expects z_loss to be finite and not negative, got}}
module attributes {test.loss = #te.cross_entropy<z_loss = 1.0e300>} {}

// -----

func.func @smoothing(%x: tensor<4x10xf32>, %l: tensor<4xi64>) {
  // expected-error @+1 {{'te.cross_entropy' op expects label_smoothing in [0, 1], got}}
  %0:3 = te.cross_entropy %x, %l {label_smoothing = 2.0 : f32} : tensor<4x10xf32>, tensor<4xi64> -> tensor<4xf32>
  return
}

// -----

func.func @grad_z(%d: tensor<f32>, %x: tensor<4x10xf32>, %l: tensor<4xi64>, %lse: tensor<4xf32>) {
  // expected-error @+1 {{'te.cross_entropy_grad' op expects z_loss to be finite and not negative, got}}
  %0 = te.cross_entropy_grad %d, %x, %l, %lse, %d {z_loss = -1.0 : f32}
    : tensor<4x10xf32>, tensor<4xi64>, tensor<4xf32> -> tensor<4x10xf32>
  return
}

// -----

func.func @with_grad_smoothing(%d: tensor<f32>, %x: tensor<4x10xf32>, %l: tensor<4xi64>) {
  // expected-error @+1 {{'te.cross_entropy_with_grad' op expects label_smoothing in [0, 1], got}}
  %0:2 = te.cross_entropy_with_grad %d, %l, %d, %x, %d {label_smoothing = -1.0 : f32} : tensor<4xi64>, tensor<4x10xf32>
  return
}

// -----

func.func @target(%x: tensor<4x3xf32>, %t: tensor<3x4xf32>) {
  // expected-error @+1 {{'te.squared_error' op expects the target to have shape [4, 3], but it is 'tensor<3x4xf32>'}}
  %0 = te.squared_error %x, %t : tensor<4x3xf32>, tensor<3x4xf32>
  return
}

// -----

func.func @target_of_grad(%d: tensor<f32>, %x: tensor<4x3xf32>, %t: tensor<3x4xf32>) {
  // expected-error @+1 {{'te.squared_error_grad' op expects the target to have shape [4, 3], but it is 'tensor<3x4xf32>'}}
  %0 = te.squared_error_grad %d, %x, %t : tensor<4x3xf32>, tensor<3x4xf32> -> tensor<4x3xf32>
  return
}

// -----

func.func @grad(%d: tensor<f32>, %x: tensor<4x3xf32>) {
  // expected-error @+1 {{'te.squared_error_grad' op expects dx to have shape [4, 3], but it is 'tensor<3x4xf32>'}}
  %0 = te.squared_error_grad %d, %x, %x : tensor<4x3xf32>, tensor<4x3xf32> -> tensor<3x4xf32>
  return
}
