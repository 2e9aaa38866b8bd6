// RUN: te-opt %s --te-validate-spmd --split-input-file --verify-diagnostics | FileCheck %s

// What comes of inputs is each rank's own until it is exchanged; also through
// regions, and what a state still sums is not the same yet.
// CHECK-LABEL: func.func @train
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"},
                 %a: tensor<4xf32> {te.state = "grad.w", te.kind = "gradient", te.init = 0.0 : f32})
    -> (tensor<4xf32> {te.output = "y"}, tensor<4xf32> {te.param = "w"}, tensor<4xf32> {te.state = "grad.w", te.kind = "gradient"})
    attributes {te.entry = "train"} {
  %y = arith.mulf %x, %w : tensor<4xf32>
  %s = arith.addf %a, %y : tensor<4xf32>
  %g = shard.all_reduce %s on @mesh grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  %w1 = arith.subf %w, %g : tensor<4xf32>
  return %y, %w1, %s : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// Without a mesh there is one rank, and a grid without names is none of ours.
// CHECK-LABEL: func.func @train
shard.grid @other(shape = 2)
func.func @train(%x: tensor<4xf32> {te.input = "x"}, %w: tensor<4xf32> {te.param = "w"})
    -> (tensor<4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  return %x : tensor<4xf32>
}

// -----

// What is the same on all ranks may be summed: a term that each of them counts.
// CHECK-LABEL: func.func @train
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%w: tensor<4xf32> {te.param = "w"}) -> (tensor<4xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %g = shard.all_reduce %w on @mesh grid_axes = [0] : tensor<4xf32> -> tensor<4xf32>
  return %g : tensor<4xf32>
}
