// RUN: te-opt %s --te-shard-model=mesh=tp=4 -split-input-file | FileCheck %s
// RUN: te-opt %s --te-shard-model=mesh=tp=4 --te-add-gradients --te-parallelize=mesh=tp=4 -split-input-file --te-validate-spmd | FileCheck %s --check-prefix=GRAD

// Four ranks have a head of queries each, and read two heads of keys: every rank makes both
// of whole weights, and takes the one that its queries read.

// CHECK-LABEL: func.func @two_key_heads
// CHECK-SAME: tensor<8x16xf32> {te.param = "q", te.shard = #te.shard<shape = [32, 16], dim_axes = 1>}
// CHECK-SAME: tensor<16x16xf32> {te.param = "k"}
// CHECK: %[[K:.*]] = tensor.expand_shape %{{.*}} : tensor<8x16xf32> into tensor<2x4x2x8xf32>
// CHECK-DAG: %[[FIRST:.*]] = tensor.extract_slice %[[K]][0, 0, 0, 0] [2, 4, 1, 8] [1, 1, 1, 1]
// CHECK-DAG: %[[SECOND:.*]] = tensor.extract_slice %[[K]][0, 0, 1, 0] [2, 4, 1, 8] [1, 1, 1, 1]
// CHECK: %[[ALL:.*]] = tensor.concat dim(0) %[[FIRST]], %[[FIRST]], %[[SECOND]], %[[SECOND]]
// CHECK: %[[OWN:.*]] = shard.all_slice %[[ALL]] on @mesh grid_axes = [0] slice_axis = 0 : tensor<8x4x1x8xf32> -> tensor<2x4x1x8xf32>
// CHECK: te.attention %{{.*}}, %[[OWN]], %{{.*}} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>
// CHECK: shard.reduce_scatter

