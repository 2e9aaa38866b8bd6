// RUN: te-opt %s -split-input-file -verify-diagnostics

func.func @both(%x: tensor<64x64xf32>, %s: tensor<64x1xf32>) -> (tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>) {
  // expected-error @+1 {{has the scales of one copy's blocks but makes two copies; make the other with scales of its own}}
  %q, %qt = te.quantize %x, %s of tensor<64x1xf32> : tensor<64x64xf32> -> rowwise tensor<64x64xf8E4M3FN> columnwise tensor<64x64xf8E4M3FN>
  return %q, %qt : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>
}

// -----

func.func @thirds(%x: tensor<64x64xf32>, %s: tensor<64x3xf32>) -> tensor<64x64xf8E4M3FN> {
  // expected-error @+1 {{expects its scale to be a scalar, or [r, c] for blocks of a [64, 64] matrix whose sizes are powers of two, or all of a dimension, but it is 'tensor<64x3xf32>'}}
  %q = te.quantize %x, %s of tensor<64x3xf32> : tensor<64x64xf32> -> rowwise tensor<64x64xf8E4M3FN>
  return %q : tensor<64x64xf8E4M3FN>
}

// -----

func.func @amax(%x: tensor<64x64xf32>) -> tensor<63x1xf32> {
  // expected-error @+1 {{expects its result to be a scalar, or [r, c] for blocks of a [64, 64] matrix}}
  %a = te.amax %x : tensor<64x64xf32> -> tensor<63x1xf32>
  return %a : tensor<63x1xf32>
}

// -----

func.func @vector(%x: tensor<64xf32>) -> tensor<64x1xf32> {
  // expected-error @+1 {{has amaxes of blocks, but 'tensor<64xf32>' is no matrix}}
  %a = te.amax %x : tensor<64xf32> -> tensor<64x1xf32>
  return %a : tensor<64x1xf32>
}

// -----

func.func @product(%a: tensor<64x128xf8E4M3FN>, %s: tensor<128x1xf32>, %t: tensor<f32>) -> tensor<64x64xf32> {
  // expected-error @+1 {{expects a_scale_inv to be a scalar, or [r, c] for blocks of a [64, 128] matrix}}
  %d = te.scaled_matmul %a, %a scales(%s of tensor<128x1xf32>, %t) : tensor<64x128xf8E4M3FN>, tensor<64x128xf8E4M3FN> -> tensor<64x64xf32>
  return %d : tensor<64x64xf32>
}
