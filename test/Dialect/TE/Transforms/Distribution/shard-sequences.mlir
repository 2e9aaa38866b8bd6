// RUN: te-opt %s --te-shard-sequences=mesh=cp=2 --split-input-file | FileCheck %s
// RUN: te-opt %s --te-shard-sequences=mesh=dp=2,cp=4 --split-input-file | FileCheck %s --check-prefix=FOUR
// RUN: te-opt %s --te-shard-sequences=mesh=dp=2 --split-input-file | FileCheck %s --check-prefix=NONE
// RUN: te-opt %s --te-shard-sequences --split-input-file | FileCheck %s --check-prefix=NONE

// Rank 0 has the pieces 0 and 3 of the ids, rank 1 has 1 and 2; of a table of
// parameters it looks its rows up, of a table that is no parameter it takes its
// part. Keys are gathered, and put in order: each rank's halves are the first and
// the last, or those between. So are outputs, which no rank computes with.

// CHECK: shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
// CHECK-LABEL: func @causal
// CHECK-DAG: %[[I0:.*]] = tensor.extract_slice %arg0[0, 0] [2, 4] [1, 1]
// CHECK-DAG: %[[I1:.*]] = tensor.extract_slice %arg0[0, 4] [2, 4] [1, 1]
// CHECK-DAG: %[[I2:.*]] = tensor.extract_slice %arg0[0, 8] [2, 4] [1, 1]
// CHECK-DAG: %[[I3:.*]] = tensor.extract_slice %arg0[0, 12] [2, 4] [1, 1]
// CHECK: tensor.concat dim(1) %[[I0]], %[[I3]]
// CHECK: tensor.concat dim(1) %[[I1]], %[[I2]]
// CHECK: %[[STACKED:.*]] = tensor.concat dim(0) {{.*}} -> tensor<2x2x8xi64>
// CHECK: shard.all_slice %[[STACKED]] on @mesh grid_axes = [0] slice_axis = 0 : tensor<2x2x8xi64> -> tensor<1x2x8xi64>
// CHECK: %[[TOKENS:.*]] = te.embedding %{{.*}}, %arg1 : tensor<16xi64>, tensor<16x8xf32> -> tensor<16x8xf32>
// CHECK: %[[TABLE:.*]] = tensor.extract_slice %arg2
// CHECK: %[[POSITIONS:.*]] = shard.all_slice {{.*}} : tensor<2x8xi64> -> tensor<1x8xi64>
// CHECK: %[[OWN:.*]] = tensor.collapse_shape %[[POSITIONS]]
// CHECK: %[[ROWS:.*]] = te.embedding %[[OWN]], %[[TABLE]] : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
// CHECK: te.add %[[TOKENS]], %[[ROWS]] : tensor<16x8xf32>, tensor<8x8xf32> -> tensor<16x8xf32>
// CHECK: te.matmul %{{.*}}, %arg4 {transpose_b} : tensor<16x8xf32>, tensor<16x8xf32> -> tensor<16x16xf32>
// CHECK: shard.all_slice {{.*}} : tensor<2x8x2xf32> -> tensor<1x8x2xf32>
// CHECK: %[[Q:.*]] = te.rope {{.*}} : tensor<2x8x2x4xf32>, tensor<8x2xf32>, tensor<8x2xf32>
// CHECK: %[[GATHERED:.*]] = shard.all_gather {{.*}} gather_axis = 0 : tensor<1x2x8x2x4xf32> -> tensor<2x2x8x2x4xf32>
// CHECK: %[[V:.*]] = te.vary %[[GATHERED]] on @mesh axes = [0]
// CHECK: %[[RANKS:.*]]:2 = te.split %[[V]] axis 0
// CHECK: tensor.collapse_shape %[[RANKS]]#0
// CHECK: %[[OF0:.*]]:2 = te.split %{{.*}} axis 1
// CHECK: tensor.collapse_shape %[[RANKS]]#1
// CHECK: %[[OF1:.*]]:2 = te.split %{{.*}} axis 1
// CHECK: %[[K:.*]] = tensor.concat dim(1) %[[OF0]]#0, %[[OF1]]#0, %[[OF1]]#1, %[[OF0]]#1
// CHECK: te.attention %[[Q]], %[[K]], %[[K]] {balanced, causal, query_axes = 1 : i32, scale = 5.000000e-01 : f32} : tensor<2x8x2x4xf32>, tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32> -> tensor<2x8x2x4xf32>, tensor<2x2x8xf32>
// CHECK: shard.all_gather {{.*}} : tensor<1x2x8x8xf32> -> tensor<2x2x8x8xf32>
// CHECK-NOT: te.vary
// CHECK: %[[Y:.*]] = tensor.concat dim(1)
// CHECK: return %[[Y]] : tensor<2x16x8xf32>

// FOUR: shard.grid @mesh(shape = 2x4) {te.axes = ["dp", "cp"]}
// FOUR: te.attention {{.*}} {balanced, causal, query_axes = 2 : i32, scale = 5.000000e-01 : f32} : tensor<2x4x2x4xf32>, tensor<2x16x2x4xf32>

