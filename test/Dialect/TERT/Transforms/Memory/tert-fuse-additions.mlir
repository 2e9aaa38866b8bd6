// RUN: te-opt %s --tert-fuse-additions --split-input-file | FileCheck %s

// Either operand may be the one that the sum is written over.

// CHECK-LABEL: func @tied(
// CHECK-SAME:    %[[IDS:[^ ]*]]: memref<8xi64>, %[[DY:[^ ]*]]: memref<8x32xbf16>, %[[DW:[^ ]*]]: memref<64x32xf32>)
// CHECK-NEXT:    tert.add_embedding_grad ids(%[[IDS]] : memref<8xi64>) dy(%[[DY]] : memref<8x32xbf16>) -> dtable(%[[DW]] : memref<64x32xf32>)
// CHECK-NEXT:    return
func.func @tied(%ids: memref<8xi64>, %dy: memref<8x32xbf16>, %dw: memref<64x32xf32>) {
  %t = memref.alloc() : memref<64x32xf32>
  tert.embedding_grad ids(%ids : memref<8xi64>) dy(%dy : memref<8x32xbf16>) -> dtable(%t : memref<64x32xf32>)
  tert.add a(%dw : memref<64x32xf32>) b(%t : memref<64x32xf32>) -> y(%dw : memref<64x32xf32>)
  return
}

// CHECK-LABEL: func @other_way(
// CHECK-NEXT:    tert.add_embedding_grad
// CHECK-NEXT:    return
func.func @other_way(%ids: memref<8xi64>, %dy: memref<8x32xbf16>, %dw: memref<64x32xf32>) {
  %t = memref.alloc() : memref<64x32xf32>
  tert.embedding_grad ids(%ids : memref<8xi64>) dy(%dy : memref<8x32xbf16>) -> dtable(%t : memref<64x32xf32>)
  tert.add a(%t : memref<64x32xf32>) b(%dw : memref<64x32xf32>) -> y(%dw : memref<64x32xf32>)
  return
}

// -----

// The table has other readers, or the sum is elsewhere, or it is rounded to
// bf16 twice, or what it is made from changes in between.

// CHECK-LABEL: func @read(
// CHECK:         tert.embedding_grad
// CHECK:         tert.add
func.func @read(%ids: memref<8xi64>, %dy: memref<8x32xbf16>, %dw: memref<64x32xf32>, %n: memref<f32>) {
  %t = memref.alloc() : memref<64x32xf32>
  tert.embedding_grad ids(%ids : memref<8xi64>) dy(%dy : memref<8x32xbf16>) -> dtable(%t : memref<64x32xf32>)
  tert.add a(%dw : memref<64x32xf32>) b(%t : memref<64x32xf32>) -> y(%dw : memref<64x32xf32>)
  tert.amax x(%t : memref<64x32xf32>) -> amax(%n : memref<f32>)
  return
}

// CHECK-LABEL: func @elsewhere(
// CHECK:         tert.embedding_grad
// CHECK:         tert.add
func.func @elsewhere(%ids: memref<8xi64>, %dy: memref<8x32xbf16>, %dw: memref<64x32xf32>, %y: memref<64x32xf32>) {
  %t = memref.alloc() : memref<64x32xf32>
  tert.embedding_grad ids(%ids : memref<8xi64>) dy(%dy : memref<8x32xbf16>) -> dtable(%t : memref<64x32xf32>)
  tert.add a(%dw : memref<64x32xf32>) b(%t : memref<64x32xf32>) -> y(%y : memref<64x32xf32>)
  return
}

// CHECK-LABEL: func @bf16(
// CHECK:         tert.embedding_grad
// CHECK:         tert.add
func.func @bf16(%ids: memref<8xi64>, %dy: memref<8x32xbf16>, %dw: memref<64x32xf32>) {
  %t = memref.alloc() : memref<64x32xbf16>
  tert.embedding_grad ids(%ids : memref<8xi64>) dy(%dy : memref<8x32xbf16>) -> dtable(%t : memref<64x32xbf16>)
  tert.add a(%dw : memref<64x32xf32>) b(%t : memref<64x32xbf16>) -> y(%dw : memref<64x32xf32>)
  return
}

// CHECK-LABEL: func @changed(
// CHECK:         tert.embedding_grad
// CHECK:         tert.fill
// CHECK:         tert.add
func.func @changed(%ids: memref<8xi64>, %dy: memref<8x32xbf16>, %dw: memref<64x32xf32>) {
  %t = memref.alloc() : memref<64x32xf32>
  tert.embedding_grad ids(%ids : memref<8xi64>) dy(%dy : memref<8x32xbf16>) -> dtable(%t : memref<64x32xf32>)
  tert.fill -> y(%dy : memref<8x32xbf16>) {value = 0.0 : f64}
  tert.add a(%dw : memref<64x32xf32>) b(%t : memref<64x32xf32>) -> y(%dw : memref<64x32xf32>)
  return
}
