// RUN: te-opt %s --te-update-parameters="optimizer=muon<iterations=1>" | FileCheck %s
// RUN: te-opt %s --te-update-parameters="optimizer=lion" | FileCheck %s --check-prefix=LION
// RUN: te-opt %s --te-update-parameters="optimizer=muon<iterations=1>" --te-set-compute-type --te-partition | FileCheck %s --check-prefix=BF16
// RUN: not te-opt %s --te-update-parameters="optimizer=muon<iterations=0>" 2>&1 | FileCheck %s --check-prefix=ITERATIONS

// ITERATIONS: expects 1 to 100 iterations, got 0

// A hidden matrix is one that a linear layer reads as its weight: here "w", which
// is wide, and not the table "t", the bias "b" or the head "h".
// CHECK-LABEL: func.func @train(
// CHECK-SAME: te.scalar = "learning_rate"{{.*}}te.scalar = "momentum"{{.*}}te.scalar = "beta1"{{.*}}te.scalar = "beta2"{{.*}}te.scalar = "eps"{{.*}}te.scalar = "weight_decay"
// CHECK-SAME: te.state = "muon.momentum_buffer.w"
// CHECK-SAME: te.state = "adamw.exp_avg.b"{{.*}}te.state = "adamw.exp_avg_sq.b"
// CHECK-SAME: te.state = "adamw.exp_avg.t"
// CHECK-SAME: te.state = "adamw.exp_avg.h"
// CHECK: %[[MOVED:.*]]:2 = linalg.generic
// CHECK: %[[NORM:.*]] = te.global_norm %[[MOVED]]#1
// CHECK: %[[X:.*]] = linalg.generic {{.*}} ins(%[[MOVED]]#1, %[[NORM]] :
// CHECK: %[[A:.*]] = te.matmul %[[X]], %[[X]] {role = #te.role<other>, transpose_b} : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x16xf32>
// CHECK: %[[AA:.*]] = te.matmul %[[A]], %[[A]] {role = #te.role<other>, transpose_b} : tensor<16x16xf32>
// CHECK: %[[B:.*]] = linalg.generic {{.*}} ins(%[[A]], %[[AA]] :
// CHECK: %[[BX:.*]] = te.matmul %[[B]], %[[X]] {role = #te.role<other>} : tensor<16x16xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
// CHECK: %[[O:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[BX]] :
// CHECK: te.update #te.sgd<momentum = 0.000000e+00> %{{.*}} gradient(%[[O]]) {{.*}} {decay} : tensor<16x32xf32>, tensor<16x32xf32>
// CHECK-COUNT-3: te.update #te.adamw %{{.*}} states(
// CHECK-NOT: te.update

// LION-COUNT-4: te.update #te.lion %{{.*}} states(%{{[^,]*}}) gradient(%{{.*}}) coefficient(%{{.*}}) scalars(%{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}}, %{{[^,]*}})
// LION-NOT: te.update

// The products follow the compute type and are in no FP8 region.
// BF16: te.region  fp8
// BF16: te.region  high
// BF16: te.matmul %{{.*}} {role = #te.role<other>, transpose_b} : tensor<16x32xbf16>, tensor<16x32xbf16> -> tensor<16x16xbf16>
func.func @train(%ids: tensor<8xi64> {te.input = "ids"}, %labels: tensor<8xi64> {te.input = "labels"}, %max: tensor<f32> {te.scalar = "max_grad_norm"},
                 %w: tensor<16x32xf32> {te.param = "w"}, %b: tensor<32xf32> {te.param = "b"}, %t: tensor<64x16xf32> {te.param = "t"},
                 %h: tensor<24x32xf32> {te.param = "h"})
    -> (tensor<f32> {te.output = "loss"}, tensor<16x32xf32> {te.gradient = "w", te.output = "grad.w"}, tensor<32xf32> {te.gradient = "b", te.output = "grad.b"},
        tensor<64x16xf32> {te.gradient = "t", te.output = "grad.t"}, tensor<24x32xf32> {te.gradient = "h", te.output = "grad.h"}) attributes {te.entry = "train"} {
  %x = te.embedding %ids, %t : tensor<8xi64>, tensor<64x16xf32> -> tensor<8x16xf32>
  %y = te.matmul %x, %w bias(%b : tensor<32xf32>) {layer = "y"} : tensor<8x16xf32>, tensor<16x32xf32> -> tensor<8x32xf32>
  %logits = te.matmul %y, %h {layer = "head", transpose_b} : tensor<8x32xf32>, tensor<24x32xf32> -> tensor<8x24xf32>
  %loss, %lse, %count = te.cross_entropy %logits, %labels : tensor<8x24xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss, %w, %b, %t, %h : tensor<f32>, tensor<16x32xf32>, tensor<32xf32>, tensor<64x16xf32>, tensor<24x32xf32>
}
