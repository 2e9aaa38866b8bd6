// RUN: te-opt %s --tert-quantize-concats --split-input-file | FileCheck %s

// One call reads the parts where they lie.

// CHECK-LABEL: func @parts(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<16x128xf32>, %[[B:[^ ]*]]: memref<48x128xf32>, %[[S:[^ ]*]]: memref<f32>,
// CHECK-SAME:    %[[Q:[^ ]*]]: memref<64x128xf8E4M3FN>, %[[QT:[^ ]*]]: memref<128x64xf8E4M3FN>, %[[AMAX:[^ ]*]]: memref<f32>)
// CHECK-NEXT:    tert.quantize_joined x(%[[A]], %[[B]] : memref<16x128xf32>, memref<48x128xf32>) scale(%[[S]] : memref<f32>) -> rowwise(%[[Q]] : memref<64x128xf8E4M3FN>) columnwise(%[[QT]] : memref<128x64xf8E4M3FN>) amax(%[[AMAX]] : memref<f32>)
// CHECK-NEXT:    return
func.func @parts(%a: memref<16x128xf32>, %b: memref<48x128xf32>, %s: memref<f32>,
                 %q: memref<64x128xf8E4M3FN>, %qt: memref<128x64xf8E4M3FN>, %amax: memref<f32>) {
  %0 = memref.alloc() : memref<64x128xf32>
  %1 = memref.subview %0[0, 0] [16, 128] [1, 1] : memref<64x128xf32> to memref<16x128xf32, strided<[128, 1]>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%1 : memref<16x128xf32, strided<[128, 1]>>)
  %2 = memref.subview %0[16, 0] [48, 128] [1, 1] : memref<64x128xf32> to memref<48x128xf32, strided<[128, 1], offset: 2048>>
  tert.copy x(%b : memref<48x128xf32>) -> y(%2 : memref<48x128xf32, strided<[128, 1], offset: 2048>>)
  tert.quantize x(%0 : memref<64x128xf32>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<64x128xf8E4M3FN>) columnwise(%qt : memref<128x64xf8E4M3FN>) amax(%amax : memref<f32>)
  return
}

// -----

// More than a call takes: each part goes to its rows and its columns; the amax is
// that of the amaxes.

// CHECK-LABEL: func @many(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<16x128xf32>, %[[B:[^ ]*]]: memref<16x128xf32>,
// CHECK-SAME:    %[[S:[^ ]*]]: memref<f32>, %[[Q:[^ ]*]]: memref<80x128xf8E4M3FN>, %[[QT:[^ ]*]]: memref<128x80xf8E4M3FN>, %[[AMAX:[^ ]*]]: memref<f32>)
// CHECK-NEXT:    %[[M:.*]] = memref.alloc() : memref<5xf32>
// CHECK-NEXT:    %[[Q0:.*]] = memref.subview %[[Q]][0, 0] [16, 128] [1, 1]
// CHECK-NEXT:    %[[QT0:.*]] = memref.subview %[[QT]][0, 0] [128, 16] [1, 1]
// CHECK-NEXT:    %[[M0:.*]] = memref.subview %[[M]][0] [1] [1] : memref<5xf32> to memref<f32, strided<[]>>
// CHECK-NEXT:    tert.quantize x(%[[A]] : memref<16x128xf32>) scale(%[[S]] : memref<f32>) -> rowwise(%[[Q0]] : memref<16x128xf8E4M3FN, strided<[128, 1]>>) columnwise(%[[QT0]] : memref<128x16xf8E4M3FN, strided<[80, 1]>>) amax(%[[M0]] : memref<f32, strided<[]>>)
// CHECK-NEXT:    %[[Q1:.*]] = memref.subview %[[Q]][16, 0] [16, 128] [1, 1]
// CHECK-NEXT:    %[[QT1:.*]] = memref.subview %[[QT]][0, 16] [128, 16] [1, 1]
// CHECK-NEXT:    %[[M1:.*]] = memref.subview %[[M]][1] [1] [1] : memref<5xf32> to memref<f32, strided<[], offset: 1>>
// CHECK-NEXT:    tert.quantize x(%[[B]] : memref<16x128xf32>) scale(%[[S]] : memref<f32>) -> rowwise(%[[Q1]] : {{.*}}) columnwise(%[[QT1]] : {{.*}}) amax(%[[M1]] : {{.*}})
// CHECK-COUNT-3: tert.quantize x(
// CHECK-NEXT:    tert.amax x(%[[M]] : memref<5xf32>) -> amax(%[[AMAX]] : memref<f32>)
// CHECK-NEXT:    return
func.func @many(%x0: memref<16x128xf32>, %x1: memref<16x128xf32>, %x2: memref<16x128xf32>, %x3: memref<16x128xf32>, %x4: memref<16x128xf32>,
                %s: memref<f32>, %q: memref<80x128xf8E4M3FN>, %qt: memref<128x80xf8E4M3FN>, %amax: memref<f32>) {
  %0 = memref.alloc() : memref<80x128xf32>
  %v0 = memref.subview %0[0, 0] [16, 128] [1, 1] : memref<80x128xf32> to memref<16x128xf32, strided<[128, 1]>>
  tert.copy x(%x0 : memref<16x128xf32>) -> y(%v0 : memref<16x128xf32, strided<[128, 1]>>)
  %v1 = memref.subview %0[16, 0] [16, 128] [1, 1] : memref<80x128xf32> to memref<16x128xf32, strided<[128, 1], offset: 2048>>
  tert.copy x(%x1 : memref<16x128xf32>) -> y(%v1 : memref<16x128xf32, strided<[128, 1], offset: 2048>>)
  %v2 = memref.subview %0[32, 0] [16, 128] [1, 1] : memref<80x128xf32> to memref<16x128xf32, strided<[128, 1], offset: 4096>>
  tert.copy x(%x2 : memref<16x128xf32>) -> y(%v2 : memref<16x128xf32, strided<[128, 1], offset: 4096>>)
  %v3 = memref.subview %0[48, 0] [16, 128] [1, 1] : memref<80x128xf32> to memref<16x128xf32, strided<[128, 1], offset: 6144>>
  tert.copy x(%x3 : memref<16x128xf32>) -> y(%v3 : memref<16x128xf32, strided<[128, 1], offset: 6144>>)
  %v4 = memref.subview %0[64, 0] [16, 128] [1, 1] : memref<80x128xf32> to memref<16x128xf32, strided<[128, 1], offset: 8192>>
  tert.copy x(%x4 : memref<16x128xf32>) -> y(%v4 : memref<16x128xf32, strided<[128, 1], offset: 8192>>)
  tert.quantize x(%0 : memref<80x128xf32>) scale(%s : memref<f32>)
    -> rowwise(%q : memref<80x128xf8E4M3FN>) columnwise(%qt : memref<128x80xf8E4M3FN>) amax(%amax : memref<f32>)
  return
}

