// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-add-gradients --te-recompute='price=1e-9 products=false' | FileCheck %s
// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-add-gradients --te-recompute='price=1e-13 products=false' | FileCheck %s --check-prefix=NONE
// RUN: te-opt %s --te-add-gradients --te-recompute='price=1 products=false' | FileCheck %s --check-prefix=NONE

// NONE-NOT: te.recomputed

// At a nanosecond a byte: activations, and the product that multiplies little for
// what it moves, but not the other one. Without costs, or for less, nothing.
// CHECK-LABEL: func.func @f(
// CHECK: te.cross_entropy_grad
// CHECK: te.matmul %{{.*}} {layer = "light0", te.recomputed, transpose_b}
// CHECK-NEXT: te.activation gelu_tanh %{{.*}} {te.recomputed}
// CHECK-NOT: layer = "large0", te.recomputed
func.func @f(%x: tensor<1024x16xf32> {te.input = "x"}, %labels: tensor<1024xi64> {te.input = "labels"},
    %u0: tensor<1024x16xf32> {te.param = "u0"}, %v0: tensor<1024x1024xf32> {te.param = "v0"}, %d0: tensor<16x1024xf32> {te.param = "d0"},
    %u1: tensor<1024x16xf32> {te.param = "u1"}, %v1: tensor<1024x1024xf32> {te.param = "v1"}, %d1: tensor<16x1024xf32> {te.param = "d1"})
    -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "grad"} {
  %h0 = te.matmul %x, %u0 {layer = "light0", transpose_b} : tensor<1024x16xf32>, tensor<1024x16xf32> -> tensor<1024x1024xf32>
  %a0 = te.activation gelu_tanh %h0 : tensor<1024x1024xf32> -> y tensor<1024x1024xf32>
  %p0 = te.matmul %a0, %v0 {layer = "large0", transpose_b} : tensor<1024x1024xf32>, tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %y0 = te.matmul %p0, %d0 {layer = "out0", transpose_b} : tensor<1024x1024xf32>, tensor<16x1024xf32> -> tensor<1024x16xf32>
  %h1 = te.matmul %y0, %u1 {layer = "light1", transpose_b} : tensor<1024x16xf32>, tensor<1024x16xf32> -> tensor<1024x1024xf32>
  %a1 = te.activation gelu_tanh %h1 : tensor<1024x1024xf32> -> y tensor<1024x1024xf32>
  %p1 = te.matmul %a1, %v1 {layer = "large1", transpose_b} : tensor<1024x1024xf32>, tensor<1024x1024xf32> -> tensor<1024x1024xf32>
  %y1 = te.matmul %p1, %d1 {layer = "out1", transpose_b} : tensor<1024x1024xf32>, tensor<16x1024xf32> -> tensor<1024x16xf32>
  %loss, %lse, %count = te.cross_entropy %y1, %labels : tensor<1024x16xf32>, tensor<1024xi64> -> tensor<1024xf32>
  return %loss : tensor<f32>
}
