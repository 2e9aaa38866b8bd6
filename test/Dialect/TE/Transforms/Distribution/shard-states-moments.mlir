// RUN: te-opt %s --te-shard-states --te-validate-spmd --split-input-file | FileCheck %s
// RUN: te-opt %s --te-shard-states --split-input-file --remarks-filter=te-shard-states -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// The scales of FP8 states are sharded as their rows are.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: tensor<32x192xf8E4M3FN> {te.kind = "optimizer", te.shard = #te.shard<shape = [64, 192], flat_axes = 1>, te.state = "m"}
// CHECK-SAME: tensor<32x192xf8E5M2> {te.kind = "optimizer", te.shard = #te.shard<shape = [64, 192], flat_axes = 1>, te.state = "v"}
// CHECK-SAME: tensor<32x2xf32> {te.kind = "optimizer", te.shard = #te.shard<shape = [64, 2], flat_axes = 1>, te.state = "ms"}
// CHECK: te.update #te.adamw {{.*}} state_scales(%{{.*}}, %{{.*}}) {{.*}} : tensor<32x192xf32>, tensor<32x192xf32> states(f8E4M3FN, f8E5M2)
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%g: tensor<64x192xf32> {te.input = "g"}, %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %w: tensor<64x192xf32> {te.param = "w"}, %m: tensor<64x192xf8E4M3FN> {te.state = "m", te.kind = "optimizer"},
                 %v: tensor<64x192xf8E5M2> {te.state = "v", te.kind = "optimizer"},
                 %ms: tensor<64x2xf32> {te.state = "ms", te.kind = "optimizer"}, %vs: tensor<64x2xf32> {te.state = "vs", te.kind = "optimizer"})
    -> (tensor<64x192xf32> {te.param = "w"}, tensor<64x192xf8E4M3FN> {te.state = "m", te.kind = "optimizer"},
        tensor<64x192xf8E5M2> {te.state = "v", te.kind = "optimizer"}, tensor<64x2xf32> {te.state = "ms", te.kind = "optimizer"},
        tensor<64x2xf32> {te.state = "vs", te.kind = "optimizer"}) attributes {te.entry = "train"} {
  %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<64x192xf32> -> tensor<64x192xf32>
  %w1, %m1, %v1, %ms1, %vs1 = te.update #te.adamw %w states(%m, %v) state_scales(%ms, %vs) gradient(%dw) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%step)
    : tensor<64x192xf32>, tensor<64x192xf32> states(f8E4M3FN, f8E5M2)
  return %w1, %m1, %v1, %ms1, %vs1 : tensor<64x192xf32>, tensor<64x192xf8E4M3FN>, tensor<64x192xf8E5M2>, tensor<64x2xf32>, tensor<64x2xf32>
}

// -----

// Ranges of elements that ranks hold begin with a block if a row has whole ones.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: tensor<63x256xf8E4M3FN> {te.kind = "optimizer", te.shard = #te.shard<shape = [63, 512], flat_axes = 1>, te.state = "m"}
// CHECK-SAME: tensor<63x2xf32> {te.kind = "optimizer", te.shard = #te.shard<shape = [63, 4], flat_axes = 1>, te.state = "ms"}
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%g: tensor<63x512xf32> {te.input = "g"}, %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %w: tensor<63x512xf32> {te.param = "w"}, %m: tensor<63x512xf8E4M3FN> {te.state = "m", te.kind = "optimizer"},
                 %v: tensor<63x512xf8E5M2> {te.state = "v", te.kind = "optimizer"},
                 %ms: tensor<63x4xf32> {te.state = "ms", te.kind = "optimizer"}, %vs: tensor<63x4xf32> {te.state = "vs", te.kind = "optimizer"})
    -> (tensor<63x512xf32> {te.param = "w"}, tensor<63x512xf8E4M3FN> {te.state = "m", te.kind = "optimizer"},
        tensor<63x512xf8E5M2> {te.state = "v", te.kind = "optimizer"}, tensor<63x4xf32> {te.state = "ms", te.kind = "optimizer"},
        tensor<63x4xf32> {te.state = "vs", te.kind = "optimizer"}) attributes {te.entry = "train"} {
  %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<63x512xf32> -> tensor<63x512xf32>
  %w1, %m1, %v1, %ms1, %vs1 = te.update #te.adamw %w states(%m, %v) state_scales(%ms, %vs) gradient(%dw) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%step)
    : tensor<63x512xf32>, tensor<63x512xf32> states(f8E4M3FN, f8E5M2)
  return %w1, %m1, %v1, %ms1, %vs1 : tensor<63x512xf32>, tensor<63x512xf8E4M3FN>, tensor<63x512xf8E5M2>, tensor<63x4xf32>, tensor<63x4xf32>
}

// -----

// Others stay whole.
// REMARK: Reason="its shards would cut the blocks of its FP8 states", Remark="parameter 'whole' stays replicated"
// CHECK-LABEL: func.func @train(
// CHECK-SAME: tensor<63x192xf32> {te.param = "whole"}
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%g: tensor<63x192xf32> {te.input = "g"}, %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %w: tensor<63x192xf32> {te.param = "whole"}, %m: tensor<63x192xf8E4M3FN> {te.state = "m", te.kind = "optimizer"},
                 %v: tensor<63x192xf8E5M2> {te.state = "v", te.kind = "optimizer"},
                 %ms: tensor<63x2xf32> {te.state = "ms", te.kind = "optimizer"}, %vs: tensor<63x2xf32> {te.state = "vs", te.kind = "optimizer"})
    -> (tensor<63x192xf32> {te.param = "whole"}, tensor<63x192xf8E4M3FN> {te.state = "m", te.kind = "optimizer"},
        tensor<63x192xf8E5M2> {te.state = "v", te.kind = "optimizer"}, tensor<63x2xf32> {te.state = "ms", te.kind = "optimizer"},
        tensor<63x2xf32> {te.state = "vs", te.kind = "optimizer"}) attributes {te.entry = "train"} {
  %dw = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<63x192xf32> -> tensor<63x192xf32>
  %w1, %m1, %v1, %ms1, %vs1 = te.update #te.adamw %w states(%m, %v) state_scales(%ms, %vs) gradient(%dw) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%step)
    : tensor<63x192xf32>, tensor<63x192xf32> states(f8E4M3FN, f8E5M2)
  return %w1, %m1, %v1, %ms1, %vs1 : tensor<63x192xf32>, tensor<63x192xf8E4M3FN>, tensor<63x192xf8E5M2>, tensor<63x2xf32>, tensor<63x2xf32>
}
