// RUN: te-opt %s --te-parallelize=mesh=dp=4 --split-input-file | FileCheck %s
// RUN: te-opt %s --te-parallelize --split-input-file | FileCheck %s --check-prefix=ONE

// A mean is shared as the sum that it was divided from, with its divisor; a
// gradient of nothing is not exchanged. The entry that only returns what it
// computes stays that of one rank.
// ONE-NOT: shard.
// CHECK: shard.grid @mesh(shape = 4) {te.axes = ["dp"]}
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[X:.*]]: tensor<8x16xf32> {te.input = "x"}, %[[L:.*]]: tensor<f32> {te.input = "l"}, %[[C:.*]]: tensor<f32> {te.input = "c"}
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16xf32>
// CHECK-DAG: %[[G:.*]] = shard.all_reduce %[[X]] on @mesh grid_axes = [0] : tensor<8x16xf32> -> tensor<8x16xf32>
// CHECK-DAG: %[[TERM:.*]] = arith.mulf %[[L]], %[[C]] : tensor<f32>
// CHECK: %[[SUM:.*]] = te.reduce_scalars sums(%[[TERM]], %[[C]]) on @mesh axes = [0] -> sum tensor<2xf32>
// CHECK: %[[TOTAL:.*]] = tensor.extract_slice %[[SUM]][0] [1] [1]
// CHECK: %[[COUNT:.*]] = tensor.extract_slice %[[SUM]][1] [1] [1]
// CHECK: %[[NONE:.*]] = arith.cmpf oeq, %[[COUNT]]
// CHECK: %[[MEAN:.*]] = arith.divf %[[TOTAL]], %[[COUNT]]
// CHECK: %[[LOSS:.*]] = arith.select %[[NONE]], %{{.*}}, %[[MEAN]]
// CHECK: return %[[LOSS]], %[[COUNT]], %[[G]], %[[ZERO]]
func.func @train(%x: tensor<8x16xf32> {te.input = "x"}, %l: tensor<f32> {te.input = "l"}, %c: tensor<f32> {te.input = "c"},
                 %w: tensor<8x16xf32> {te.param = "w"}, %b: tensor<16xf32> {te.param = "b"})
    -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count", te.loss_divisor},
        tensor<8x16xf32> {te.output = "grad.w", te.gradient = "w"},
        tensor<16xf32> {te.output = "grad.b", te.gradient = "b"}) attributes {te.entry = "train"} {
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  return %l, %c, %x, %zero : tensor<f32>, tensor<f32>, tensor<8x16xf32>, tensor<16xf32>
}

// CHECK-LABEL: func.func @grad(
// CHECK-NOT: shard.all_reduce
func.func @grad(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<8x16xf32> {te.param = "w"})
    -> (tensor<8x16xf32> {te.output = "grad.w", te.gradient = "w"}) attributes {te.entry = "grad"} {
  return %x : tensor<8x16xf32>
}

// -----

// A loss that is a sum is added; a guard that is NaN on one rank is so on all.
// The name of the mesh is one that nobody has.
// CHECK: shard.grid @mesh_0(shape = 4)
// CHECK-LABEL: func.func @train(
// CHECK: %[[SUM:.*]] = te.reduce_scalars sums(%[[L:.*]], %[[V:.*]]) on @mesh_0 axes = [0] -> sum tensor<2xf32>
// CHECK: %[[TOTAL:.*]] = tensor.extract_slice %[[SUM]][0]
// CHECK: %[[GUARD:.*]] = tensor.extract_slice %[[SUM]][1]
// CHECK: return %[[TOTAL]], %[[GUARD]]
func.func @train(%l: tensor<f32> {te.input = "l"}, %g: tensor<f32> {te.input = "g"}, %w: tensor<4xf32> {te.param = "w"})
    -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "guard", te.gradient_guard},
        tensor<4xf32> {te.output = "grad.w", te.gradient = "w"}) attributes {te.entry = "train"} {
  return %l, %g, %w : tensor<f32>, tensor<f32>, tensor<4xf32>
}
func.func private @mesh()
