// RUN: te-opt %s --tert-reuse-rows="min-bytes=0" --split-input-file | FileCheck %s
// RUN: te-opt %s --tert-reuse-rows="min-bytes=0" --tert-plan-memory --split-input-file | FileCheck %s --check-prefix=ARENA
// RUN: te-opt %s --tert-reuse-rows --split-input-file | FileCheck %s --check-prefix=SMALL

// A head in two parts: the gradient of its input, 8 KiB, lies where the input
// was. The products of the gradient come behind those that read the input.

// CHECK-LABEL: func @head(
// CHECK-SAME:    %[[H:[^ ]*]]: memref<64x64xbf16>, %[[W:[^ ]*]]: memref<256x64xbf16>, %[[DW:[^ ]*]]: memref<256x64xf32>, %[[DH:[^ ]*]]: memref<64x64xbf16>)
// CHECK-NEXT:    %[[X:.*]] = memref.alloc() : memref<64x64xbf16>
// CHECK-NEXT:    tert.copy x(%[[H]] : {{.*}}) -> y(%[[X]] :
// CHECK-NEXT:    %[[X0:.*]] = memref.subview %[[X]][0, 0] [32, 64] [1, 1]
// CHECK-NEXT:    %[[X1:.*]] = memref.subview %[[X]][32, 0] [32, 64] [1, 1]
// CHECK-NEXT:    %[[G0:.*]] = memref.alloc() : memref<32x256xbf16>
// CHECK-NEXT:    tert.matmul a(%[[X0]] : {{.*}}) b(%[[W]] : {{.*}}) -> d(%[[G0]] :
// CHECK-NEXT:    %[[DX0:.*]] = memref.subview %[[X]][0, 0] [32, 64] [1, 1]
// CHECK-NEXT:    tert.matmul a(%[[G0]] : {{.*}}) b(%[[X0]] : {{.*}}) -> d(%[[DW]] : {{.*}}) {transpose_a}
// CHECK-NEXT:    tert.matmul a(%[[G0]] : {{.*}}) b(%[[W]] : {{.*}}) -> d(%[[DX0]] :
// CHECK:         %[[DX1:.*]] = memref.subview %[[X]][32, 0] [32, 64] [1, 1]
// CHECK-NEXT:    tert.matmul a(%[[G1:.*]] : {{.*}}) b(%[[X1]] : {{.*}}) -> d(%[[DW]] : {{.*}}) {add_to_d, transpose_a}
// CHECK-NEXT:    tert.matmul a(%[[G1]] : {{.*}}) b(%[[W]] : {{.*}}) -> d(%[[DX1]] :
// CHECK-NEXT:    tert.copy x(%[[X]] : {{.*}}) -> y(%[[DH]] :

// The input and 16 KiB of logits.
// ARENA-LABEL: func @head(
// ARENA-SAME:    te.arena_bytes = 24576 : i64

