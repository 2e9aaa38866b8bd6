// RUN: te-opt %s --te-pad-rows --split-input-file | FileCheck %s
// RUN: te-opt %s --te-pad-rows=row-bytes=16 --split-input-file | FileCheck %s --check-prefix=BYTES16
// RUN: te-opt %s --te-pad-rows --te-plan-memory --split-input-file | FileCheck %s --check-prefix=PLAN

// 509 columns of bf16 become rows of 512 elements; with a product's result its
// other readers see the same stride.

// CHECK-LABEL: func @logits(
// CHECK:         %[[ROWS:.*]] = memref.alloc() : memref<64x512xbf16>
// CHECK:         %[[L:.*]] = memref.subview %[[ROWS]][0, 0] [64, 509] [1, 1] : memref<64x512xbf16> to memref<64x509xbf16, strided<[512, 1]>>
// CHECK:         tert.matmul {{.*}} -> d(%[[L]] : memref<64x509xbf16, strided<[512, 1]>>) {transpose_b}
// CHECK:         tert.column_sum x(%[[L]] : memref<64x509xbf16, strided<[512, 1]>>)
// BYTES16-LABEL: func @logits(
// BYTES16:         memref.alloc() : memref<64x512xbf16>
// PLAN-LABEL:  func @logits(
// PLAN-SAME:     memref<65536xi8> {te.arena}
func.func @logits(%x: memref<64x32xbf16>, %w: memref<509x32xbf16>, %y: memref<509xf32>) {
  %l = memref.alloc() : memref<64x509xbf16>
  tert.matmul a(%x : memref<64x32xbf16>) b(%w : memref<509x32xbf16>) -> d(%l : memref<64x509xbf16>) {transpose_b}
  tert.column_sum x(%l : memref<64x509xbf16>) -> y(%y : memref<509xf32>)
  return
}

// -----

// An operand. f32 rows of 70 elements are 280 bytes: 384, or 288 in steps of 16.

// CHECK-LABEL: func @operand(
// CHECK:         memref.alloc() : memref<8x96xf32>
// BYTES16-LABEL: func @operand(
// BYTES16:         memref.alloc() : memref<8x72xf32>
func.func @operand(%x: memref<8x70xf32>, %w: memref<70x4xf32>, %y: memref<8x4xf32>) {
  %a = memref.alloc() : memref<8x70xf32>
  tert.copy x(%x : memref<8x70xf32>) -> y(%a : memref<8x70xf32>)
  tert.matmul a(%a : memref<8x70xf32>) b(%w : memref<70x4xf32>) -> d(%y : memref<8x4xf32>)
  return
}

// -----

// Aligned rows, short rows, one row, no product, and a matrix that is reshaped
// stay as they are.

// CHECK-LABEL: func @stay(
// CHECK-NOT:     memref.subview
// BYTES16-LABEL: func @stay(
func.func @stay(%w: memref<72x72xf32>, %v: memref<70x70xf32>, %y2: memref<8x70xf32>, %y: memref<8x10x7xf32>) {
  %aligned = memref.alloc() : memref<72x72xf32>
  tert.matmul a(%w : memref<72x72xf32>) b(%w : memref<72x72xf32>) -> d(%aligned : memref<72x72xf32>)
  %short = memref.alloc() : memref<7x7xbf16>
  tert.matmul a(%short : memref<7x7xbf16>) b(%short : memref<7x7xbf16>) -> d(%short : memref<7x7xbf16>)
  %row = memref.alloc() : memref<1x70xf32>
  tert.matmul a(%row : memref<1x70xf32>) b(%v : memref<70x70xf32>) -> d(%row : memref<1x70xf32>)
  %unmultiplied = memref.alloc() : memref<8x70xf32>
  tert.copy x(%unmultiplied : memref<8x70xf32>) -> y(%unmultiplied : memref<8x70xf32>)
  %reshaped = memref.alloc() : memref<8x70xf32>
  tert.matmul a(%y2 : memref<8x70xf32>) b(%v : memref<70x70xf32>) -> d(%reshaped : memref<8x70xf32>)
  %heads = memref.expand_shape %reshaped [[0], [1, 2]] output_shape [8, 10, 7] : memref<8x70xf32> into memref<8x10x7xf32>
  tert.copy x(%heads : memref<8x10x7xf32>) -> y(%y : memref<8x10x7xf32>)
  return
}
