// RUN: te-opt %s --tert-gather-in-place --split-input-file | FileCheck %s
// RUN: te-opt %s --tert-gather-in-place=max-calls=1 --split-input-file | FileCheck %s --check-prefix=FEW

// A part of an input is where the input has it; what is gathered is made in the
// whole, whose buffer and views are there in time.

// CHECK-LABEL: func @layer(
// CHECK-SAME:    %[[X:[^ ]*]]: memref<2x32x64xbf16> {{.*}}, %[[S:[^ ]*]]: memref<f32>, %[[Y:[^ ]*]]: memref<2x32x64xbf16>
// CHECK-NOT:     tert.all_slice
// CHECK:         %[[P:.*]] = tert.locate_part %[[X]] {axes = 2 : i32, distance = 2048 : i64, ranks = 2 : i32} : memref<2x32x64xbf16> to memref<1x32x64xbf16>
// CHECK-NEXT:    %[[ROWS:.*]] = memref.collapse_shape %[[P]]
// CHECK-NEXT:    %[[ALL:.*]] = memref.alloc() : memref<64x64xf8E4M3FN>
// CHECK-NEXT:    %[[Q:.*]] = tert.locate_part %[[ALL]] {axes = 2 : i32, distance = 2048 : i64, ranks = 2 : i32} : memref<64x64xf8E4M3FN> to memref<32x64xf8E4M3FN>
// CHECK-NEXT:    tert.quantize x(%[[ROWS]] : memref<32x64xbf16>) {{.*}} -> rowwise(%[[Q]] : memref<32x64xf8E4M3FN>)
// CHECK-NEXT:    tert.collective all_gather x(%[[Q]] : memref<32x64xf8E4M3FN>) -> y(%[[ALL]] : memref<64x64xf8E4M3FN>)
// CHECK:         %[[WHOLE:.*]] = memref.collapse_shape %[[Y]] {{.*}} into memref<64x64xbf16>
// CHECK-NEXT:    %[[Z:.*]] = tert.locate_part %[[WHOLE]] {{.*}} : memref<64x64xbf16> to memref<32x64xbf16>
// CHECK-NEXT:    memref.subview %[[Z]]
// CHECK:         tert.collective all_gather x(%[[Z]] : memref<32x64xbf16>)
func.func @layer(%x: memref<2x32x64xbf16> {te.input = "x"}, %s: memref<f32>, %y: memref<2x32x64xbf16> {te.output = "y"}, %r: memref<f32>) {
  %p = memref.alloc() : memref<1x32x64xbf16>
  tert.all_slice x(%x : memref<2x32x64xbf16>) -> y(%p : memref<1x32x64xbf16>) {axes = 2 : i32}
  %rows = memref.collapse_shape %p [[0, 1], [2]] : memref<1x32x64xbf16> into memref<32x64xbf16>
  %q = memref.alloc() : memref<32x64xf8E4M3FN>
  tert.quantize x(%rows : memref<32x64xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<32x64xf8E4M3FN>)
  %all = memref.alloc() : memref<64x64xf8E4M3FN>
  tert.collective all_gather x(%q : memref<32x64xf8E4M3FN>) -> y(%all : memref<64x64xf8E4M3FN>) {axes = 2 : i32}
  tert.dequantize x(%all : memref<64x64xf8E4M3FN>) x_scale_inv(%s : memref<f32>) -> y(%r : memref<f32>)
  %z = memref.alloc() : memref<32x64xbf16>
  %half = memref.subview %z[0, 0] [32, 32] [1, 1] : memref<32x64xbf16> to memref<32x32xbf16, strided<[64, 1]>>
  %other = memref.subview %z[0, 32] [32, 32] [1, 1] : memref<32x64xbf16> to memref<32x32xbf16, strided<[64, 1], offset: 32>>
  tert.fill -> y(%half : memref<32x32xbf16, strided<[64, 1]>>) {value = 1.0 : f64}
  tert.fill -> y(%other : memref<32x32xbf16, strided<[64, 1], offset: 32>>) {value = 2.0 : f64}
  %whole = memref.collapse_shape %y [[0, 1], [2]] : memref<2x32x64xbf16> into memref<64x64xbf16>
  tert.collective all_gather x(%z : memref<32x64xbf16>) -> y(%whole : memref<64x64xbf16>) {axes = 2 : i32}
  return
}

