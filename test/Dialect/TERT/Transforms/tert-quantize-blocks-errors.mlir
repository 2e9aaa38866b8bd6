// RUN: te-opt %s --tert-quantize-blocks | FileCheck %s

// What is not the quantization of a tensor with scales of its own blocks stays
// as it is.

// One scale; scales that are given.
// CHECK-LABEL: func @given(
// CHECK-NOT:     tert.quantize_blocks
// CHECK:         return
func.func @given(%x: tensor<64x256xbf16>, %s: tensor<f32>, %t: tensor<64x2xf32>) -> (tensor<64x256xf8E4M3FN>, tensor<64x256xf8E4M3FN>) {
  %e = tensor.empty() : tensor<64x256xf8E4M3FN>
  %q = tert.quantize x(%x : tensor<64x256xbf16>) scale(%s : tensor<f32>) -> rowwise(%e : tensor<64x256xf8E4M3FN>)
  %p = tert.quantize x(%x : tensor<64x256xbf16>) scale(%t : tensor<64x2xf32>) -> rowwise(%e : tensor<64x256xf8E4M3FN>)
  return %q, %p : tensor<64x256xf8E4M3FN>, tensor<64x256xf8E4M3FN>
}

// Amaxes of another tensor, of its columns, with a margin, of another format,
// and scales that somebody else reads.
// CHECK-LABEL: func @others(
// CHECK-NOT:     tert.quantize_blocks
// CHECK:         return
func.func @others(%x: tensor<64x64xbf16>, %y: tensor<64x64xbf16>)
    -> (tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x4xf32>) {
  %a = tensor.empty() : tensor<64x4xf32>
  %e = tensor.empty() : tensor<64x64xf8E4M3FN>
  %a0 = tert.amax x(%y : tensor<64x64xbf16>) -> amax(%a : tensor<64x4xf32>)
  %s0:2 = tert.compute_scale amax(%a0 : tensor<64x4xf32>) -> scale(%a : tensor<64x4xf32>) scale_inv(%a : tensor<64x4xf32>) {epsilon = 0.0 : f32, format = f8E4M3FN, margin = 0 : i32}
  %q0 = tert.quantize x(%x : tensor<64x64xbf16>) scale(%s0#0 : tensor<64x4xf32>) -> rowwise(%e : tensor<64x64xf8E4M3FN>)
  %a1 = tert.amax x(%x : tensor<64x64xbf16>) -> amax(%a : tensor<64x4xf32>) {transposed}
  %s1:2 = tert.compute_scale amax(%a1 : tensor<64x4xf32>) -> scale(%a : tensor<64x4xf32>) scale_inv(%a : tensor<64x4xf32>) {epsilon = 0.0 : f32, format = f8E4M3FN, margin = 0 : i32}
  %q1 = tert.quantize x(%x : tensor<64x64xbf16>) scale(%s1#0 : tensor<64x4xf32>) -> rowwise(%e : tensor<64x64xf8E4M3FN>)
  %a2 = tert.amax x(%x : tensor<64x64xbf16>) -> amax(%a : tensor<64x4xf32>)
  %s2:2 = tert.compute_scale amax(%a2 : tensor<64x4xf32>) -> scale(%a : tensor<64x4xf32>) scale_inv(%a : tensor<64x4xf32>) {epsilon = 0.0 : f32, format = f8E4M3FN, margin = 1 : i32}
  %q2 = tert.quantize x(%x : tensor<64x64xbf16>) scale(%s2#0 : tensor<64x4xf32>) -> rowwise(%e : tensor<64x64xf8E4M3FN>)
  %a3 = tert.amax x(%x : tensor<64x64xbf16>) -> amax(%a : tensor<64x4xf32>)
  %s3:2 = tert.compute_scale amax(%a3 : tensor<64x4xf32>) -> scale(%a : tensor<64x4xf32>) scale_inv(%a : tensor<64x4xf32>) {epsilon = 0.0 : f32, format = f8E5M2, margin = 0 : i32}
  %q3 = tert.quantize x(%x : tensor<64x64xbf16>) scale(%s3#0 : tensor<64x4xf32>) -> rowwise(%e : tensor<64x64xf8E4M3FN>)
  %a4 = tert.amax x(%x : tensor<64x64xbf16>) -> amax(%a : tensor<64x4xf32>)
  %s4:2 = tert.compute_scale amax(%a4 : tensor<64x4xf32>) -> scale(%a : tensor<64x4xf32>) scale_inv(%a : tensor<64x4xf32>) {epsilon = 0.0 : f32, format = f8E4M3FN, margin = 0 : i32}
  %q4 = tert.quantize x(%x : tensor<64x64xbf16>) scale(%s4#0 : tensor<64x4xf32>) -> rowwise(%e : tensor<64x64xf8E4M3FN>)
  return %q0, %q1, %q2, %q3, %q4, %s4#0 : tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x64xf8E4M3FN>, tensor<64x4xf32>
}