// -----

// An amax of the matrix, from which its scale is made, is that of the amaxes.

// CHECK-LABEL: func @own_scale(
// CHECK-SAME:    %[[A:[^ ]*]]: memref<16x128xbf16>, %[[B:[^ ]*]]: memref<48x128xbf16>, %[[Q:[^ ]*]]: memref<64x128xf8E4M3FN>, %[[INV:[^ ]*]]: memref<f32>)
// CHECK-NEXT:    %[[AMAX:.*]] = memref.alloc() : memref<f32>
// CHECK-NEXT:    %[[S:.*]] = memref.alloc() : memref<f32>
// CHECK-NEXT:    %[[M:.*]] = memref.alloc() : memref<2xf32>
// CHECK-NEXT:    %[[M1:.*]] = memref.subview %[[M]][1] [1] [1]
// CHECK-NEXT:    tert.amax x(%[[B]] : memref<48x128xbf16>) -> amax(%[[M1]] : {{.*}})
// CHECK-NEXT:    %[[M0:.*]] = memref.subview %[[M]][0] [1] [1]
// CHECK-NEXT:    tert.amax x(%[[A]] : memref<16x128xbf16>) -> amax(%[[M0]] : {{.*}})
// CHECK-NEXT:    tert.amax x(%[[M]] : memref<2xf32>) -> amax(%[[AMAX]] : memref<f32>)
// CHECK-NEXT:    tert.compute_scale amax(%[[AMAX]] : memref<f32>) -> scale(%[[S]] : memref<f32>) scale_inv(%[[INV]] : memref<f32>)
// CHECK-NEXT:    tert.quantize_joined x(%[[A]], %[[B]] : {{.*}}) scale(%[[S]] : memref<f32>) -> rowwise(%[[Q]] : memref<64x128xf8E4M3FN>)
// CHECK-NEXT:    return
func.func @own_scale(%a: memref<16x128xbf16>, %b: memref<48x128xbf16>, %q: memref<64x128xf8E4M3FN>, %inv: memref<f32>) {
  %amax = memref.alloc() : memref<f32>
  %s = memref.alloc() : memref<f32>
  %0 = memref.alloc() : memref<64x128xbf16>
  %1 = memref.subview %0[0, 0] [16, 128] [1, 1] : memref<64x128xbf16> to memref<16x128xbf16, strided<[128, 1]>>
  tert.copy x(%a : memref<16x128xbf16>) -> y(%1 : memref<16x128xbf16, strided<[128, 1]>>)
  %2 = memref.subview %0[16, 0] [48, 128] [1, 1] : memref<64x128xbf16> to memref<48x128xbf16, strided<[128, 1], offset: 2048>>
  tert.copy x(%b : memref<48x128xbf16>) -> y(%2 : memref<48x128xbf16, strided<[128, 1], offset: 2048>>)
  tert.amax x(%0 : memref<64x128xbf16>) -> amax(%amax : memref<f32>)
  tert.compute_scale amax(%amax : memref<f32>) -> scale(%s : memref<f32>) scale_inv(%inv : memref<f32>) {epsilon = 0.0 : f32, format = f8E4M3FN, margin = 0 : i32}
  tert.quantize x(%0 : memref<64x128xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>)
  return
}

