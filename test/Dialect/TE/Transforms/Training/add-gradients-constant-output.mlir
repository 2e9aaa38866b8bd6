// RUN: te-opt %s --te-add-gradients="constant-outputs=log*" | FileCheck %s
// RUN: not te-opt %s --te-add-gradients="constant-outputs=log*,ene*" 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not te-opt %s --te-add-gradients="constant-outputs=y" 2>&1 | FileCheck %s --check-prefix=UNKNOWN

// An output that nobody differentiates is returned, and has no cotangent.

// NONE: error: the model has constant outputs alone, and so no gradients; leave one out of --constant-output
// UNKNOWN: error: the model has no output 'y' to be constant; it has 'logits', 'energy'

// CHECK-LABEL: func.func @vjp(
// CHECK-SAME: %arg2: tensor<f32> {te.input = "cotangent.energy"}, %arg3: tensor<32x16xf32> {te.param = "w"})
// CHECK-SAME: te.output = "logits"}, tensor<f32> {te.output = "energy"}, tensor<32x16xf32> {te.gradient = "w"
// CHECK: %[[DY:.*]] = te.cross_entropy_grad %arg2,
// CHECK-NOT: te.add
// CHECK: te.matmul %[[DY]], %{{.*}} {layer = "w", role = #te.role<wgrad>
func.func @vjp(%x: tensor<8x16xf32> {te.input = "x"}, %l: tensor<8xi64> {te.input = "labels"}, %w: tensor<32x16xf32> {te.param = "w"})
    -> (tensor<8x32xf32> {te.output = "logits"}, tensor<f32> {te.output = "energy"}) attributes {te.entry = "vjp"} {
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %loss, %lse, %count = te.cross_entropy %y, %l : tensor<8x32xf32>, tensor<8xi64> -> tensor<8xf32>
  return %y, %loss : tensor<8x32xf32>, tensor<f32>
}
