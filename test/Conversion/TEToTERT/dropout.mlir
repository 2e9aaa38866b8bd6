// RUN: te-opt %s --te-to-tert --split-input-file --verify-diagnostics | FileCheck %s

// CHECK-LABEL: func @dropout
func.func @dropout(%x: tensor<2x3x8xbf16>, %s: tensor<i64>) -> tensor<2x3x8xf32> {
  // CHECK: tert.dropout x(%{{.*}} : tensor<2x3x8xbf16>) seed(%{{.*}} : tensor<i64>) -> y(%{{.*}} : tensor<2x3x8xf32>) {ratio = 1.000000e-01 : f32, stream = 7 : i64}
  %y = te.dropout %x seed(%s) {ratio = 0.1 : f32, stream = 7 : i64} : tensor<2x3x8xbf16> -> tensor<2x3x8xf32>
  return %y : tensor<2x3x8xf32>
}

// -----

// A model before it has entries.
func.func @model(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'te.dropout' op has no seed; te-build-entries gives the entries of a model one}}
  %y = te.dropout %x {ratio = 0.1 : f32, stream = 7 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
