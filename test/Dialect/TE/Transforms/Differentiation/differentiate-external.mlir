// RUN: te-test-opt %s --te-differentiate="entries=vjp,forward loss=none" --test-te-check-vjp | FileCheck %s

// An op whose gradient comes from outside the compiler; its square takes the sum
// of both operands' terms.
// CHECK: grad.w: max relative error
// CHECK: 2 gradients agree
// CHECK-LABEL: func.func @vjp
// CHECK-SAME: (%[[X:[^ ,:]*]]: tensor<4x3xf32> {{.*}}, %[[DY:[^ ,:]*]]: tensor<4x3xf32> {{.*}}, %[[W:[^ ,:]*]]: tensor<4x3xf32>
// CHECK: %[[P:[^ ,:]*]] = arith.mulf %[[X]], %[[W]]
// CHECK: %[[D0:[^ ,:]*]] = arith.mulf %[[DY]], %[[P]]
// CHECK: %[[D1:[^ ,:]*]] = arith.mulf %[[DY]], %[[P]]
// CHECK: %[[D:[^ ,:]*]] = te.add %[[D0]], %[[D1]]
// CHECK: %[[DX:[^ ,:]*]] = arith.mulf %[[D]], %[[W]]
// CHECK: %[[DW:[^ ,:]*]] = arith.mulf %[[D]], %[[X]]
// CHECK: return %{{.*}}, %[[DW]], %[[DX]]
func.func @forward(%x: tensor<4x3xf32> {te.input = "x"}, %w: tensor<4x3xf32> {te.param = "w"}) -> (tensor<4x3xf32> {te.output = "y"}) {
  %p = arith.mulf %x, %w : tensor<4x3xf32>
  %y = arith.mulf %p, %p : tensor<4x3xf32>
  return %y : tensor<4x3xf32>
}
