// RUN: te-opt %s --tert-quantize-blocks --split-input-file | FileCheck %s

// Both copies of a tensor, the amax and the sums of its rows, in one call where
// the first amaxes were.

// CHECK-LABEL: func @both(
// CHECK-SAME:    %[[X:[^ ]*]]: tensor<64x256xbf16>)
// CHECK:         %[[R:.*]]:6 = tert.quantize_blocks x(%[[X]] : tensor<64x256xbf16>) -> rowwise({{.*}} : tensor<64x256xf8E4M3FN>) rowwise_scale_inv({{.*}} : tensor<64x2xf32>) columnwise({{.*}} : tensor<256x64xf8E4M3FN>) columnwise_scale_inv({{.*}} : tensor<256x1xf32>) amax({{.*}} : tensor<f32>) dbias({{.*}} : tensor<256xf32>) {epsilon = 2.500000e-01 : f32, power_of_two}
// CHECK-NOT:     tert.
// CHECK:         return %[[R]]#0, %[[R]]#1, %[[R]]#2, %[[R]]#3, %[[R]]#4, %[[R]]#4, %[[R]]#5
func.func @both(%x: tensor<64x256xbf16>) -> (tensor<64x256xf8E4M3FN>, tensor<64x2xf32>, tensor<256x64xf8E4M3FN>, tensor<256x1xf32>, tensor<f32>, tensor<f32>, tensor<256xf32>) {
  %e0 = tensor.empty() : tensor<64x2xf32>
  %e1 = tensor.empty() : tensor<64x256xf8E4M3FN>
  %e2 = tensor.empty() : tensor<256x1xf32>
  %e3 = tensor.empty() : tensor<256x64xf8E4M3FN>
  %e4 = tensor.empty() : tensor<f32>
  %e5 = tensor.empty() : tensor<256xf32>
  %a = tert.amax x(%x : tensor<64x256xbf16>) -> amax(%e0 : tensor<64x2xf32>)
  %s:2 = tert.compute_scale amax(%a : tensor<64x2xf32>) -> scale(%e0 : tensor<64x2xf32>) scale_inv(%e0 : tensor<64x2xf32>) {epsilon = 0.25 : f32, format = f8E4M3FN, margin = 0 : i32, power_of_two}
  %q:2 = tert.quantize x(%x : tensor<64x256xbf16>) scale(%s#0 : tensor<64x2xf32>) -> rowwise(%e1 : tensor<64x256xf8E4M3FN>) amax(%e4 : tensor<f32>)
  %b = tert.amax x(%x : tensor<64x256xbf16>) -> amax(%e2 : tensor<256x1xf32>) {transposed}
  %t:2 = tert.compute_scale amax(%b : tensor<256x1xf32>) -> scale(%e2 : tensor<256x1xf32>) scale_inv(%e2 : tensor<256x1xf32>) {epsilon = 0.25 : f32, format = f8E4M3FN, margin = 0 : i32, power_of_two}
  %p:3 = tert.quantize x(%x : tensor<64x256xbf16>) scale(%t#0 : tensor<256x1xf32>) -> columnwise(%e3 : tensor<256x64xf8E4M3FN>) amax(%e4 : tensor<f32>) dbias(%e5 : tensor<256xf32>)
  return %q#0, %s#1, %p#0, %t#1, %q#1, %p#1, %p#2 : tensor<64x256xf8E4M3FN>, tensor<64x2xf32>, tensor<256x64xf8E4M3FN>, tensor<256x1xf32>, tensor<f32>, tensor<f32>, tensor<256xf32>
}

// -----

// A copy alone; and two with scales of other formulas, each by itself.

// CHECK-LABEL: func @apart(
// CHECK:         tert.quantize_blocks {{.*}} -> rowwise({{.*}}) rowwise_scale_inv({{.*}}) {epsilon = 0.000000e+00 : f32, power_of_two}
// CHECK:         tert.quantize_blocks {{.*}} -> columnwise({{.*}}) columnwise_scale_inv({{.*}}) {epsilon = 0.000000e+00 : f32}
// CHECK-NOT:     tert.
func.func @apart(%x: tensor<64x256xbf16>) -> (tensor<64x256xf8E4M3FN>, tensor<64x2xf32>, tensor<256x64xf8E4M3FN>, tensor<256x1xf32>) {
  %e0 = tensor.empty() : tensor<64x2xf32>
  %e1 = tensor.empty() : tensor<64x256xf8E4M3FN>
  %e2 = tensor.empty() : tensor<256x1xf32>
  %e3 = tensor.empty() : tensor<256x64xf8E4M3FN>
  %a = tert.amax x(%x : tensor<64x256xbf16>) -> amax(%e0 : tensor<64x2xf32>)
  %s:2 = tert.compute_scale amax(%a : tensor<64x2xf32>) -> scale(%e0 : tensor<64x2xf32>) scale_inv(%e0 : tensor<64x2xf32>) {epsilon = 0.0 : f32, format = f8E4M3FN, margin = 0 : i32, power_of_two}
  %q = tert.quantize x(%x : tensor<64x256xbf16>) scale(%s#0 : tensor<64x2xf32>) -> rowwise(%e1 : tensor<64x256xf8E4M3FN>)
  %b = tert.amax x(%x : tensor<64x256xbf16>) -> amax(%e2 : tensor<256x1xf32>) {transposed}
  %t:2 = tert.compute_scale amax(%b : tensor<256x1xf32>) -> scale(%e2 : tensor<256x1xf32>) scale_inv(%e2 : tensor<256x1xf32>) {epsilon = 0.0 : f32, format = f8E4M3FN, margin = 0 : i32}
  %p = tert.quantize x(%x : tensor<64x256xbf16>) scale(%t#0 : tensor<256x1xf32>) -> columnwise(%e3 : tensor<256x64xf8E4M3FN>)
  return %q, %s#1, %p, %t#1 : tensor<64x256xf8E4M3FN>, tensor<64x2xf32>, tensor<256x64xf8E4M3FN>, tensor<256x1xf32>
}
