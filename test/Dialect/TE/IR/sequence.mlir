// RUN: te-opt %s | te-opt | FileCheck %s
// RUN: te-opt %s --te-add-gradients | FileCheck %s --check-prefix=GRADIENT

shard.grid @mesh(shape = 2x2) {te.axes = ["dp", "cp"]}

// CHECK-LABEL: func @ops
// CHECK: te.all_slice_sequence %arg0 on @mesh axes = [1] dim = 1 {balanced} : tensor<2x8xi64> -> tensor<2x4xi64>
// CHECK: te.all_gather_sequence %arg1 on @mesh axes = [0, 1] dim = 0 : tensor<3x5xf8E4M3FN> -> tensor<12x5xf8E4M3FN>
// CHECK: te.reduce_scatter_sequence %arg2 on @mesh axes = [1] dim = 1 {balanced} : tensor<2x8x4xbf16> -> tensor<2x4x4xbf16>
func.func @ops(%ids: tensor<2x8xi64>, %x: tensor<3x5xf8E4M3FN>, %dk: tensor<2x8x4xbf16>) {
  %0 = te.all_slice_sequence %ids on @mesh axes = [1] dim = 1 {balanced} : tensor<2x8xi64> -> tensor<2x4xi64>
  %1 = te.all_gather_sequence %x on @mesh axes = [0, 1] dim = 0 : tensor<3x5xf8E4M3FN> -> tensor<12x5xf8E4M3FN>
  %2 = te.reduce_scatter_sequence %dk on @mesh axes = [1] dim = 1 {balanced} : tensor<2x8x4xbf16> -> tensor<2x4x4xbf16>
  return
}

// The rank's part of a cotangent that is whole, and its part of the sum of what
// the ranks have of one that is not: nobody needs all of the sum.

// GRADIENT-LABEL: func @vjp
// GRADIENT-NOT: shard.all_reduce
// GRADIENT-DAG: %[[PART:.*]] = te.reduce_scatter_sequence %{{.*}} on @mesh axes = [1] dim = 0 {balanced} : tensor<8x4xf32> -> tensor<4x4xf32>
// GRADIENT-DAG: %[[OWN:.*]] = te.all_slice_sequence %{{.*}} on @mesh axes = [1] dim = 0 : tensor<8x4xf32> -> tensor<4x4xf32>
// GRADIENT: %[[SUM:.*]] = te.add %[[OWN]], %[[PART]]
// GRADIENT: te.all_gather_sequence %[[SUM]] on @mesh axes = [1] dim = 0 {balanced} : tensor<4x4xf32> -> tensor<8x4xf32>
func.func @vjp(%x: tensor<8x4xf32> {te.input = "x"})
    -> (tensor<8x4xf32> {te.output = "y"}, tensor<8x4xf32> {te.output = "z"}) attributes {te.entry = "vjp"} {
  %own = te.all_slice_sequence %x on @mesh axes = [1] dim = 0 {balanced} : tensor<8x4xf32> -> tensor<4x4xf32>
  %all = te.all_gather_sequence %own on @mesh axes = [1] dim = 0 {balanced} : tensor<4x4xf32> -> tensor<8x4xf32>
  %vary = te.vary %all on @mesh axes = [1] : tensor<8x4xf32>
  %y = te.activation silu %vary : tensor<8x4xf32> -> y tensor<8x4xf32>
  %z = te.all_gather_sequence %own on @mesh axes = [1] dim = 0 : tensor<4x4xf32> -> tensor<8x4xf32>
  return %y, %z : tensor<8x4xf32>, tensor<8x4xf32>
}
