// RUN: te-opt %s --te-to-tert | FileCheck %s

shard.grid @mesh(shape = 2x4) {te.axes = ["dp", "tp"]}

// Parts that lie one behind another, also behind sizes of 1.
// CHECK-LABEL: func.func @rows(
// CHECK: tert.collective all_gather x(%{{.*}} : tensor<32x64xf8E4M3FN>) -> y(%{{.*}} : tensor<128x64xf8E4M3FN>) {axes = 2 : i32}
// CHECK: tert.collective all_gather x(%{{.*}} : tensor<1x32xf32>) -> y(%{{.*}} : tensor<1x64xf32>) {axes = 1 : i32}
func.func @rows(%x: tensor<32x64xf8E4M3FN>, %r: tensor<1x32xf32>) -> (tensor<128x64xf8E4M3FN>, tensor<1x64xf32>) {
  %y = shard.all_gather %x on @mesh grid_axes = [1] gather_axis = 0 : tensor<32x64xf8E4M3FN> -> tensor<128x64xf8E4M3FN>
  %s = shard.all_gather %r on @mesh grid_axes = [0] gather_axis = 1 : tensor<1x32xf32> -> tensor<1x64xf32>
  return %y, %s : tensor<128x64xf8E4M3FN>, tensor<1x64xf32>
}

// Parts that lie in pieces: columns of a matrix, heads.
// CHECK-LABEL: func.func @columns(
// CHECK: tert.collective_sequence all_gather x(%{{.*}} : tensor<64x32xf8E4M3FN>) -> y(%{{.*}} : tensor<64x128xf8E4M3FN>) {axes = 2 : i32, dim = 1 : i32}
// CHECK: tert.collective_sequence all_gather x(%{{.*}} : tensor<2x3x4x5xbf16>) -> y(%{{.*}} : tensor<2x3x16x5xbf16>) {axes = 2 : i32, dim = 2 : i32}
func.func @columns(%x: tensor<64x32xf8E4M3FN>, %h: tensor<2x3x4x5xbf16>) -> (tensor<64x128xf8E4M3FN>, tensor<2x3x16x5xbf16>) {
  %y = shard.all_gather %x on @mesh grid_axes = [1] gather_axis = 1 : tensor<64x32xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
  %z = shard.all_gather %h on @mesh grid_axes = [1] gather_axis = 2 : tensor<2x3x4x5xbf16> -> tensor<2x3x16x5xbf16>
  return %y, %z : tensor<64x128xf8E4M3FN>, tensor<2x3x16x5xbf16>
}

// The runtime's tensors have six dimensions: of more, all of them are one.
// CHECK-LABEL: func.func @deep(
// CHECK: tert.collective all_gather x(%{{.*}} : tensor<24xf32>) -> y(%{{.*}} : tensor<48xf32>) {axes = 1 : i32}
// CHECK: tensor.expand_shape {{.*}} output_shape [1, 4, 1, 3, 1, 4, 1] : tensor<48xf32> into tensor<1x4x1x3x1x4x1xf32>
// CHECK: tert.collective all_reduce -> y(%{{.*}} : tensor<48xf32>) {axes = 1 : i32}
// CHECK: tert.collective reduce_scatter x(%{{.*}} : tensor<48xf32>) -> y(%{{.*}} : tensor<24xf32>) {axes = 1 : i32}
// CHECK: tert.all_slice x(%{{.*}} : tensor<48xf32>) -> y(%{{.*}} : tensor<24xf32>) {axes = 1 : i32}
// CHECK: return {{.*}} : tensor<1x4x1x3x1x4x1xf32>, tensor<1x2x1x3x1x4x1xf32>, tensor<1x2x1x3x1x4x1xf32>
func.func @deep(%x: tensor<1x2x1x3x1x4x1xf32>) -> (tensor<1x4x1x3x1x4x1xf32>, tensor<1x2x1x3x1x4x1xf32>, tensor<1x2x1x3x1x4x1xf32>) {
  %y = shard.all_gather %x on @mesh grid_axes = [0] gather_axis = 1 : tensor<1x2x1x3x1x4x1xf32> -> tensor<1x4x1x3x1x4x1xf32>
  %s = shard.all_reduce %y on @mesh grid_axes = [0] : tensor<1x4x1x3x1x4x1xf32> -> tensor<1x4x1x3x1x4x1xf32>
  %p = shard.reduce_scatter %y on @mesh grid_axes = [0] scatter_axis = 1 : tensor<1x4x1x3x1x4x1xf32> -> tensor<1x2x1x3x1x4x1xf32>
  %o = shard.all_slice %s on @mesh grid_axes = [0] slice_axis = 1 : tensor<1x4x1x3x1x4x1xf32> -> tensor<1x2x1x3x1x4x1xf32>
  return %s, %p, %o : tensor<1x4x1x3x1x4x1xf32>, tensor<1x2x1x3x1x4x1xf32>, tensor<1x2x1x3x1x4x1xf32>
}
