// RUN: te-opt %s --te-parallelize=mesh=dp=2,cp=2 | FileCheck %s

// Ranks along cp have terms of the gradients of parameters, which are added with
// those of the ranks along dp in one collective; those of inputs are whole, and the
// loss is that of all ranks along cp. What microbatches add up is added later.

shard.grid @mesh(shape = 2x2) {te.axes = ["dp", "cp"]}

// CHECK-LABEL: func @train
// CHECK: %[[V:.*]] = te.activation silu %arg0
// CHECK: %[[DW:.*]] = te.activation silu %[[V]]
// CHECK: shard.all_reduce %[[DW]] on @mesh grid_axes = [0, 1] : tensor<4x4xf32> -> tensor<4x4xf32>
// CHECK: te.reduce_scalars sums({{.*}}) on @mesh axes = [0]
// CHECK-NOT: te.vary
func.func @train(%w: tensor<4x4xf32> {te.param = "w"}, %x: tensor<4x4xf32> {te.input = "x"}, %c: tensor<f32> {te.scalar = "c"})
    -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.loss_divisor, te.output = "count"}, tensor<4x4xf32> {te.gradient = "w", te.output = "grad.w"}) attributes {te.entry = "train"} {
  %a = te.activation silu %w : tensor<4x4xf32> -> y tensor<4x4xf32>
  %v = te.vary %a on @mesh axes = [1] : tensor<4x4xf32>
  %dw = te.activation silu %v : tensor<4x4xf32> -> y tensor<4x4xf32>
  return %c, %c, %dw : tensor<f32>, tensor<f32>, tensor<4x4xf32>
}

// CHECK-LABEL: func @vjp
// CHECK: %[[D:.*]] = te.activation silu %arg0
// CHECK: %[[SUM:.*]] = shard.all_reduce %[[D]] on @mesh grid_axes = [1]
// CHECK: return %[[SUM]], %[[D]]
func.func @vjp(%w: tensor<4x4xf32> {te.param = "w"}, %x: tensor<4x4xf32> {te.input = "x"})
    -> (tensor<4x4xf32> {te.gradient = "w", te.output = "grad.w"}, tensor<4x4xf32> {te.gradient = "x", te.output = "grad.x"}) attributes {te.entry = "vjp"} {
  %d = te.activation silu %w : tensor<4x4xf32> -> y tensor<4x4xf32>
  return %d, %d : tensor<4x4xf32>, tensor<4x4xf32>
}