// SMALL-LABEL: func @head(
// SMALL:         memref.alloc() : memref<64x64xbf16>
// SMALL:         memref.alloc() : memref<64x64xbf16>
func.func @head(%h: memref<64x64xbf16>, %w: memref<256x64xbf16>, %dw: memref<256x64xf32>, %dh: memref<64x64xbf16>) {
  %x = memref.alloc() : memref<64x64xbf16>
  tert.copy x(%h : memref<64x64xbf16>) -> y(%x : memref<64x64xbf16>)
  %x0 = memref.subview %x[0, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1]>>
  %x1 = memref.subview %x[32, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: 2048>>
  %g0 = memref.alloc() : memref<32x256xbf16>
  tert.matmul a(%x0 : memref<32x64xbf16, strided<[64, 1]>>) b(%w : memref<256x64xbf16>) -> d(%g0 : memref<32x256xbf16>) {transpose_b}
  %dx = memref.alloc() : memref<64x64xbf16>
  %dx0 = memref.subview %dx[0, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1]>>
  tert.matmul a(%g0 : memref<32x256xbf16>) b(%w : memref<256x64xbf16>) -> d(%dx0 : memref<32x64xbf16, strided<[64, 1]>>)
  tert.matmul a(%g0 : memref<32x256xbf16>) b(%x0 : memref<32x64xbf16, strided<[64, 1]>>) -> d(%dw : memref<256x64xf32>) {transpose_a}
  %g1 = memref.alloc() : memref<32x256xbf16>
  tert.matmul a(%x1 : memref<32x64xbf16, strided<[64, 1], offset: 2048>>) b(%w : memref<256x64xbf16>) -> d(%g1 : memref<32x256xbf16>) {transpose_b}
  %dx1 = memref.subview %dx[32, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: 2048>>
  tert.matmul a(%g1 : memref<32x256xbf16>) b(%w : memref<256x64xbf16>) -> d(%dx1 : memref<32x64xbf16, strided<[64, 1], offset: 2048>>)
  tert.matmul a(%g1 : memref<32x256xbf16>) b(%x1 : memref<32x64xbf16, strided<[64, 1], offset: 2048>>) -> d(%dw : memref<256x64xf32>) {add_to_d, transpose_a}
  tert.copy x(%dx : memref<64x64xbf16>) -> y(%dh : memref<64x64xbf16>)
  return
}

// -----

// All of the input is read once more when the first part has been written.

// CHECK-LABEL: func @read_again(
// CHECK-COUNT-2: memref.alloc() : memref<64x64xbf16>
func.func @read_again(%h: memref<64x64xbf16>, %w: memref<64x64xbf16>, %dw: memref<64x64xf32>, %dh: memref<64x64xbf16>) {
  %x = memref.alloc() : memref<64x64xbf16>
  tert.copy x(%h : memref<64x64xbf16>) -> y(%x : memref<64x64xbf16>)
  %y = memref.alloc() : memref<64x64xbf16>
  %y0 = memref.subview %y[0, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1]>>
  %y1 = memref.subview %y[32, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: 2048>>
  %x0 = memref.subview %x[0, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1]>>
  tert.matmul a(%x0 : memref<32x64xbf16, strided<[64, 1]>>) b(%w : memref<64x64xbf16>) -> d(%y0 : memref<32x64xbf16, strided<[64, 1]>>)
  tert.matmul a(%x : memref<64x64xbf16>) b(%w : memref<64x64xbf16>) -> d(%dw : memref<64x64xf32>)
  tert.copy x(%y0 : memref<32x64xbf16, strided<[64, 1]>>) -> y(%y1 : memref<32x64xbf16, strided<[64, 1], offset: 2048>>)
  tert.copy x(%y : memref<64x64xbf16>) -> y(%dh : memref<64x64xbf16>)
  return
}

// -----

// A product cannot write over its own input.

// CHECK-LABEL: func @own_input(
// CHECK-COUNT-2: memref.alloc() : memref<64x64xbf16>
func.func @own_input(%h: memref<64x64xbf16>, %w: memref<64x64xbf16>, %dh: memref<64x64xbf16>) {
  %x = memref.alloc() : memref<64x64xbf16>
  tert.copy x(%h : memref<64x64xbf16>) -> y(%x : memref<64x64xbf16>)
  %y = memref.alloc() : memref<64x64xbf16>
  %y0 = memref.subview %y[0, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1]>>
  %y1 = memref.subview %y[32, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: 2048>>
  %x0 = memref.subview %x[0, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1]>>
  %x1 = memref.subview %x[32, 0] [32, 64] [1, 1] : memref<64x64xbf16> to memref<32x64xbf16, strided<[64, 1], offset: 2048>>
  tert.matmul a(%x0 : memref<32x64xbf16, strided<[64, 1]>>) b(%w : memref<64x64xbf16>) -> d(%y0 : memref<32x64xbf16, strided<[64, 1]>>)
  tert.matmul a(%x1 : memref<32x64xbf16, strided<[64, 1], offset: 2048>>) b(%w : memref<64x64xbf16>) -> d(%y1 : memref<32x64xbf16, strided<[64, 1], offset: 2048>>)
  tert.copy x(%y : memref<64x64xbf16>) -> y(%dh : memref<64x64xbf16>)
  return
}

// -----

// The copy to %y would have to come behind the product, which reads it.

// CHECK-LABEL: func @reads_result(
// CHECK-COUNT-2: memref.alloc() : memref<64x64xbf16>
func.func @reads_result(%h: memref<64x64xbf16>, %dw: memref<64x64xf32>, %dh: memref<64x64xbf16>) {
  %x = memref.alloc() : memref<64x64xbf16>
  tert.copy x(%h : memref<64x64xbf16>) -> y(%x : memref<64x64xbf16>)
  %y = memref.alloc() : memref<64x64xbf16>
  tert.copy x(%h : memref<64x64xbf16>) -> y(%y : memref<64x64xbf16>)
  tert.matmul a(%y : memref<64x64xbf16>) b(%x : memref<64x64xbf16>) -> d(%dw : memref<64x64xf32>)
  tert.copy x(%y : memref<64x64xbf16>) -> y(%dh : memref<64x64xbf16>)
  return
}