// -----

// A part that is written, and an argument that changes while its part is read.

// CHECK-LABEL: func @written(
// CHECK-COUNT-2: tert.all_slice
// CHECK-NOT:     tert.locate_part
func.func @written(%x: memref<64x64xbf16>, %w: memref<64x64xbf16> {te.param = "w"}, %n: memref<f32>) {
  %p = memref.alloc() : memref<32x64xbf16>
  tert.all_slice x(%x : memref<64x64xbf16>) -> y(%p : memref<32x64xbf16>) {axes = 1 : i32}
  tert.add a(%p : memref<32x64xbf16>) b(%p : memref<32x64xbf16>) -> y(%p : memref<32x64xbf16>)
  %v = memref.alloc() : memref<32x64xbf16>
  tert.all_slice x(%w : memref<64x64xbf16>) -> y(%v : memref<32x64xbf16>) {axes = 1 : i32}
  %row = memref.subview %w[0, 0] [1, 64] [1, 1] : memref<64x64xbf16> to memref<1x64xbf16, strided<[64, 1]>>
  tert.fill -> y(%row : memref<1x64xbf16, strided<[64, 1]>>) {value = 0.0 : f64}
  tert.amax x(%v : memref<32x64xbf16>) -> amax(%n : memref<f32>)
  tert.amax x(%p : memref<32x64xbf16>) -> amax(%n : memref<f32>)
  return
}

// -----

// One that changes later, of which the part is no longer read; but not a buffer,
// which would be needed for longer.

// CHECK-LABEL: func @later(
// CHECK:         %[[V:.*]] = tert.locate_part %{{.*}} : memref<64x64xbf16> to memref<32x64xbf16>
// CHECK-NEXT:    tert.amax x(%[[V]]
// CHECK-NEXT:    tert.fill
// CHECK:         tert.all_slice
func.func @later(%w: memref<64x64xbf16> {te.param = "w"}, %n: memref<f32>) {
  %v = memref.alloc() : memref<32x64xbf16>
  tert.all_slice x(%w : memref<64x64xbf16>) -> y(%v : memref<32x64xbf16>) {axes = 1 : i32}
  tert.amax x(%v : memref<32x64xbf16>) -> amax(%n : memref<f32>)
  tert.fill -> y(%w : memref<64x64xbf16>) {value = 0.0 : f64}
  %b = memref.alloc() : memref<64x64xbf16>
  tert.fill -> y(%b : memref<64x64xbf16>) {value = 1.0 : f64}
  %p = memref.alloc() : memref<32x64xbf16>
  tert.all_slice x(%b : memref<64x64xbf16>) -> y(%p : memref<32x64xbf16>) {axes = 1 : i32}
  tert.amax x(%p : memref<32x64xbf16>) -> amax(%n : memref<f32>)
  return
}

// -----

// What is read behind the gather, or gathered twice; a whole that is read while
// the part is made; and parts at which no buffer may begin.

// CHECK-LABEL: func @apart(
// CHECK-NOT:     tert.locate_part
func.func @apart(%a: memref<64x64xbf16>, %b: memref<64x64xbf16>, %c: memref<64x64xbf16>, %d: memref<6x8xbf16>, %n: memref<f32>) {
  %p = memref.alloc() : memref<32x64xbf16>
  tert.fill -> y(%p : memref<32x64xbf16>) {value = 1.0 : f64}
  tert.collective all_gather x(%p, %p : memref<32x64xbf16>, memref<32x64xbf16>) -> y(%a, %b : memref<64x64xbf16>, memref<64x64xbf16>) {axes = 1 : i32}
  tert.fill -> y(%p : memref<32x64xbf16>) {value = 2.0 : f64}
  %q = memref.alloc() : memref<32x64xbf16>
  tert.fill -> y(%q : memref<32x64xbf16>) {value = 1.0 : f64}
  tert.amax x(%c : memref<64x64xbf16>) -> amax(%n : memref<f32>)
  tert.collective all_gather x(%q : memref<32x64xbf16>) -> y(%c : memref<64x64xbf16>) {axes = 1 : i32}
  %r = memref.alloc() : memref<3x8xbf16>
  tert.fill -> y(%r : memref<3x8xbf16>) {value = 1.0 : f64}
  tert.collective all_gather x(%r : memref<3x8xbf16>) -> y(%d : memref<6x8xbf16>) {axes = 1 : i32}
  return
}

