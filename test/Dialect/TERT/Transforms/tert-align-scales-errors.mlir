// RUN: te-opt %s --tert-align-scales | FileCheck %s

// What the pass cannot align stays as it is.

// Buffers of their own are aligned.
// CHECK-LABEL: func @scalar(
// CHECK-NEXT:    tert.scaled_matmul
func.func @scalar(%a: memref<16x32xf8E4M3FN>, %d: memref<16x16xbf16>, %s: memref<f32>) {
  tert.scaled_matmul a(%a : memref<16x32xf8E4M3FN>) a_scale_inv(%s : memref<f32>) b(%a : memref<16x32xf8E4M3FN>) b_scale_inv(%s : memref<f32>) -> d(%d : memref<16x16xbf16>) {accumulate = #te.accumulate<fast>}
  return
}

// Which element it is shows only when the program runs.
// CHECK-LABEL: func @dynamic(
// CHECK-NEXT:    memref.subview
// CHECK-NEXT:    tert.scaled_matmul
func.func @dynamic(%a: memref<16x32xf8E4M3FN>, %d: memref<16x16xbf16>, %s: memref<6xf32>, %i: index) {
  %0 = memref.subview %s[%i] [1] [1] : memref<6xf32> to memref<f32, strided<[], offset: ?>>
  tert.scaled_matmul a(%a : memref<16x32xf8E4M3FN>) a_scale_inv(%0 : memref<f32, strided<[], offset: ?>>) b(%a : memref<16x32xf8E4M3FN>) b_scale_inv(%0 : memref<f32, strided<[], offset: ?>>) -> d(%d : memref<16x16xbf16>) {accumulate = #te.accumulate<fast>}
  return
}
