// RUN: te-opt %s --te-add-gradients | FileCheck %s
// RUN: te-opt %s --te-add-gradients="entries=mine loss=energy cotangents=vjp" | FileCheck %s --check-prefix=NAMED
// RUN: te-opt %s --te-add-gradients="constant-inputs=[xy]" | FileCheck %s --check-prefix=CONSTANT

// Gradients of the loss are results that are known by their attribute.
// CHECK-LABEL: func.func @grad(
// CHECK-SAME: -> (tensor<f32> {te.output = "loss"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"}) attributes
// CHECK: %[[LOSS:.*]], %[[LSE:.*]], %[[COUNT:.*]] = te.cross_entropy
// CHECK: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// CHECK: %[[DY:.*]] = te.cross_entropy_grad %[[ONE]],
// CHECK: %[[DW:.*]] = te.matmul %[[DY]], %arg0 {layer = "w", role = #te.role<wgrad>, transpose_a}
// CHECK: return %[[LOSS]], %[[DW]]
func.func @grad(%x: tensor<8x16xf32> {te.input = "x"}, %l: tensor<8xi64> {te.input = "labels"}, %w: tensor<32x16xf32> {te.param = "w"})
    -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "grad"} {
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %loss, %lse, %count = te.cross_entropy %y, %l : tensor<8x32xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss : tensor<f32>
}

// Cotangents are inputs, behind the others; inputs get gradients too, unless
// nobody wants them.
// CHECK-LABEL: func.func @vjp(%arg0: tensor<8x16xf32> {te.input = "x"}, %arg1: tensor<8x32xf32> {te.input = "cotangent.y"}, %arg2: tensor<32x16xf32> {te.param = "w"})
// CHECK-SAME: -> (tensor<8x32xf32> {te.output = "y"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"}, tensor<8x16xf32> {te.gradient = "x", te.output = "grad.x"})
// CONSTANT-LABEL: func.func @vjp(
// CONSTANT-SAME: -> (tensor<8x32xf32> {te.output = "y"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"})
// CONSTANT: role = #te.role<wgrad>
// CONSTANT-NOT: role = #te.role<dgrad>
func.func @vjp(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w"})
    -> (tensor<8x32xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}

// A model that computes its loss itself needs no stage for it.
// NAMED-LABEL: func.func @mine(
// NAMED-SAME: -> (tensor<8x32xf32> {te.output = "y"}, tensor<f32> {te.output = "energy"}, tensor<32x16xf32> {te.gradient = "w", te.output = "grad.w"})
func.func @mine(%x: tensor<8x16xf32> {te.input = "x"}, %l: tensor<8xi64> {te.input = "labels"}, %w: tensor<32x16xf32> {te.param = "w"})
    -> (tensor<8x32xf32> {te.output = "y"}, tensor<f32> {te.output = "energy"}) attributes {te.entry = "mine"} {
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %loss, %lse, %count = te.cross_entropy %y, %l : tensor<8x32xf32>, tensor<8xi64> -> tensor<8xf32>
  return %y, %loss : tensor<8x32xf32>, tensor<f32>
}
