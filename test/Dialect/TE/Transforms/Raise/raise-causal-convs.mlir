// RUN: te-opt %s --te-raise | FileCheck %s

// The sum that JAX writes: shifted copies, each times a row of the weights, in
// front of a bias and a SiLU.
// CHECK-LABEL: func.func @written_out
// CHECK: %[[Y:.*]] = te.causal_conv %arg0, %arg1 bias(%arg2 : tensor<3xf32>) {silu} : tensor<2x8x3xf32>, tensor<3x3xf32> -> tensor<2x8x3xf32>
// CHECK-NEXT: return %[[Y]]
func.func @written_out(%x: tensor<2x8x3xf32>, %w: tensor<3x3xf32>, %b: tensor<3xf32>) -> tensor<2x8x3xf32> {
  %e = tensor.empty() : tensor<2x8x3xf32>
  %z2 = arith.constant dense<0.0> : tensor<2x2x3xf32>
  %z1 = arith.constant dense<0.0> : tensor<2x1x3xf32>
  %zero = arith.constant dense<0.0> : tensor<2x8x3xf32>
  %s2 = tensor.extract_slice %x[0, 0, 0] [2, 6, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<2x6x3xf32>
  %x2 = tensor.concat dim(1) %z2, %s2 : (tensor<2x2x3xf32>, tensor<2x6x3xf32>) -> tensor<2x8x3xf32>
  %s1 = tensor.extract_slice %x[0, 0, 0] [2, 7, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<2x7x3xf32>
  %x1 = tensor.concat dim(1) %z1, %s1 : (tensor<2x1x3xf32>, tensor<2x7x3xf32>) -> tensor<2x8x3xf32>
  %w0 = tensor.extract_slice %w[0, 0] [1, 3] [1, 1] : tensor<3x3xf32> to tensor<3xf32>
  %w1 = tensor.extract_slice %w[1, 0] [1, 3] [1, 1] : tensor<3x3xf32> to tensor<3xf32>
  %w2 = tensor.extract_slice %w[2, 0] [1, 3] [1, 1] : tensor<3x3xf32> to tensor<3xf32>
  %b0 = linalg.broadcast ins(%w0 : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %b1 = linalg.broadcast ins(%w1 : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %b2 = linalg.broadcast ins(%w2 : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %bias = linalg.broadcast ins(%b : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %t0 = arith.mulf %x2, %b0 : tensor<2x8x3xf32>
  %t1 = arith.mulf %b1, %x1 : tensor<2x8x3xf32>
  %t2 = arith.mulf %x, %b2 : tensor<2x8x3xf32>
  %u0 = arith.addf %zero, %t0 : tensor<2x8x3xf32>
  %u1 = arith.addf %u0, %t1 : tensor<2x8x3xf32>
  %u2 = arith.addf %u1, %t2 : tensor<2x8x3xf32>
  %sum = arith.addf %bias, %u2 : tensor<2x8x3xf32>
  %rows = tensor.collapse_shape %sum [[0, 1], [2]] : tensor<2x8x3xf32> into tensor<16x3xf32>
  %a = te.activation silu %rows : tensor<16x3xf32> -> y tensor<16x3xf32>
  %y = tensor.expand_shape %a [[0, 1], [2]] output_shape [2, 8, 3] : tensor<16x3xf32> into tensor<2x8x3xf32>
  return %y : tensor<2x8x3xf32>
}

// Windows of a tensor [batch, channels, tokens] that is padded on both sides, of
// which the first ones are read, as a convolution of ONNX has them; weights
// [channels, 1, taps].
// CHECK-LABEL: func.func @windows
// CHECK: %[[W:.*]] = linalg.transpose ins(%{{.*}} : tensor<3x2xf32>)
// CHECK: %[[X:.*]] = linalg.transpose ins(%arg0 : tensor<2x3x8xf32>)
// CHECK: %[[Y:.*]] = te.causal_conv %[[X]], %[[W]] : tensor<2x8x3xf32>, tensor<2x3xf32> -> tensor<2x8x3xf32>
// CHECK: linalg.transpose ins(%[[Y]] : tensor<2x8x3xf32>)
// CHECK-NOT: arith.addf
func.func @windows(%x: tensor<2x3x8xf32>, %w: tensor<3x1x2xf32>) -> tensor<2x3x8xf32> {
  %e = tensor.empty() : tensor<2x3x9xf32>
  %z = arith.constant dense<0.0> : tensor<2x3x1xf32>
  %p = tensor.concat dim(2) %z, %x, %z : (tensor<2x3x1xf32>, tensor<2x3x8xf32>, tensor<2x3x1xf32>) -> tensor<2x3x10xf32>
  %p0 = tensor.extract_slice %p[0, 0, 0] [2, 3, 9] [1, 1, 1] : tensor<2x3x10xf32> to tensor<2x3x9xf32>
  %p1 = tensor.extract_slice %p[0, 0, 1] [2, 3, 9] [1, 1, 1] : tensor<2x3x10xf32> to tensor<2x3x9xf32>
  %w0 = tensor.extract_slice %w[0, 0, 0] [3, 1, 1] [1, 1, 1] : tensor<3x1x2xf32> to tensor<3xf32>
  %w1 = tensor.extract_slice %w[0, 0, 1] [3, 1, 1] [1, 1, 1] : tensor<3x1x2xf32> to tensor<3xf32>
  %b0 = linalg.broadcast ins(%w0 : tensor<3xf32>) outs(%e : tensor<2x3x9xf32>) dimensions = [0, 2]
  %b1 = linalg.broadcast ins(%w1 : tensor<3xf32>) outs(%e : tensor<2x3x9xf32>) dimensions = [0, 2]
  %t0 = arith.mulf %p0, %b0 : tensor<2x3x9xf32>
  %t1 = arith.mulf %p1, %b1 : tensor<2x3x9xf32>
  %sum = arith.addf %t0, %t1 : tensor<2x3x9xf32>
  %y = tensor.extract_slice %sum[0, 0, 0] [2, 3, 8] [1, 1, 1] : tensor<2x3x9xf32> to tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// Rows of two tensors; a residual is none of the terms.
// CHECK-LABEL: func.func @mixed
// CHECK: %[[W:.*]] = tensor.concat dim(0)
// CHECK: %[[Y:.*]] = te.causal_conv %arg0, %[[W]] : tensor<1x8x3xf32>, tensor<2x3xf32> -> tensor<1x8x3xf32>
// CHECK: arith.addf %arg0, %[[Y]]
func.func @mixed(%x: tensor<1x8x3xf32>, %v: tensor<3xf32>, %w: tensor<3xf32>) -> tensor<1x8x3xf32> {
  %e = tensor.empty() : tensor<1x8x3xf32>
  %z = arith.constant dense<0.0> : tensor<1x1x3xf32>
  %s = tensor.extract_slice %x[0, 0, 0] [1, 7, 3] [1, 1, 1] : tensor<1x8x3xf32> to tensor<1x7x3xf32>
  %x1 = tensor.concat dim(1) %z, %s : (tensor<1x1x3xf32>, tensor<1x7x3xf32>) -> tensor<1x8x3xf32>
  %b0 = linalg.broadcast ins(%v : tensor<3xf32>) outs(%e : tensor<1x8x3xf32>) dimensions = [0, 1]
  %b1 = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<1x8x3xf32>) dimensions = [0, 1]
  %t0 = arith.mulf %x1, %b0 : tensor<1x8x3xf32>
  %t1 = arith.mulf %x, %b1 : tensor<1x8x3xf32>
  %sum = arith.addf %t0, %t1 : tensor<1x8x3xf32>
  %y = arith.addf %x, %sum : tensor<1x8x3xf32>
  return %y : tensor<1x8x3xf32>
}

// A window around each token looks ahead.
// CHECK-LABEL: func.func @not_causal
// CHECK-NOT: te.causal_conv
func.func @not_causal(%x: tensor<2x8x3xf32>, %v: tensor<3xf32>, %w: tensor<3xf32>) -> tensor<2x8x3xf32> {
  %e = tensor.empty() : tensor<2x8x3xf32>
  %z = arith.constant dense<0.0> : tensor<2x1x3xf32>
  %a = tensor.extract_slice %x[0, 0, 0] [2, 7, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<2x7x3xf32>
  %x0 = tensor.concat dim(1) %z, %a : (tensor<2x1x3xf32>, tensor<2x7x3xf32>) -> tensor<2x8x3xf32>
  %b = tensor.extract_slice %x[0, 1, 0] [2, 7, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<2x7x3xf32>
  %x1 = tensor.concat dim(1) %b, %z : (tensor<2x7x3xf32>, tensor<2x1x3xf32>) -> tensor<2x8x3xf32>
  %b0 = linalg.broadcast ins(%v : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %b1 = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %t0 = arith.mulf %x0, %b0 : tensor<2x8x3xf32>
  %t1 = arith.mulf %x1, %b1 : tensor<2x8x3xf32>
  %y = arith.addf %t0, %t1 : tensor<2x8x3xf32>
  return %y : tensor<2x8x3xf32>
}

// Every second token.
// CHECK-LABEL: func.func @dilated
// CHECK-NOT: te.causal_conv
func.func @dilated(%x: tensor<2x8x3xf32>, %v: tensor<3xf32>, %w: tensor<3xf32>) -> tensor<2x8x3xf32> {
  %e = tensor.empty() : tensor<2x8x3xf32>
  %z = arith.constant dense<0.0> : tensor<2x2x3xf32>
  %a = tensor.extract_slice %x[0, 0, 0] [2, 6, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<2x6x3xf32>
  %x0 = tensor.concat dim(1) %z, %a : (tensor<2x2x3xf32>, tensor<2x6x3xf32>) -> tensor<2x8x3xf32>
  %b0 = linalg.broadcast ins(%v : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %b1 = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %t0 = arith.mulf %x0, %b0 : tensor<2x8x3xf32>
  %t1 = arith.mulf %x, %b1 : tensor<2x8x3xf32>
  %y = arith.addf %t0, %t1 : tensor<2x8x3xf32>
  return %y : tensor<2x8x3xf32>
}

// Another tensor, ones in place of zeros, a weight that differs from token to
// token, or one tap twice.
// CHECK-LABEL: func.func @others
// CHECK-NOT: te.causal_conv
func.func @others(%x: tensor<2x8x3xf32>, %u: tensor<2x8x3xf32>, %v: tensor<3xf32>, %w: tensor<3xf32>, %m: tensor<8x3xf32>)
    -> (tensor<2x8x3xf32>, tensor<2x8x3xf32>, tensor<2x8x3xf32>, tensor<2x8x3xf32>) {
  %e = tensor.empty() : tensor<2x8x3xf32>
  %z = arith.constant dense<0.0> : tensor<2x1x3xf32>
  %o = arith.constant dense<1.0> : tensor<2x1x3xf32>
  %a = tensor.extract_slice %x[0, 0, 0] [2, 7, 3] [1, 1, 1] : tensor<2x8x3xf32> to tensor<2x7x3xf32>
  %x0 = tensor.concat dim(1) %z, %a : (tensor<2x1x3xf32>, tensor<2x7x3xf32>) -> tensor<2x8x3xf32>
  %x1 = tensor.concat dim(1) %o, %a : (tensor<2x1x3xf32>, tensor<2x7x3xf32>) -> tensor<2x8x3xf32>
  %b0 = linalg.broadcast ins(%v : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %b1 = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0, 1]
  %b2 = linalg.broadcast ins(%m : tensor<8x3xf32>) outs(%e : tensor<2x8x3xf32>) dimensions = [0]
  %t0 = arith.mulf %x0, %b0 : tensor<2x8x3xf32>
  %t1 = arith.mulf %u, %b1 : tensor<2x8x3xf32>
  %y0 = arith.addf %t0, %t1 : tensor<2x8x3xf32>
  %t2 = arith.mulf %x1, %b0 : tensor<2x8x3xf32>
  %t3 = arith.mulf %x, %b1 : tensor<2x8x3xf32>
  %y1 = arith.addf %t2, %t3 : tensor<2x8x3xf32>
  %t4 = arith.mulf %x, %b2 : tensor<2x8x3xf32>
  %y2 = arith.addf %t0, %t4 : tensor<2x8x3xf32>
  %t5 = arith.mulf %x0, %b1 : tensor<2x8x3xf32>
  %y3 = arith.addf %t0, %t5 : tensor<2x8x3xf32>
  return %y0, %y1, %y2, %y3 : tensor<2x8x3xf32>, tensor<2x8x3xf32>, tensor<2x8x3xf32>, tensor<2x8x3xf32>
}

// More than the first tokens are read, those behind the sequence.
// CHECK-LABEL: func.func @behind
// CHECK-NOT: te.causal_conv
func.func @behind(%x: tensor<2x8x3xf32>, %v: tensor<3xf32>, %w: tensor<3xf32>) -> tensor<2x9x3xf32> {
  %e = tensor.empty() : tensor<2x9x3xf32>
  %z = arith.constant dense<0.0> : tensor<2x1x3xf32>
  %x0 = tensor.concat dim(1) %z, %x : (tensor<2x1x3xf32>, tensor<2x8x3xf32>) -> tensor<2x9x3xf32>
  %x1 = tensor.concat dim(1) %x, %z : (tensor<2x8x3xf32>, tensor<2x1x3xf32>) -> tensor<2x9x3xf32>
  %b0 = linalg.broadcast ins(%v : tensor<3xf32>) outs(%e : tensor<2x9x3xf32>) dimensions = [0, 1]
  %b1 = linalg.broadcast ins(%w : tensor<3xf32>) outs(%e : tensor<2x9x3xf32>) dimensions = [0, 1]
  %t0 = arith.mulf %x0, %b0 : tensor<2x9x3xf32>
  %t1 = arith.mulf %x1, %b1 : tensor<2x9x3xf32>
  %y = arith.addf %t0, %t1 : tensor<2x9x3xf32>
  return %y : tensor<2x9x3xf32>
}

// Something else reads the sum in front of the SiLU.
// CHECK-LABEL: func.func @read_before
// CHECK: %[[S:.*]] = te.causal_conv %arg0, %arg1 : tensor<2x8x3xf32>
// CHECK: te.activation silu
func.func @read_before(%x: tensor<2x8x3xf32>, %w: tensor<4x3xf32>) -> (tensor<2x8x3xf32>, tensor<16x3xf32>) {
  %s = te.causal_conv %x, %w : tensor<2x8x3xf32>, tensor<4x3xf32> -> tensor<2x8x3xf32>
  %rows = tensor.collapse_shape %s [[0, 1], [2]] : tensor<2x8x3xf32> into tensor<16x3xf32>
  %a = te.activation silu %rows : tensor<16x3xf32> -> y tensor<16x3xf32>
  return %s, %a : tensor<2x8x3xf32>, tensor<16x3xf32>
}
