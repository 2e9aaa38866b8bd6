// RUN: te-opt %s --tert-align-scales --split-input-file | FileCheck %s

// One copy serves all products until the vector is written; then another one.

// CHECK-LABEL: func @vector(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<16x32xf8E4M3FN>, %[[D:[^ ]*]]: memref<16x16xbf16>, %[[S:[^ ]*]]: memref<6xf32>)
// CHECK:         %[[FIRST:.*]] = memref.alloc() : memref<6x4xf32>
// CHECK-NEXT:    %[[COLUMN:.*]] = memref.subview %[[FIRST]][0, 0] [6, 1] [1, 1] : memref<6x4xf32> to memref<6xf32, strided<[4]>>
// CHECK-NEXT:    tert.copy x(%[[S]] : memref<6xf32>) -> y(%[[COLUMN]] : memref<6xf32, strided<[4]>>)
// CHECK-NEXT:    %[[S0:.*]] = memref.subview %[[FIRST]][0, 0] [1, 1] [1, 1] : memref<6x4xf32> to memref<f32, strided<[]>>
// CHECK-NEXT:    %[[S5:.*]] = memref.subview %[[FIRST]][5, 0] [1, 1] [1, 1] : memref<6x4xf32> to memref<f32, strided<[], offset: 20>>
// CHECK-NEXT:    tert.scaled_matmul {{.*}} a_scale_inv(%[[S0]] : memref<f32, strided<[]>>) b({{.*}}) b_scale_inv(%[[S5]] : memref<f32, strided<[], offset: 20>>)
// CHECK-NEXT:    %[[AGAIN:.*]] = memref.subview %[[FIRST]][5, 0]
// CHECK-NEXT:    %[[S0:.*]] = memref.subview %[[FIRST]][0, 0]
// CHECK-NEXT:    tert.scaled_matmul {{.*}} a_scale_inv(%[[AGAIN]] : {{.*}}) b({{.*}}) b_scale_inv(%[[S0]] :
// CHECK-NEXT:    tert.fill -> y(%[[S]] : memref<6xf32>)
// CHECK-NEXT:    %[[SECOND:.*]] = memref.alloc() : memref<6x4xf32>
// CHECK:         tert.copy x(%[[S]] :
// CHECK:         memref.subview %[[SECOND]][0, 0] [1, 1]
// CHECK:         memref.subview %[[SECOND]][5, 0] [1, 1]
// CHECK-NEXT:    tert.scaled_matmul
func.func @vector(%a: memref<16x32xf8E4M3FN>, %d: memref<16x16xbf16>, %s: memref<6xf32>) {
  %0 = memref.subview %s[0] [1] [1] : memref<6xf32> to memref<f32, strided<[]>>
  %5 = memref.subview %s[5] [1] [1] : memref<6xf32> to memref<f32, strided<[], offset: 5>>
  tert.scaled_matmul a(%a : memref<16x32xf8E4M3FN>) a_scale_inv(%0 : memref<f32, strided<[]>>) b(%a : memref<16x32xf8E4M3FN>) b_scale_inv(%5 : memref<f32, strided<[], offset: 5>>) -> d(%d : memref<16x16xbf16>) {accumulate = #te.accumulate<fast>}
  tert.scaled_matmul a(%a : memref<16x32xf8E4M3FN>) a_scale_inv(%5 : memref<f32, strided<[], offset: 5>>) b(%a : memref<16x32xf8E4M3FN>) b_scale_inv(%0 : memref<f32, strided<[]>>) -> d(%d : memref<16x16xbf16>) {accumulate = #te.accumulate<fast>}
  tert.fill -> y(%s : memref<6xf32>) {value = 1.0 : f64}
  tert.scaled_matmul a(%a : memref<16x32xf8E4M3FN>) a_scale_inv(%0 : memref<f32, strided<[]>>) b(%a : memref<16x32xf8E4M3FN>) b_scale_inv(%5 : memref<f32, strided<[], offset: 5>>) -> d(%d : memref<16x16xbf16>) {accumulate = #te.accumulate<fast>}
  return
}

// -----

// A write to one element counts as well, and what writes elsewhere does not.

// CHECK-LABEL: func @element(
// CHECK-COUNT-2: memref.alloc() : memref<6x4xf32>
// CHECK-NOT:     memref.alloc()
func.func @element(%a: memref<16x32xf8E4M3FN>, %d: memref<16x16xbf16>, %s: memref<6xf32>, %other: memref<6xf32>) {
  %0 = memref.subview %s[0] [1] [1] : memref<6xf32> to memref<f32, strided<[]>>
  tert.scaled_matmul a(%a : memref<16x32xf8E4M3FN>) a_scale_inv(%0 : memref<f32, strided<[]>>) b(%a : memref<16x32xf8E4M3FN>) b_scale_inv(%0 : memref<f32, strided<[]>>) -> d(%d : memref<16x16xbf16>) {accumulate = #te.accumulate<fast>}
  tert.fill -> y(%other : memref<6xf32>) {value = 1.0 : f64}
  tert.scaled_matmul a(%a : memref<16x32xf8E4M3FN>) a_scale_inv(%0 : memref<f32, strided<[]>>) b(%a : memref<16x32xf8E4M3FN>) b_scale_inv(%0 : memref<f32, strided<[]>>) -> d(%d : memref<16x16xbf16>) {accumulate = #te.accumulate<fast>}
  tert.fill -> y(%0 : memref<f32, strided<[]>>) {value = 1.0 : f64}
  tert.scaled_matmul a(%a : memref<16x32xf8E4M3FN>) a_scale_inv(%0 : memref<f32, strided<[]>>) b(%a : memref<16x32xf8E4M3FN>) b_scale_inv(%0 : memref<f32, strided<[]>>) -> d(%d : memref<16x16xbf16>) {accumulate = #te.accumulate<fast>}
  return
}
