// What becomes of a model's dropout in its entries.

// RUN: te-opt %s --te-build-entries=entries=train,eval,vjp,forward | FileCheck %s
// RUN: te-opt %s --te-differentiate="entries=vjp loss=none" | FileCheck %s --check-prefix=VJP

// Where there are no gradients nothing is dropped, in the model itself too.
// CHECK-LABEL: func.func @forward(
// CHECK-NOT:   dropout
// CHECK:       %[[Y:.*]] = te.matmul %arg0, %arg1
// CHECK-NEXT:  return %[[Y]]

// CHECK-LABEL: func.func @train(
// CHECK-SAME:    %[[X:[^ ,:]*]]: tensor<4x8xf32> {te.input = "x"}, %[[SEED:[^ ,:]*]]: tensor<i64> {te.default = 0 : i64, te.scalar = "dropout_seed"}, %[[W:[^ ,:]*]]: tensor<8x8xf32> {te.param = "w"}
// CHECK-NEXT:  %[[D:.*]] = te.dropout %[[X]] seed(%[[SEED]]) {ratio = 5.000000e-01 : f32, stream = 0 : i64}
// CHECK-NEXT:  %[[Y:.*]] = te.matmul %[[D]], %[[W]]
// CHECK-NEXT:  te.dropout %[[Y]] seed(%[[SEED]]) {ratio = 2.500000e-01 : f32, stream = 1 : i64}

// CHECK-LABEL: func.func @eval(
// CHECK-SAME:    %arg0: tensor<4x8xf32> {te.input = "x"}, %arg1: tensor<8x8xf32> {te.param = "w"}
// CHECK-NOT:   dropout
// CHECK-LABEL: func.func @vjp(

// The gradient has the mask of the forward pass.
// VJP-LABEL: func.func @vjp(
// VJP-SAME:    %[[X:[^ ,:]*]]: tensor<4x8xf32> {te.input = "x"}, %[[DY:[^ ,:]*]]: tensor<4x8xf32> {te.input = "cotangent.y"}, %[[SEED:[^ ,:]*]]: tensor<i64>
// VJP:         te.dropout %[[X]] seed(%[[SEED]]) {ratio = 5.000000e-01 : f32, stream = 0 : i64}
// VJP:         te.dropout %{{.*}} seed(%[[SEED]]) {ratio = 2.500000e-01 : f32, stream = 1 : i64}
// VJP:         %[[DM:.*]] = te.dropout %[[DY]] seed(%[[SEED]]) {ratio = 2.500000e-01 : f32, stream = 1 : i64}
// VJP:         te.dropout %{{.*}} seed(%[[SEED]]) {ratio = 5.000000e-01 : f32, stream = 0 : i64}
func.func @forward(%x: tensor<4x8xf32> {te.input = "x"}, %w: tensor<8x8xf32> {te.param = "w"}) -> (tensor<4x8xf32> {te.output = "y"}) {
  %d = te.dropout %x {ratio = 0.5 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  %y = te.matmul %d, %w : tensor<4x8xf32>, tensor<8x8xf32> -> tensor<4x8xf32>
  %z = te.dropout %y {ratio = 0.25 : f32, stream = 1 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %z : tensor<4x8xf32>
}