// One that is taken before the matrix is complete stays where it is.

// CHECK-LABEL: func @early_amax(
// CHECK:         tert.copy
// CHECK-NEXT:    tert.amax x(%{{.*}} : memref<64x128xbf16>)
// CHECK:         tert.copy
// CHECK:         tert.quantize x(%{{.*}} : memref<64x128xbf16>)
func.func @early_amax(%a: memref<16x128xbf16>, %b: memref<48x128xbf16>, %s: memref<f32>, %q: memref<64x128xf8E4M3FN>, %amax: memref<f32>) {
  %0 = memref.alloc() : memref<64x128xbf16>
  %1 = memref.subview %0[0, 0] [16, 128] [1, 1] : memref<64x128xbf16> to memref<16x128xbf16, strided<[128, 1]>>
  tert.copy x(%a : memref<16x128xbf16>) -> y(%1 : memref<16x128xbf16, strided<[128, 1]>>)
  tert.amax x(%0 : memref<64x128xbf16>) -> amax(%amax : memref<f32>)
  %2 = memref.subview %0[16, 0] [48, 128] [1, 1] : memref<64x128xbf16> to memref<48x128xbf16, strided<[128, 1], offset: 2048>>
  tert.copy x(%b : memref<48x128xbf16>) -> y(%2 : memref<48x128xbf16, strided<[128, 1], offset: 2048>>)
  tert.quantize x(%0 : memref<64x128xbf16>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>)
  return
}

// -----

// A part is written again before the matrix is quantized.

// CHECK-LABEL: func @changed(
// CHECK-COUNT-2: tert.copy
// CHECK:         tert.quantize x(%{{.*}} : memref<64x128xf32>)
func.func @changed(%a: memref<16x128xf32>, %b: memref<48x128xf32>, %s: memref<f32>, %q: memref<64x128xf8E4M3FN>) {
  %0 = memref.alloc() : memref<64x128xf32>
  %1 = memref.subview %0[0, 0] [16, 128] [1, 1] : memref<64x128xf32> to memref<16x128xf32, strided<[128, 1]>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%1 : memref<16x128xf32, strided<[128, 1]>>)
  tert.fill -> y(%a : memref<16x128xf32>) {value = 0.0 : f64}
  %2 = memref.subview %0[16, 0] [48, 128] [1, 1] : memref<64x128xf32> to memref<48x128xf32, strided<[128, 1], offset: 2048>>
  tert.copy x(%b : memref<48x128xf32>) -> y(%2 : memref<48x128xf32, strided<[128, 1], offset: 2048>>)
  tert.quantize x(%0 : memref<64x128xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<64x128xf8E4M3FN>)
  return
}

// -----

// Somebody else reads the matrix, or a part of it is missing.

// CHECK-LABEL: func @read(
// CHECK-COUNT-2: tert.copy
// CHECK:         tert.quantize x(%{{.*}} : memref<32x128xf32>)
func.func @read(%a: memref<16x128xf32>, %s: memref<f32>, %q: memref<32x128xf8E4M3FN>, %y: memref<128xf32>) {
  %0 = memref.alloc() : memref<32x128xf32>
  %1 = memref.subview %0[0, 0] [16, 128] [1, 1] : memref<32x128xf32> to memref<16x128xf32, strided<[128, 1]>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%1 : memref<16x128xf32, strided<[128, 1]>>)
  %2 = memref.subview %0[16, 0] [16, 128] [1, 1] : memref<32x128xf32> to memref<16x128xf32, strided<[128, 1], offset: 2048>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%2 : memref<16x128xf32, strided<[128, 1], offset: 2048>>)
  tert.quantize x(%0 : memref<32x128xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<32x128xf8E4M3FN>)
  tert.column_sum x(%0 : memref<32x128xf32>) -> y(%y : memref<128xf32>)
  return
}

