// RUN: te-opt %s --canonicalize | FileCheck %s

// -0 is the number that changes no bit of what it is added to.
// CHECK-LABEL: func @add_negative_zero(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    return %[[X]], %[[X]] :
func.func @add_negative_zero(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>) {
  %zero = arith.constant dense<-0.0> : tensor<4x8xf32>
  %row = arith.constant dense<-0.0> : tensor<1x8xf32>
  %0 = te.add %x, %row : tensor<4x8xf32>, tensor<1x8xf32> -> tensor<4x8xf32>
  %1 = te.add %zero, %x : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  return %0, %1 : tensor<4x8xf32>, tensor<4x8xf32>
}

// +0 turns -0 into +0, and a sum of another type is rounded or converted.
// CHECK-LABEL: func @add_kept(
// CHECK-COUNT-3: te.add
func.func @add_kept(%x: tensor<4x8xf32>, %y: tensor<1x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xf32>) {
  %positive = arith.constant dense<0.0> : tensor<4x8xf32>
  %negative = arith.constant dense<-0.0> : tensor<4x8xf32>
  %0 = te.add %x, %positive : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = te.add %x, %negative : tensor<4x8xf32>, tensor<4x8xf32> -> tensor<4x8xbf16>
  // The row repeats: it is not the sum.
  %2 = te.add %negative, %y : tensor<4x8xf32>, tensor<1x8xf32> -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xbf16>, tensor<4x8xf32>
}

// CHECK-LABEL: func @split_one(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    return %[[X]] :
func.func @split_one(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = te.split %x axis 1 : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// CHECK-LABEL: func @split_concat(
// CHECK-SAME:    %[[A:.*]]: tensor<4x2xf32>, %[[B:.*]]: tensor<4x6xf32>)
// CHECK-NEXT:    return %[[A]], %[[B]] :
func.func @split_concat(%a: tensor<4x2xf32>, %b: tensor<4x6xf32>) -> (tensor<4x2xf32>, tensor<4x6xf32>) {
  %c = tensor.concat dim(1) %a, %b : (tensor<4x2xf32>, tensor<4x6xf32>) -> tensor<4x8xf32>
  %0:2 = te.split %c axis 1 : tensor<4x8xf32> -> tensor<4x2xf32>, tensor<4x6xf32>
  return %0#0, %0#1 : tensor<4x2xf32>, tensor<4x6xf32>
}

// Other seams, and another axis.
// CHECK-LABEL: func @split_kept(
// CHECK-COUNT-2: te.split
func.func @split_kept(%a: tensor<4x4xf32>) -> (tensor<4x2xf32>, tensor<4x4xf32>) {
  %c = tensor.concat dim(1) %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %0:2 = te.split %c axis 1 : tensor<4x8xf32> -> tensor<4x2xf32>, tensor<4x6xf32>
  %d = tensor.concat dim(1) %a, %a : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x8xf32>
  %e = tensor.expand_shape %d [[0, 1], [2]] output_shape [2, 2, 8] : tensor<4x8xf32> into tensor<2x2x8xf32>
  %f = tensor.collapse_shape %e [[0], [1, 2]] : tensor<2x2x8xf32> into tensor<2x16xf32>
  %1:2 = te.split %d axis 0 : tensor<4x8xf32> -> tensor<2x8xf32>, tensor<2x8xf32>
  %g = tensor.extract_slice %1#0[0, 0] [2, 4] [1, 1] : tensor<2x8xf32> to tensor<2x4xf32>
  %h = tensor.concat dim(0) %g, %g : (tensor<2x4xf32>, tensor<2x4xf32>) -> tensor<4x4xf32>
  return %0#0, %h : tensor<4x2xf32>, tensor<4x4xf32>
}

// What nobody reads is not made.
// CHECK-LABEL: func @quantize(
// CHECK-NEXT:    %[[Q:.*]], %[[D:.*]] = te.quantize %{{.*}}, %{{.*}} {note = "kept"} : tensor<16x32xf32> -> columnwise tensor<32x16xf8E4M3FN> dbias tensor<32xf32>
// CHECK-NEXT:    return %[[Q]], %[[D]]
func.func @quantize(%x: tensor<16x32xf32>, %s: tensor<f32>) -> (tensor<32x16xf8E4M3FN>, tensor<32xf32>) {
  %0:4 = te.quantize %x, %s {note = "kept"} : tensor<16x32xf32>
    -> rowwise tensor<16x32xf8E4M3FN> columnwise tensor<32x16xf8E4M3FN> amax tensor<f32> dbias tensor<32xf32>
  return %0#1, %0#3 : tensor<32x16xf8E4M3FN>, tensor<32xf32>
}

// A quantization is not one for its sums alone.
// CHECK-LABEL: func @quantize_sums(
// CHECK:         te.quantize %{{.*}} -> rowwise tensor<16x32xf8E4M3FN> dbias tensor<32xf32>
func.func @quantize_sums(%x: tensor<16x32xf32>, %s: tensor<f32>) -> tensor<32xf32> {
  %0:2 = te.quantize %x, %s : tensor<16x32xf32> -> rowwise tensor<16x32xf8E4M3FN> dbias tensor<32xf32>
  return %0#1 : tensor<32xf32>
}

// A region hands out what it computes and somebody reads, once each.
// CHECK-LABEL: func @region(
// CHECK-SAME:    %[[X:.*]]: tensor<4x8xf32>)
// CHECK-NEXT:    %[[R:.*]] = te.region high -> (tensor<4x8xf32>) {
// CHECK-NEXT:      %[[A:.*]] = te.activation silu %[[X]]
// CHECK-NEXT:      te.yield %[[A]] : tensor<4x8xf32>
// CHECK-NEXT:    }
// CHECK-NEXT:    return %[[R]], %[[X]], %[[R]]
func.func @region(%x: tensor<4x8xf32>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0:4 = te.region high -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
    %a = te.activation silu %x : tensor<4x8xf32> -> y tensor<4x8xf32>
    %b = te.activation relu %x : tensor<4x8xf32> -> y tensor<4x8xf32>
    te.yield %a, %b, %x, %a : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
  }
  return %0#0, %0#2, %0#3 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
