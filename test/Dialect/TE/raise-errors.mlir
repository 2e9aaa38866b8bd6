// RUN: te-opt %s --te-raise=check --split-input-file --verify-diagnostics

// expected-error @below {{'forward' computes with operations that are not supported; write these parts of the model with supported ones (math.sin x2, arith.mulf x1, linalg.transpose x1)}}
func.func @forward(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // expected-note @below {{math.sin x2}}
  %0 = math.sin %x : tensor<4x8xf32>
  %1 = math.sin %0 : tensor<4x8xf32>
  // expected-note @below {{arith.mulf x1}}
  %2 = arith.mulf %0, %1 : tensor<4x8xf32>
  %3 = tensor.empty() : tensor<8x4xf32>
  // expected-note @below {{linalg.transpose x1: a transpose that neither a matmul nor attention takes in}}
  %4 = linalg.transpose ins(%2 : tensor<4x8xf32>) outs(%3 : tensor<8x4xf32>) permutation = [1, 0]
  return %4 : tensor<8x4xf32>
}

// -----

// te ops, reshapes and constants are all that may be left.
func.func @supported(%x: tensor<4x8xf32>, %g: tensor<8xf32>) -> tensor<2x2x8xf32> {
  %b = arith.constant dense<0.0> : tensor<8xf32>
  %y, %mean, %rstd = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32}
    : tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32> -> y tensor<4x8xf32> stats tensor<4xf32>, tensor<4xf32>
  %0 = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  return %0 : tensor<2x2x8xf32>
}
