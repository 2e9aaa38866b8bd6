// RUN: te-opt %s --te-shard-states=zero=3 --te-validate-spmd --split-input-file | FileCheck %s
// RUN: te-opt %s --te-shard-states=zero=1 --te-validate-spmd --split-input-file | FileCheck %s --check-prefix=STATES

// The matrices of experts, whose update writes copies of one matrix, are rows
// of that matrix for a rank, which may end within an expert. Checkpoints have
// the shapes of the full tensors.

// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[W:[^:]*]]: tensor<24x32xf32> {te.init = "data", te.param = "w", te.shard = #te.shard<shape = [3, 16, 32], flat_axes = 1>}
// CHECK-SAME: %[[M:[^:]*]]: tensor<24x32xf32> {te.kind = "optimizer", te.shard = #te.shard<shape = [3, 16, 32], flat_axes = 1>, te.state = "m"}
// CHECK-SAME: %[[R:[^:]*]]: tensor<24x32xf8E4M3FN> {te.kind = "fp8_weight", te.shard = #te.shard<shape = [48, 32], flat_axes = 1>, te.state = "fp8.weight.w.rowwise"}
// CHECK: %[[ALL:.*]] = shard.all_gather %[[R]] {{.*}} : tensor<24x32xf8E4M3FN> -> tensor<48x32xf8E4M3FN>
// CHECK: te.scaled_expert_matmul %{{.*}}, %[[ALL]] scales
// CHECK: %[[G:.*]] = shard.reduce_scatter {{.*}} : tensor<48x32xf32> -> tensor<24x32xf32>
// CHECK: te.update #te.sgd %[[W]] states(%[[M]]) gradient(%[[G]]) {{.*}} : tensor<24x32xf32>, tensor<24x32xf32> -> rowwise tensor<24x32xf8E4M3FN> amax tensor<f32>

// A first stage gathers the copy at the end.
// STATES-LABEL: func.func @train(
// STATES-SAME: tensor<24x32xf32> {te.init = "data", te.param = "w"
// STATES: te.update #te.sgd {{.*}} -> rowwise tensor<24x32xf8E4M3FN>
// STATES: shard.all_gather {{.*}} : tensor<24x32xf8E4M3FN> -> tensor<48x32xf8E4M3FN>
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<64x32xf8E4M3FN> {te.input = "x"}, %e: tensor<64xi32> {te.input = "e"}, %g: tensor<3x16x32xf32> {te.input = "g"}, %s: tensor<f32> {te.scalar = "s"},
                 %step: tensor<i64> {te.scalar = "step"}, %w: tensor<3x16x32xf32> {te.param = "w", te.init = "data"},
                 %m: tensor<3x16x32xf32> {te.state = "m", te.kind = "optimizer"},
                 %r: tensor<48x32xf8E4M3FN> {te.state = "fp8.weight.w.rowwise", te.kind = "fp8_weight"})
    -> (tensor<64x16xf32> {te.output = "y"}, tensor<3x16x32xf32> {te.param = "w"}, tensor<3x16x32xf32> {te.state = "m", te.kind = "optimizer"},
        tensor<48x32xf8E4M3FN> {te.state = "fp8.weight.w.rowwise", te.kind = "fp8_weight"}) attributes {te.entry = "train"} {
  %y = te.scaled_expert_matmul %x, %r scales(%s, %s) experts(%e) {alignment = 16 : i64, layer = "up", transpose_b} : tensor<64x32xf8E4M3FN>, tensor<48x32xf8E4M3FN>, tensor<64xi32> -> tensor<64x16xf32>
  %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<3x16x32xf32> -> tensor<3x16x32xf32>
  %w1, %m1, %r1, %a = te.update #te.sgd %w states(%m) gradient(%dw) coefficient(%s) scalars(%s, %s, %s, %s) step(%step) quantize(%s)
    : tensor<3x16x32xf32>, tensor<3x16x32xf32> -> rowwise tensor<48x32xf8E4M3FN> amax tensor<f32>
  return %y, %w1, %m1, %r1 : tensor<64x16xf32>, tensor<3x16x32xf32>, tensor<3x16x32xf32>, tensor<48x32xf8E4M3FN>
}