// NONE-NOT: shard
func.func @causal(%ids: tensor<2x16xi64> {te.input = "ids"}, %wte: tensor<16x8xf32> {te.param = "wte"}, %wpe: tensor<20x8xf32> {te.param = "wpe"},
                  %cos: tensor<16x2xf32> {te.input = "cos"}, %w: tensor<16x8xf32> {te.param = "w"})
    -> (tensor<2x16x8xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %flat = tensor.collapse_shape %ids [[0, 1]] : tensor<2x16xi64> into tensor<32xi64>
  %tok = te.embedding %flat, %wte : tensor<32xi64>, tensor<16x8xf32> -> tensor<32x8xf32>
  %pos = tensor.extract_slice %wpe[0, 0] [16, 8] [1, 1] : tensor<20x8xf32> to tensor<16x8xf32>
  %x = te.add %tok, %pos : tensor<32x8xf32>, tensor<16x8xf32> -> tensor<32x8xf32>
  %qk = te.matmul %x, %w {transpose_b} : tensor<32x8xf32>, tensor<16x8xf32> -> tensor<32x16xf32>
  %q, %k = te.split %qk axis 1 : tensor<32x16xf32> -> tensor<32x8xf32>, tensor<32x8xf32>
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 16, 2, 4] : tensor<32x8xf32> into tensor<2x16x2x4xf32>
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 16, 2, 4] : tensor<32x8xf32> into tensor<2x16x2x4xf32>
  %qr = te.rope %q4, %cos, %cos : tensor<2x16x2x4xf32>, tensor<16x2xf32>, tensor<16x2xf32> -> tensor<2x16x2x4xf32>
  %o, %lse = te.attention %qr, %k4, %k4 {causal, scale = 0.5 : f32}
    : tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32>, tensor<2x16x2x4xf32> -> tensor<2x16x2x4xf32>, tensor<2x2x16xf32>
  %y = tensor.collapse_shape %o [[0], [1], [2, 3]] : tensor<2x16x2x4xf32> into tensor<2x16x8xf32>
  return %y : tensor<2x16x8xf32>
}

// -----

// Without a mask it does not matter where queries are, and pieces are in order.
// Keys that every rank has are read as they are, their cotangent is a sum over the
// ranks; the rows of a bias go with the queries.

// CHECK-LABEL: func @cross
// CHECK: %[[Q:.*]]:2 = te.split %arg0 axis 1
// CHECK: shard.all_slice
// CHECK: %[[K:.*]] = te.vary %arg1 on @mesh axes = [0] : tensor<2x6x2x4xf32>
// CHECK: te.split %arg2 axis 2
// CHECK: %[[B:.*]] = tensor.collapse_shape {{.*}} into tensor<1x2x4x6xf32>
// CHECK: te.attention %{{.*}}, %[[K]], %[[K]] bias(%[[B]] : tensor<1x2x4x6xf32>) {scale = 5.000000e-01 : f32} : tensor<2x4x2x4xf32>
// CHECK: shard.all_gather {{.*}} -> tensor<2x2x4x2x4xf32>

// FOUR-LABEL: func @cross
// NONE-LABEL: func @cross
func.func @cross(%q: tensor<2x8x2x4xf32> {te.input = "q"}, %k: tensor<2x6x2x4xf32> {te.input = "k"}, %b: tensor<1x2x8x6xf32> {te.input = "b"})
    -> (tensor<2x8x2x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %k, %k bias(%b : tensor<1x2x8x6xf32>) {scale = 0.5 : f32}
    : tensor<2x8x2x4xf32>, tensor<2x6x2x4xf32>, tensor<2x6x2x4xf32> -> tensor<2x8x2x4xf32>, tensor<2x2x8xf32>
  return %o : tensor<2x8x2x4xf32>
}

// -----

// Ranks have terms of the sum that a mean is divided from, and of its count.

// CHECK-LABEL: func @loss
// CHECK: te.shift_labels %arg1 : tensor<1x8xi64>
// CHECK: %[[COUNT:.*]] = te.count_labels {{.*}} : tensor<4xi64>
// CHECK: %[[ALL:.*]] = shard.all_reduce %[[COUNT]] on @mesh grid_axes = [0] : tensor<f32> -> tensor<f32>
// CHECK: %[[LOSS:.*]], %{{.*}}, %{{.*}} = te.cross_entropy {{.*}} {reduction = #te.reduction<sum>} : tensor<4x8xf32>, tensor<4xi64>
// CHECK: %[[SUM:.*]] = shard.all_reduce %[[LOSS]] on @mesh grid_axes = [0]
// CHECK: linalg.generic {{.*}} ins(%[[SUM]], %[[ALL]] : tensor<f32>, tensor<f32>)
func.func @loss(%q: tensor<1x8x2x4xf32> {te.input = "q"}, %ids: tensor<1x8xi64> {te.input = "ids"})
    -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "eval"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32> -> tensor<1x8x2x4xf32>, tensor<1x2x8xf32>
  %logits = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<1x8x2x4xf32> into tensor<8x8xf32>
  %shifted = te.shift_labels %ids : tensor<1x8xi64>
  %labels = tensor.collapse_shape %shifted [[0, 1]] : tensor<1x8xi64> into tensor<8xi64>
  %loss, %l, %count = te.cross_entropy %logits, %labels : tensor<8x8xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss : tensor<f32>
}
