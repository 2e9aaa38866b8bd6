// RUN: te-opt %s --te-add-gradients --te-recompute | FileCheck %s
// RUN: te-opt %s --te-add-gradients --te-recompute=products=false | FileCheck %s --check-prefix=CHEAP
// RUN: te-opt %s --te-add-gradients --te-recompute=bytes=100000000 | FileCheck %s --check-prefix=ENOUGH

// Two blocks of layers. What is read first is made of what else is kept, just
// before that.
// CHECK-LABEL: func.func @two_blocks(
// CHECK: %[[H:.*]] = te.matmul %{{.*}}, %arg3 {layer = "u0", transpose_b}
// CHECK-NOT: te.recomputed
// CHECK: te.cross_entropy_grad
// CHECK: te.matmul %{{.*}}, %arg7 {layer = "d1", role = #te.role<dgrad>}
// CHECK-NEXT: %[[A1:.*]] = te.activation gelu_tanh %{{.*}} {te.recomputed}
// CHECK-NEXT: te.matmul %{{.*}}, %[[A1]] {layer = "d1", role = #te.role<wgrad>, transpose_a}
// CHECK: %[[DA:.*]] = te.matmul %{{.*}}, %arg4 {layer = "d0", role = #te.role<dgrad>}
// CHECK-NEXT: %[[A:.*]] = te.activation gelu_tanh %[[H]] {te.recomputed}
// CHECK-NEXT: te.matmul %{{.*}}, %[[A]] {layer = "d0", role = #te.role<wgrad>, transpose_a}
// CHECK-NEXT: te.activation_grad gelu_tanh %[[DA]], %[[H]]
// CHECK: %[[N:.*]], %[[RSTD:.*]] = te.rms_norm %arg0, %arg2 {{.*}}te.recomputed
// CHECK-NEXT: te.matmul %{{.*}}, %[[N]] {layer = "u0", role = #te.role<wgrad>, transpose_a}
// CHECK-NEXT: te.rms_norm_grad %{{.*}}, %arg0, %arg2, %[[RSTD]]

// ENOUGH-LABEL: func.func @two_blocks(
// ENOUGH-NOT: te.recomputed
func.func @two_blocks(%x: tensor<64x32xf32> {te.input = "x"}, %labels: tensor<64xi64> {te.input = "labels"},
    %g0: tensor<32xf32> {te.param = "g0"}, %u0: tensor<128x32xf32> {te.param = "u0"}, %d0: tensor<32x128xf32> {te.param = "d0"},
    %g1: tensor<32xf32> {te.param = "g1"}, %u1: tensor<128x32xf32> {te.param = "u1"}, %d1: tensor<32x128xf32> {te.param = "d1"})
    -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "grad"} {
  %n0, %r0 = te.rms_norm %x, %g0 {eps = 1.0e-6 : f32} : tensor<64x32xf32>, tensor<32xf32> -> y tensor<64x32xf32> stats tensor<64xf32>
  %h0 = te.matmul %n0, %u0 {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %a0 = te.activation gelu_tanh %h0 : tensor<64x128xf32> -> y tensor<64x128xf32>
  %y0 = te.matmul %a0, %d0 addend(%x : tensor<64x32xf32>) {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %n1, %r1 = te.rms_norm %y0, %g1 {eps = 1.0e-6 : f32} : tensor<64x32xf32>, tensor<32xf32> -> y tensor<64x32xf32> stats tensor<64xf32>
  %h1 = te.matmul %n1, %u1 {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %a1 = te.activation gelu_tanh %h1 : tensor<64x128xf32> -> y tensor<64x128xf32>
  %y1 = te.matmul %a1, %d1 addend(%y0 : tensor<64x32xf32>) {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %loss, %lse, %count = te.cross_entropy %y1, %labels : tensor<64x32xf32>, tensor<64xi64> -> tensor<64xf32>
  return %loss : tensor<f32>
}

// A product, whose views are made with it.
// CHEAP-LABEL: func.func @views(
// CHEAP-NOT: te.recomputed
// CHECK-LABEL: func.func @views(
// CHECK: te.cross_entropy_grad
// CHECK: %[[H:.*]] = te.matmul %{{.*}} {layer = "wqkv", te.recomputed, transpose_b}
// CHECK: te.split %[[H]] axis 1
func.func @views(%x: tensor<64x32xf32> {te.input = "x"}, %labels: tensor<64xi64> {te.input = "labels"},
    %wqkv: tensor<96x32xf32> {te.param = "wqkv"}, %wo: tensor<32x32xf32> {te.param = "wo"},
    %u: tensor<128x32xf32> {te.param = "u"}, %d: tensor<32x128xf32> {te.param = "d"})
    -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "grad"} {
  %qkv = te.matmul %x, %wqkv {transpose_b} : tensor<64x32xf32>, tensor<96x32xf32> -> tensor<64x96xf32>
  %q, %k, %v = te.split %qkv axis 1 : tensor<64x96xf32> -> tensor<64x32xf32>, tensor<64x32xf32>, tensor<64x32xf32>
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [4, 16, 2, 16] : tensor<64x32xf32> into tensor<4x16x2x16xf32>
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [4, 16, 2, 16] : tensor<64x32xf32> into tensor<4x16x2x16xf32>
  %v4 = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [4, 16, 2, 16] : tensor<64x32xf32> into tensor<4x16x2x16xf32>
  %o4, %lse4 = te.attention %q4, %k4, %v4 {causal, scale = 2.5e-01 : f32} : tensor<4x16x2x16xf32>, tensor<4x16x2x16xf32>, tensor<4x16x2x16xf32> -> tensor<4x16x2x16xf32>, tensor<4x2x16xf32>
  %o = tensor.collapse_shape %o4 [[0, 1], [2, 3]] : tensor<4x16x2x16xf32> into tensor<64x32xf32>
  %p = te.matmul %o, %wo addend(%x : tensor<64x32xf32>) {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
  %h = te.matmul %p, %u {transpose_b} : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32>
  %a = te.activation gelu_tanh %h : tensor<64x128xf32> -> y tensor<64x128xf32>
  %y = te.matmul %a, %d addend(%p : tensor<64x32xf32>) {transpose_b} : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32>
  %loss, %lse, %count = te.cross_entropy %y, %labels : tensor<64x32xf32>, tensor<64xi64> -> tensor<64xf32>
  return %loss : tensor<f32>
}