// Cotangents of all ranks' heads are added up where a head is read several times.
// GRAD-LABEL: func.func @two_key_heads
// GRAD: te.attention_grad
// GRAD: shard.all_gather
func.func @two_key_heads(%x: tensor<8x16xf32> {te.input = "x"}, %wq: tensor<32x16xf32> {te.param = "q"}, %wk: tensor<16x16xf32> {te.param = "k"},
                         %wo: tensor<16x32xf32> {te.param = "o"}) -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %q = te.matmul %x, %wq {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %k = te.matmul %x, %wk {transpose_b} : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
  %qh = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 4, 4, 8] : tensor<8x32xf32> into tensor<2x4x4x8xf32>
  %kh = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 4, 2, 8] : tensor<8x16xf32> into tensor<2x4x2x8xf32>
  %o, %lse = te.attention %qh, %kh, %kh {causal, scale = 0.5 : f32}
    : tensor<2x4x4x8xf32>, tensor<2x4x2x8xf32>, tensor<2x4x2x8xf32> -> tensor<2x4x4x8xf32>, tensor<2x4x4xf32>
  %rows = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x4x8xf32> into tensor<8x32xf32>
  %y = te.matmul %rows, %wo {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// Heads in front of tokens, two heads of queries for each rank, keys that are inputs.

// CHECK-LABEL: func.func @heads_first
// CHECK: shard.all_slice %{{.*}} slice_axis = 0 : tensor<8x1x4x8xf32> -> tensor<2x1x4x8xf32>
// CHECK: shard.all_slice %{{.*}} slice_axis = 0 : tensor<8x1x4x8xf32> -> tensor<2x1x4x8xf32>
// CHECK: te.attention {{.*}} : tensor<2x2x4x8xf32>, tensor<2x1x4x8xf32>, tensor<2x1x4x8xf32> -> tensor<2x2x4x8xf32>
func.func @heads_first(%x: tensor<8x16xf32> {te.input = "x"}, %keys: tensor<2x2x4x8xf32> {te.input = "keys"}, %values: tensor<2x2x4x8xf32> {te.input = "values"},
                       %wq: tensor<64x16xf32> {te.param = "q"}, %wo: tensor<16x64xf32> {te.param = "o"}) -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %q = te.matmul %x, %wq {transpose_b} : tensor<8x16xf32>, tensor<64x16xf32> -> tensor<8x64xf32>
  %qs = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 4, 8, 8] : tensor<8x64xf32> into tensor<2x4x8x8xf32>
  %qe = tensor.empty() : tensor<2x8x4x8xf32>
  %qh = linalg.transpose ins(%qs : tensor<2x4x8x8xf32>) outs(%qe : tensor<2x8x4x8xf32>) permutation = [0, 2, 1, 3]
  %o, %lse = te.attention %qh, %keys, %values {layout = #te.attention_layout<bhsd>, scale = 0.5 : f32}
    : tensor<2x8x4x8xf32>, tensor<2x2x4x8xf32>, tensor<2x2x4x8xf32> -> tensor<2x8x4x8xf32>, tensor<2x8x4xf32>
  %oe = tensor.empty() : tensor<2x4x8x8xf32>
  %os = linalg.transpose ins(%o : tensor<2x8x4x8xf32>) outs(%oe : tensor<2x4x8x8xf32>) permutation = [0, 2, 1, 3]
  %rows = tensor.collapse_shape %os [[0, 1], [2, 3]] : tensor<2x4x8x8xf32> into tensor<8x64xf32>
  %y = te.matmul %rows, %wo {transpose_b} : tensor<8x64xf32>, tensor<16x64xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// One layer makes queries and keys: each rank makes its rows of all of them, and takes its
// heads of the gathered queries.

// CHECK-LABEL: func.func @joined
// CHECK-SAME: tensor<48x16xf32> {te.param = "qk"}
// CHECK-SAME: tensor<16x8xf32> {te.param = "o", te.shard = #te.shard<shape = [16, 32], dim_axes = 1, dim = 1>}
// CHECK: te.matmul %{{.*}} : tensor<8x16xf32>, tensor<48x16xf32> -> tensor<8x48xf32>
// CHECK: te.attention {{.*}} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>
// CHECK: shard.reduce_scatter
func.func @joined(%x: tensor<8x16xf32> {te.input = "x"}, %wqk: tensor<48x16xf32> {te.param = "qk"}, %cos: tensor<4x4xf32> {te.input = "cos"}, %sin: tensor<4x4xf32> {te.input = "sin"},
                  %wo: tensor<16x32xf32> {te.param = "o"}) -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %qk = te.matmul %x, %wqk {transpose_b} : tensor<8x16xf32>, tensor<48x16xf32> -> tensor<8x48xf32>
  %q = tensor.extract_slice %qk[0, 0] [8, 32] [1, 1] : tensor<8x48xf32> to tensor<8x32xf32>
  %k = tensor.extract_slice %qk[0, 32] [8, 16] [1, 1] : tensor<8x48xf32> to tensor<8x16xf32>
  %qh = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 4, 4, 8] : tensor<8x32xf32> into tensor<2x4x4x8xf32>
  %kh = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 4, 2, 8] : tensor<8x16xf32> into tensor<2x4x2x8xf32>
  %qr = te.rope %qh, %cos, %sin : tensor<2x4x4x8xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<2x4x4x8xf32>
  %kr = te.rope %kh, %cos, %sin : tensor<2x4x2x8xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<2x4x2x8xf32>
  %o, %lse = te.attention %qr, %kr, %kh {causal, scale = 0.5 : f32}
    : tensor<2x4x4x8xf32>, tensor<2x4x2x8xf32>, tensor<2x4x2x8xf32> -> tensor<2x4x4x8xf32>, tensor<2x4x4xf32>
  %rows = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x4x8xf32> into tensor<8x32xf32>
  %y = te.matmul %rows, %wo {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}

// -----

// The same with one head of keys.

// CHECK-LABEL: func.func @joined_one
// CHECK: te.attention {{.*}} : tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x1x8xf32>
func.func @joined_one(%x: tensor<8x16xf32> {te.input = "x"}, %wqk: tensor<40x16xf32> {te.param = "qk"},
                      %wo: tensor<16x32xf32> {te.param = "o"}) -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %qk = te.matmul %x, %wqk {transpose_b} : tensor<8x16xf32>, tensor<40x16xf32> -> tensor<8x40xf32>
  %q = tensor.extract_slice %qk[0, 0] [8, 32] [1, 1] : tensor<8x40xf32> to tensor<8x32xf32>
  %k = tensor.extract_slice %qk[0, 32] [8, 8] [1, 1] : tensor<8x40xf32> to tensor<8x8xf32>
  %qh = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 4, 4, 8] : tensor<8x32xf32> into tensor<2x4x4x8xf32>
  %kh = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 4, 1, 8] : tensor<8x8xf32> into tensor<2x4x1x8xf32>
  %o, %lse = te.attention %qh, %kh, %kh {causal, scale = 0.5 : f32}
    : tensor<2x4x4x8xf32>, tensor<2x4x1x8xf32>, tensor<2x4x1x8xf32> -> tensor<2x4x4x8xf32>, tensor<2x4x4xf32>
  %rows = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x4x8xf32> into tensor<8x32xf32>
  %y = te.matmul %rows, %wo {transpose_b} : tensor<8x32xf32>, tensor<16x32xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
