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

// -----

// Scales of 1 x 128 elements are written column by column, those of 128 x 128
// row by row, the rows at multiples of 16 bytes; what is in its place anyway,
// and what others access, stays as it is.

// CHECK-LABEL: func @blocks(
// CHECK:         %[[A:.*]] = memref.alloc() : memref<2x16xf32>
// CHECK-NEXT:    %[[AT:.*]] = memref.transpose %[[A]] (d0, d1) -> (d1, d0) : memref<2x16xf32> to memref<16x2xf32, strided<[1, 16]>>
// CHECK:         %[[B:.*]] = memref.alloc() : memref<3x4xf32>
// CHECK-NEXT:    %[[BP:.*]] = memref.subview %[[B]][0, 0] [3, 2] [1, 1] : memref<3x4xf32> to memref<3x2xf32, strided<[4, 1]>>
// CHECK:         %[[C:.*]] = memref.alloc() : memref<1x2xf32>
// CHECK:         %[[F:.*]] = memref.alloc() : memref<16x2xf32>
// CHECK:         tert.quantize_blocks {{.*}} rowwise_scale_inv(%[[AT]] : memref<16x2xf32, strided<[1, 16]>>)
// CHECK:         tert.quantize_blocks {{.*}} rowwise_scale_inv(%[[BP]] : memref<3x2xf32, strided<[4, 1]>>)
// CHECK:         tert.scaled_matmul {{.*}} a_scale_inv(%[[AT]] : {{.*}} b_scale_inv(%[[BP]] :
// CHECK:         tert.scaled_matmul {{.*}} a_scale_inv(%[[F]] : {{.*}} b_scale_inv(%[[C]] :
func.func @blocks(%x: memref<16x256xbf16>, %w: memref<384x256xbf16>, %q: memref<16x256xf8E4M3FN>, %p: memref<384x256xf8E4M3FN>,
                  %d: memref<16x384xbf16>, %square: memref<16x16xbf16>) {
  %a = memref.alloc() : memref<16x2xf32>
  %b = memref.alloc() : memref<3x2xf32>
  %c = memref.alloc() : memref<1x2xf32>
  %f = memref.alloc() : memref<16x2xf32>
  tert.quantize_blocks x(%x : memref<16x256xbf16>) -> rowwise(%q : memref<16x256xf8E4M3FN>) rowwise_scale_inv(%a : memref<16x2xf32>) {epsilon = 0.0 : f32, power_of_two}
  tert.quantize_blocks x(%w : memref<384x256xbf16>) -> rowwise(%p : memref<384x256xf8E4M3FN>) rowwise_scale_inv(%b : memref<3x2xf32>) {epsilon = 0.0 : f32, power_of_two}
  tert.scaled_matmul a(%q : memref<16x256xf8E4M3FN>) a_scale_inv(%a : memref<16x2xf32>) b(%p : memref<384x256xf8E4M3FN>) b_scale_inv(%b : memref<3x2xf32>) -> d(%d : memref<16x384xbf16>) {accumulate = #te.accumulate<split>}
  tert.amax x(%x : memref<16x256xbf16>) -> amax(%f : memref<16x2xf32>)
  tert.scaled_matmul a(%q : memref<16x256xf8E4M3FN>) a_scale_inv(%f : memref<16x2xf32>) b(%q : memref<16x256xf8E4M3FN>) b_scale_inv(%c : memref<1x2xf32>) -> d(%square : memref<16x16xbf16>) {accumulate = #te.accumulate<split>}
  return
}
