// te.dropout: how it is printed, what it is when nothing is dropped, and which of
// them are one.

// RUN: te-opt %s | te-opt | FileCheck %s
// RUN: te-opt %s --canonicalize --cse | FileCheck %s --check-prefix=FOLD

// CHECK-LABEL: func.func @forms(
// CHECK: te.dropout %{{.*}} {ratio = 1.000000e-01 : f32, stream = 3 : i64} : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
// CHECK: te.dropout %{{.*}} seed(%{{.*}}) {ratio = 1.000000e-01 : f32, stream = 3 : i64} : tensor<2x3x8xf32> -> tensor<2x3x8xbf16>
func.func @forms(%x: tensor<2x3x8xf32>, %s: tensor<i64>) -> (tensor<2x3x8xf32>, tensor<2x3x8xbf16>) {
  %0 = te.dropout %x {ratio = 0.1 : f32, stream = 3 : i64} : tensor<2x3x8xf32> -> tensor<2x3x8xf32>
  %1 = te.dropout %x seed(%s) {ratio = 0.1 : f32, stream = 3 : i64} : tensor<2x3x8xf32> -> tensor<2x3x8xbf16>
  return %0, %1 : tensor<2x3x8xf32>, tensor<2x3x8xbf16>
}

// FOLD-LABEL: func.func @nothing_dropped(
// FOLD-NEXT: return %arg0
func.func @nothing_dropped(%x: tensor<4x8xf32>, %s: tensor<i64>) -> tensor<4x8xf32> {
  %0 = te.dropout %x seed(%s) {ratio = 0.0 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = te.dropout %0 {ratio = 0.0 : f32, stream = 1 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// A conversion stays.
// FOLD-LABEL: func.func @rounded(
// FOLD-NEXT: te.dropout
func.func @rounded(%x: tensor<4x8xf32>, %s: tensor<i64>) -> tensor<4x8xbf16> {
  %0 = te.dropout %x seed(%s) {ratio = 0.0 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<4x8xbf16>
  return %0 : tensor<4x8xbf16>
}

// One stream and one seed is one mask; another stream is another one.
// FOLD-LABEL: func.func @equal(
// FOLD-NEXT: %[[A:.*]] = te.dropout %arg0 seed(%arg1) {{.*}}stream = 0
// FOLD-NEXT: %[[B:.*]] = te.dropout %arg0 seed(%arg1) {{.*}}stream = 1
// FOLD-NEXT: return %[[A]], %[[A]], %[[B]]
func.func @equal(%x: tensor<4x8xf32>, %s: tensor<i64>) -> (tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>) {
  %0 = te.dropout %x seed(%s) {ratio = 0.5 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  %1 = te.dropout %x seed(%s) {ratio = 0.5 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  %2 = te.dropout %x seed(%s) {ratio = 0.5 : f32, stream = 1 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0, %1, %2 : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4x8xf32>
}
