// RUN: te-opt %s --te-to-tert --split-input-file | FileCheck %s
// RUN: te-opt %s --te-add-gradients --te-validate-spmd --split-input-file | FileCheck %s --check-prefix=GRAD

// Rank r gets the rows [8 r, 8 r + 8) of all ranks: tokens go to their experts.
// CHECK-LABEL: func.func @dispatch
// CHECK: tert.collective all_to_all x(%{{.*}} : tensor<16x32xf8E4M3FN>) -> y(%{{.*}} : tensor<16x32xf8E4M3FN>) {axes = 2 : i32}
shard.grid @mesh(shape = 3x2) {te.axes = ["dp", "tp"]}
func.func @dispatch(%x: tensor<16x32xf8E4M3FN>) -> tensor<16x32xf8E4M3FN> {
  %y = shard.all_to_all %x on @mesh grid_axes = [1] split_axis = 0 concat_axis = 0 : tensor<16x32xf8E4M3FN> -> tensor<16x32xf8E4M3FN>
  return %y : tensor<16x32xf8E4M3FN>
}

// -----

// Cotangents go the way back.
// GRAD-LABEL: func.func @grad
// GRAD: %[[DZ:.*]] = te.activation_grad
// GRAD: shard.all_to_all %[[DZ]] on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<16x32xf32> -> tensor<16x32xf32>
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @grad(%x: tensor<16x32xf32> {te.input = "x"})
    -> (tensor<16x32xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %e = shard.all_to_all %x on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<16x32xf32> -> tensor<16x32xf32>
  %y = te.activation relu %e : tensor<16x32xf32> -> y tensor<16x32xf32>
  return %y : tensor<16x32xf32>
}
