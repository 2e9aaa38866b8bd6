// RUN: te-opt %s --te-shard-model=mesh=tp=2 | FileCheck %s

// The channels of a scan are those of the layers around it; its keys and queries,
// which all channels have in common, are computed by every rank.

// CHECK-LABEL: func.func @channels
// CHECK-SAME: tensor<16x16xf32> {te.param = "in", te.shard = #te.shard<shape = [32, 16], dim_axes = 1>}
// CHECK-SAME: tensor<16x16xf32> {te.param = "out", te.shard = #te.shard<shape = [16, 32], dim_axes = 1, dim = 1>}
// CHECK: te.scan %{{.*}}, %{{.*}} rates(%{{.*}} : tensor<16x4xf32>) keys(%{{.*}} : tensor<2x4x4xf32>) queries(%{{.*}} : tensor<2x4x4xf32>)
// CHECK-SAME: tensor<2x4x16xf32>, tensor<2x4x16xf32> -> tensor<2x4x16xf32>, tensor<2x1x16x4xf32>, tensor<2x16x4xf32>
func.func @channels(%x: tensor<8x16xf32> {te.input = "x"}, %wi: tensor<32x16xf32> {te.param = "in"}, %wo: tensor<16x32xf32> {te.param = "out"},
    %a: tensor<32x4xf32> {te.param = "a"}, %k: tensor<2x4x4xf32> {te.input = "k"})
    -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %u = te.matmul %x, %wi {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %s = tensor.expand_shape %u [[0, 1], [2]] output_shape [2, 4, 32] : tensor<8x32xf32> into tensor<2x4x32xf32>
  %h, %states, %final = te.scan %s, %s rates(%a : tensor<32x4xf32>) keys(%k : tensor<2x4x4xf32>) queries(%k : tensor<2x4x4xf32>) {chunk = 32 : i64}
    : tensor<2x4x32xf32>, tensor<2x4x32xf32> -> tensor<2x4x32xf32>, tensor<2x1x32x4xf32>, tensor<2x32x4xf32>
  %rows = tensor.collapse_shape %h [[0, 1], [2]] : tensor<2x4x32xf32> into tensor<8x32xf32>
  %y = te.matmul %rows, %wo {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// So are those of a convolution along a sequence.

// CHECK-LABEL: func.func @convolution
// CHECK-SAME: tensor<4x16xf32> {te.param = "taps", te.shard = #te.shard<shape = [4, 32], dim_axes = 1, dim = 1>}
// CHECK: te.causal_conv %{{.*}}, %{{.*}} bias(%{{.*}} : tensor<16xf32>) {silu} : tensor<2x4x16xf32>, tensor<4x16xf32> -> tensor<2x4x16xf32>
func.func @convolution(%x: tensor<8x16xf32> {te.input = "x"}, %wi: tensor<32x16xf32> {te.param = "in"}, %wo: tensor<16x32xf32> {te.param = "out"},
    %w: tensor<4x32xf32> {te.param = "taps"}, %b: tensor<32xf32> {te.param = "bias"})
    -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %u = te.matmul %x, %wi {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %s = tensor.expand_shape %u [[0, 1], [2]] output_shape [2, 4, 32] : tensor<8x32xf32> into tensor<2x4x32xf32>
  %h = te.causal_conv %s, %w bias(%b : tensor<32xf32>) {silu} : tensor<2x4x32xf32>, tensor<4x32xf32> -> tensor<2x4x32xf32>
  %rows = tensor.collapse_shape %h [[0, 1], [2]] : tensor<2x4x32xf32> into tensor<8x32xf32>
  %y = te.matmul %rows, %wo {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
