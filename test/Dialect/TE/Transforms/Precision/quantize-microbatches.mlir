// Microbatches: all quantize with the scales of the step and read its FP8
// weights; those before the last leave their amaxes for its update.
// RUN: te-opt %s --te-differentiate='entries=train,accumulate loss=cross-entropy' --te-set-compute-type --te-partition='policy=*=fp8' --te-quantize='recipe=#te.delayed_scaling<history=16>' --canonicalize --te-validate-precision | FileCheck %s
// RUN: te-opt %s --te-differentiate='entries=train,accumulate loss=cross-entropy' --te-set-compute-type --te-partition='policy=*=fp8' --te-quantize='recipe=#te.current_scaling' --te-validate-precision | FileCheck %s --check-prefix=CURRENT
// RUN: te-opt %s --te-graph-pipeline='entries=train,accumulate loss=cross-entropy policy=*=fp8' | FileCheck %s --check-prefix=FUSED

// CHECK: te.slots = ["fc1.input", "fc1.weight", "fc2.input", "fc2.weight", "fc2.grad_output", "fc1.grad_output"]
// CHECK-LABEL: func.func @accumulate(
// The masters, the windows' update and the counters are the last one's.
// CHECK-NOT: te.param = "fc
// CHECK-SAME: %[[G:[a-z0-9]+]]: tensor<f32> {te.init = 0.000000e+00 : f32, te.kind = "guard", te.state = "loss.guard"}
// CHECK-SAME: te.state = "fp8.scales"
// CHECK-SAME: te.state = "fp8.scale_invs"
// CHECK-SAME: %[[H:[a-z0-9]+]]: tensor<16x6xf32> {te.init = 0.000000e+00 : f32, te.kind = "fp8_amax_history", te.state = "fp8.amax_history"}
// CHECK-NOT: fp8.nonfinite
// CHECK-SAME: %[[W1:[a-z0-9]+]]: tensor<64x32xf8E4M3FN> {te.init = "derived", te.kind = "fp8_weight", te.state = "fp8.weight.fc1.weight.rowwise"}
// CHECK-NOT: fp8.weight_amax
// CHECK-SAME: -> (
// CHECK-NOT: fp8.scales
// CHECK-SAME: tensor<16x6xf32> {te.init = 0.000000e+00 : f32, te.kind = "fp8_amax_history", te.state = "fp8.amax_history"})
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK: te.quantize {{.*}} amax tensor<f32>
// CHECK: te.scaled_matmul %{{.*}}, %[[W1]] scales(
// CHECK: %[[H1:.*]] = te.record_amaxes %[[H]] amaxes(%[[X1:[^,]*]], %[[ZERO]], %[[X2:[^,]*]], %[[ZERO]], %[[D2:[^,]*]], %[[D1:[^)]*]]) : tensor<16x6xf32>
// CHECK-NOT: te.update_scales
// CHECK: %[[G1:.*]] = te.clip_coefficient %[[G]], %[[ZERO]] amaxes(%[[X1]], %[[X2]], %[[D2]], %[[D1]])
// CHECK: return {{.*}}, %[[G1]], %[[H1]] :
// CHECK-LABEL: func.func @init(

// Nothing is carried, but the guard sees what is not finite.
// CURRENT-LABEL: func.func @accumulate(
// CURRENT-NOT: te.record_amaxes
// CURRENT: te.clip_coefficient %{{.*}}, %{{.*}} amaxes(

// The last microbatch watches the guard, and its own amaxes.
// FUSED-LABEL: func.func @train(
// FUSED-SAME: %[[G2:[a-z0-9]+]]: tensor<64x32xf32> {te.init = 0.000000e+00 : f32, te.kind = "gradient", te.state = "grad.fc1.weight"}
// FUSED-SAME: %[[GUARD:[a-z0-9]+]]: tensor<f32> {te.init = 0.000000e+00 : f32, te.kind = "guard", te.state = "loss.guard"}
// FUSED: %[[SUM:.*]] = te.scaled_matmul {{.*}} addend(%[[G2]] : tensor<64x32xf32>) {layer = "fc1", role = #te.role<wgrad>}
// FUSED: te.clip_coefficient %{{.*}}, %{{.*}} amaxes(%[[GUARD]], %
// FUSED: te.update #te.adamw {{.*}} gradient(%[[SUM]]) coefficient(
func.func @forward(%x: tensor<32x32xf32> {te.input = "x"},
    %w1: tensor<64x32xf32> {te.init = "data", te.param = "fc1.weight"}, %w2: tensor<48x64xf32> {te.init = "data", te.param = "fc2.weight"})
    -> (tensor<32x48xf32> {te.output = "logits"}) {
  %u = te.matmul %x, %w1 {transpose_b} : tensor<32x32xf32>, tensor<64x32xf32> -> tensor<32x64xf32> loc("fc1")
  %h = te.activation gelu_tanh %u : tensor<32x64xf32> -> y tensor<32x64xf32>
  %y = te.matmul %h, %w2 {transpose_b} : tensor<32x64xf32>, tensor<48x64xf32> -> tensor<32x48xf32> loc("fc2")
  return %y : tensor<32x48xf32>
}
