// Frozen parameters get no gradient, no update and no state; the layers before
// them do.
// RUN: te-opt %s --te-differentiate="entries=train,grad,accumulate,vjp,eval loss=cross-entropy" | FileCheck %s
// RUN: te-opt %s --te-differentiate="entries=train loss=cross-entropy" | FileCheck %s --check-prefix=NONE

// CHECK-LABEL: func.func @train(
// CHECK-SAME: tensor<16x16xf32> {te.param = "first"}
// CHECK-SAME: %[[FROZEN:[^:]*]]: tensor<32x16xf32> {te.frozen, te.param = "second"}
// CHECK-NOT: second"
// CHECK-SAME: te.state = "adamw.exp_avg.first"
// CHECK-NOT: second"
// CHECK-SAME: attributes {te.entry = "train"}
// The gradient goes through the frozen weight, and is not computed for it.
// CHECK: te.matmul %{{.*}}, %[[FROZEN]] {layer = "second", role = #te.role<dgrad>}
// CHECK: te.matmul {{.*}} {layer = "first", role = #te.role<wgrad>
// CHECK: te.global_norm %{{[^,]*}} : tensor<16x16xf32>{{$}}
// CHECK: te.update #te.adamw
// CHECK-NOT: te.update #te.adamw

// CHECK-LABEL: func.func @grad(
// CHECK-SAME: te.output = "grad.first"
// CHECK-NOT: grad.second
// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: te.state = "grad.first"
// CHECK-NOT: grad.second
// CHECK-LABEL: func.func @vjp(
// CHECK-SAME: te.output = "grad.first"
// CHECK-SAME: te.output = "grad.x"
// CHECK-NOT: grad.second
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: {te.frozen, te.param = "second"}

// NONE-NOT: layer = "second", role = #te.role<wgrad>
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %w1: tensor<16x16xf32> {te.param = "first"},
    %w2: tensor<32x16xf32> {te.frozen, te.param = "second"}) -> (tensor<8x32xf32> {te.output = "y"}) {
  %h = te.matmul %x, %w1 {transpose_b} : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32> loc("first")
  %y = te.matmul %h, %w2 {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32> loc("second")
  return %y : tensor<8x32xf32>
}
