// RUN: te-opt %s --te-add-loss=loss=cross-entropy | FileCheck %s
// RUN: te-opt %s --te-add-loss="loss={cross-entropy<reduction = sum, ignore_index = 3>} entries=mine logits=y" | FileCheck %s --check-prefix=NAMED

// Labels come behind the other inputs. grad keeps the model's outputs.
// CHECK-LABEL: func.func @grad(%arg0: tensor<8x16xf32> {te.input = "x"}, %arg1: tensor<8xi64> {te.input = "labels"}, %arg2: tensor<32x16xf32> {te.param = "w"})
// CHECK-SAME: -> (tensor<8x32xf32> {te.output = "y"}, tensor<f32> {te.output = "loss"})
// CHECK: %[[Y:.*]] = te.matmul
// CHECK: %[[LOSS:.*]], %{{.*}}, %{{.*}} = te.cross_entropy %[[Y]], %arg1 :
// CHECK: return %[[Y]], %[[LOSS]]
func.func @grad(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
    -> (tensor<8x32xf32> {te.output = "y"}) attributes {te.entry = "grad"} {
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// train returns the loss alone, eval also what it counts; what only the model's
// outputs needed goes.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: -> (tensor<f32> {te.output = "loss"}) attributes
// CHECK-NOT: te.add
func.func @train(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
    -> (tensor<8x32xf32> {te.output = "y"}, tensor<8xi64> {te.output = "ones"}) attributes {te.entry = "train"} {
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %ones = arith.constant dense<1> : tensor<8xi64>
  return %y, %ones : tensor<8x32xf32>, tensor<8xi64>
}
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count"}) attributes
func.func @eval(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
    -> (tensor<8x32xf32> {te.output = "y"}) attributes {te.entry = "eval"} {
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// Other functions stay as they are, unless they are named.
// CHECK-LABEL: func.func @mine(
// CHECK-NOT: te.cross_entropy
// CHECK: return
// NAMED-LABEL: func.func @grad(
// NAMED-NOT: te.cross_entropy
// NAMED-LABEL: func.func @mine(
// NAMED-SAME: -> (tensor<8x32xf32> {te.output = "y"}, tensor<8x32xf32> {te.output = "z"}, tensor<f32> {te.output = "loss"})
// NAMED: te.cross_entropy {{.*}} {ignore_index = 3 : i64, reduction = #te.reduction<sum>}
func.func @mine(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
    -> (tensor<8x32xf32> {te.output = "y"}, tensor<8x32xf32> {te.output = "z"}) attributes {te.entry = "mine"} {
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  return %y, %y : tensor<8x32xf32>, tensor<8x32xf32>
}