// -----

// A buffer is not taken long before the gather. A state is there anyway.

// CHECK-LABEL: func @early(
// CHECK-COUNT-2: tert.locate_part
// FEW-LABEL: func @early(
// FEW:         tert.locate_part %{{.*}} : memref<64x64xbf16> to memref<32x64xbf16>
// FEW-NOT:     tert.locate_part
func.func @early(%w: memref<64x64xbf16> {te.state = "w"}, %n: memref<f32>) {
  %p = memref.alloc() : memref<32x64xbf16>
  tert.fill -> y(%p : memref<32x64xbf16>) {value = 1.0 : f64}
  %q = memref.alloc() : memref<32x64xbf16>
  tert.fill -> y(%q : memref<32x64xbf16>) {value = 1.0 : f64}
  tert.amax x(%q : memref<32x64xbf16>) -> amax(%n : memref<f32>)
  tert.collective all_gather x(%p : memref<32x64xbf16>) -> y(%w : memref<64x64xbf16>) {axes = 1 : i32}
  %all = memref.alloc() : memref<64x64xbf16>
  tert.collective all_gather x(%q : memref<32x64xbf16>) -> y(%all : memref<64x64xbf16>) {axes = 1 : i32}
  tert.amax x(%all : memref<64x64xbf16>) -> amax(%n : memref<f32>)
  return
}

// -----

// Columns have the strides of the whole, which the call that makes them takes;
// not those of a few bytes, sequences of two pieces, or what is to be contiguous.

// FEW-LABEL: func @columns(
// CHECK-LABEL: func @columns(
// CHECK:         %[[ALL:.*]] = memref.alloc() : memref<64x256xf8E4M3FN>
// CHECK-NEXT:    %[[Q:.*]] = tert.locate_part %[[ALL]] {axes = 1 : i32, distance = 128 : i64, ranks = 2 : i32} : memref<64x256xf8E4M3FN> to memref<64x128xf8E4M3FN, strided<[256, 1]>>
// CHECK-NEXT:    tert.quantize {{.*}} -> columnwise(%[[Q]] :
// CHECK-NEXT:    tert.collective_sequence all_gather x(%[[Q]] : {{.*}}) -> y(%[[ALL]] :
// CHECK-NOT:     tert.locate_part
func.func @columns(%x: memref<128x64xbf16>, %s: memref<f32>, %few: memref<16x64xbf16>, %y: memref<64x256xf8E4M3FN>, %f: memref<64x32xf8E4M3FN>, %b: memref<64x256xf32>) {
  %q = memref.alloc() : memref<64x128xf8E4M3FN>
  tert.quantize x(%x : memref<128x64xbf16>) scale(%s : memref<f32>) -> columnwise(%q : memref<64x128xf8E4M3FN>)
  %all = memref.alloc() : memref<64x256xf8E4M3FN>
  tert.collective_sequence all_gather x(%q : memref<64x128xf8E4M3FN>) -> y(%all : memref<64x256xf8E4M3FN>) {axes = 1 : i32, dim = 1 : i32}
  tert.copy x(%all : memref<64x256xf8E4M3FN>) -> y(%y : memref<64x256xf8E4M3FN>)
  %p = memref.alloc() : memref<64x16xf8E4M3FN>
  tert.quantize x(%few : memref<16x64xbf16>) scale(%s : memref<f32>) -> columnwise(%p : memref<64x16xf8E4M3FN>)
  tert.collective_sequence all_gather x(%p : memref<64x16xf8E4M3FN>) -> y(%f : memref<64x32xf8E4M3FN>) {axes = 1 : i32, dim = 1 : i32}
  %two = memref.alloc() : memref<64x128xf32>
  tert.fill -> y(%two : memref<64x128xf32>) {value = 1.0 : f64}
  tert.collective_sequence all_gather x(%two : memref<64x128xf32>) -> y(%b : memref<64x256xf32>) {axes = 1 : i32, balanced, dim = 1 : i32}
  %sum = memref.alloc() : memref<64x128xf32>
  tert.collective all_reduce -> y(%sum : memref<64x128xf32>) {axes = 1 : i32}
  tert.collective_sequence all_gather x(%sum : memref<64x128xf32>) -> y(%b : memref<64x256xf32>) {axes = 1 : i32, dim = 1 : i32}
  return
}