// CHECK-LABEL: func @gap(
// CHECK-COUNT-2: tert.copy
// CHECK:         tert.quantize x(%{{.*}} : memref<48x128xf32>)
func.func @gap(%a: memref<16x128xf32>, %s: memref<f32>, %q: memref<48x128xf8E4M3FN>) {
  %0 = memref.alloc() : memref<48x128xf32>
  %1 = memref.subview %0[0, 0] [16, 128] [1, 1] : memref<48x128xf32> to memref<16x128xf32, strided<[128, 1]>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%1 : memref<16x128xf32, strided<[128, 1]>>)
  %2 = memref.subview %0[32, 0] [16, 128] [1, 1] : memref<48x128xf32> to memref<16x128xf32, strided<[128, 1], offset: 4096>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%2 : memref<16x128xf32, strided<[128, 1], offset: 4096>>)
  tert.quantize x(%0 : memref<48x128xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<48x128xf8E4M3FN>)
  return
}

// -----

// Rows that are copied in reverse, or at every other place, are no parts: read where
// they lie they would be in another order.

// CHECK-LABEL: func @reversed(
// CHECK-COUNT-2: tert.copy
// CHECK:         tert.quantize x(%{{.*}} : memref<32x128xf32>)
func.func @reversed(%a: memref<16x128xf32>, %s: memref<f32>, %q: memref<32x128xf8E4M3FN>) {
  %0 = memref.alloc() : memref<32x128xf32>
  %1 = memref.subview %0[15, 0] [16, 128] [-1, 1] : memref<32x128xf32> to memref<16x128xf32, strided<[-128, 1], offset: 1920>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%1 : memref<16x128xf32, strided<[-128, 1], offset: 1920>>)
  %2 = memref.subview %0[16, 0] [16, 128] [1, 1] : memref<32x128xf32> to memref<16x128xf32, strided<[128, 1], offset: 2048>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%2 : memref<16x128xf32, strided<[128, 1], offset: 2048>>)
  tert.quantize x(%0 : memref<32x128xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<32x128xf8E4M3FN>)
  return
}

// CHECK-LABEL: func @reversed_columns(
// CHECK-COUNT-2: tert.copy
// CHECK:         tert.quantize x(%{{.*}} : memref<32x128xf32>)
func.func @reversed_columns(%a: memref<16x128xf32>, %s: memref<f32>, %q: memref<32x128xf8E4M3FN>) {
  %0 = memref.alloc() : memref<32x128xf32>
  %1 = memref.subview %0[0, 127] [16, 128] [1, -1] : memref<32x128xf32> to memref<16x128xf32, strided<[128, -1], offset: 127>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%1 : memref<16x128xf32, strided<[128, -1], offset: 127>>)
  %2 = memref.subview %0[16, 0] [16, 128] [1, 1] : memref<32x128xf32> to memref<16x128xf32, strided<[128, 1], offset: 2048>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%2 : memref<16x128xf32, strided<[128, 1], offset: 2048>>)
  tert.quantize x(%0 : memref<32x128xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<32x128xf8E4M3FN>)
  return
}

// 31 rows from the first to the last of 16, and the one behind them.
// CHECK-LABEL: func @every_other(
// CHECK-COUNT-2: tert.copy
// CHECK:         tert.quantize x(%{{.*}} : memref<32x128xf32>)
func.func @every_other(%a: memref<16x128xf32>, %b: memref<1x128xf32>, %s: memref<f32>, %q: memref<32x128xf8E4M3FN>) {
  %0 = memref.alloc() : memref<32x128xf32>
  %1 = memref.subview %0[0, 0] [16, 128] [2, 1] : memref<32x128xf32> to memref<16x128xf32, strided<[256, 1]>>
  tert.copy x(%a : memref<16x128xf32>) -> y(%1 : memref<16x128xf32, strided<[256, 1]>>)
  %2 = memref.subview %0[31, 0] [1, 128] [1, 1] : memref<32x128xf32> to memref<1x128xf32, strided<[128, 1], offset: 3968>>
  tert.copy x(%b : memref<1x128xf32>) -> y(%2 : memref<1x128xf32, strided<[128, 1], offset: 3968>>)
  tert.quantize x(%0 : memref<32x128xf32>) scale(%s : memref<f32>) -> rowwise(%q : memref<32x128xf8E4M3FN>)
  return
}
