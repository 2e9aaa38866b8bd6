// RUN: te-opt %s --split-input-file --te-shard-experts=mesh=ep=2 | FileCheck %s
// RUN: te-opt %s --split-input-file --te-shard-experts="mesh=ep=2 capacity=1" | FileCheck %s --check-prefix=SPACE
// RUN: te-opt %s --split-input-file --te-shard-experts | FileCheck %s --check-prefix=NONE
// RUN: te-opt %s --split-input-file --te-shard-experts=mesh=ep=2 --remarks-filter=te-shard-experts -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// NONE-NOT: shard.grid

// Two products of the same experts, and what is between them: rows and their
// experts are sent once, and results once back.
// CHECK:       shard.grid @mesh(shape = 2) {te.axes = ["ep"]}
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<16x8xf32> {te.input = "x"}, %[[E:[a-z0-9]*]]: tensor<32xi32>
// CHECK-SAME:    %[[UP:[a-z0-9]*]]: tensor<2x12x8xf32> {te.param = "up", te.shard = #te.shard<shape = [4, 12, 8], dim_axes = 1>}
// CHECK-SAME:    %[[DOWN:[a-z0-9]*]]: tensor<2x8x6xf32> {te.param = "down", te.shard = #te.shard<shape = [4, 8, 6], dim_axes = 1>}
// CHECK-DAG:     %[[SOURCE:.*]], %[[SLOT:.*]], %[[GROUPS:.*]] = te.group_rows %[[E]] {alignment = 1 : i64, count = 4 : i64, ranks = 2 : i64} : tensor<32xi32> -> tensor<64xi32>
// CHECK-DAG:     %[[W1:.*]] = tensor.collapse_shape %[[UP]] {{.*}} : tensor<2x12x8xf32> into tensor<24x8xf32>
// CHECK-DAG:     %[[W2:.*]] = tensor.collapse_shape %[[DOWN]] {{.*}} : tensor<2x8x6xf32> into tensor<16x6xf32>
// CHECK:         %[[Y:.*]] = te.permute %[[X]], %[[SOURCE]] {repeat = 2 : i64} : tensor<16x8xf32>, tensor<64xi32> -> y tensor<64x8xf32>
// CHECK:         %[[A:.*]] = shard.all_to_all %[[Y]] on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x8xf32> -> tensor<64x8xf32>
// CHECK:         %[[G:.*]] = shard.all_to_all %[[GROUPS]] on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64xi32> -> tensor<64xi32>
// CHECK:         %[[H:.*]] = te.expert_matmul %[[A]], %[[W1]] experts(%[[G]]) {transpose_b} : tensor<64x8xf32>, tensor<24x8xf32>, tensor<64xi32> -> tensor<64x12xf32>
// CHECK:         %[[ACT:.*]] = te.gated_activation silu %[[H]] : tensor<64x12xf32> -> y tensor<64x6xf32>
// CHECK:         %[[D:.*]] = te.expert_matmul %[[ACT]], %[[W2]] experts(%[[G]]) {transpose_b} : tensor<64x6xf32>, tensor<16x6xf32>, tensor<64xi32> -> tensor<64x8xf32>
// CHECK:         %[[B:.*]] = shard.all_to_all %[[D]] on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x8xf32> -> tensor<64x8xf32>
// CHECK:         te.unpermute %[[B]], %[[SLOT]] weights(%{{.*}} : tensor<32xf32>) {repeat = 2 : i64} : tensor<64x8xf32>, tensor<32xi32> -> tensor<16x8xf32>
// CHECK-NOT:     shard.all_to_all
// An equal share of 32 rows is 16.
// SPACE-LABEL: func.func @forward(
// SPACE:         te.group_rows %{{.*}} {alignment = 1 : i64, count = 4 : i64, ranks = 2 : i64} : tensor<32xi32> -> tensor<32xi32>
#token = affine_map<(d0, d1, d2) -> (d0, d2)>
#rows = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#weight = affine_map<(d0, d1, d2) -> (d0, d1)>
func.func @forward(%x: tensor<16x8xf32> {te.input = "x"}, %e: tensor<32xi32> {te.input = "e"}, %w: tensor<16x2xf32> {te.input = "w"},
                   %up: tensor<4x12x8xf32> {te.param = "up"}, %down: tensor<4x8x6xf32> {te.param = "down"}) -> (tensor<16x8xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %i3 = tensor.empty() : tensor<16x2x8xf32>
  %b = linalg.broadcast ins(%x : tensor<16x8xf32>) outs(%i3 : tensor<16x2x8xf32>) dimensions = [1]
  %r = tensor.collapse_shape %b [[0, 1], [2]] : tensor<16x2x8xf32> into tensor<32x8xf32>
  %w1 = tensor.collapse_shape %up [[0, 1], [2]] : tensor<4x12x8xf32> into tensor<48x8xf32>
  %w2 = tensor.collapse_shape %down [[0, 1], [2]] : tensor<4x8x6xf32> into tensor<32x6xf32>
  %h = te.expert_matmul %r, %w1 experts(%e) {transpose_b} : tensor<32x8xf32>, tensor<48x8xf32>, tensor<32xi32> -> tensor<32x12xf32>
  %a = te.gated_activation silu %h : tensor<32x12xf32> -> y tensor<32x6xf32>
  %d = te.expert_matmul %a, %w2 experts(%e) {transpose_b} : tensor<32x6xf32>, tensor<32x6xf32>, tensor<32xi32> -> tensor<32x8xf32>
  %d3 = tensor.expand_shape %d [[0, 1], [2]] output_shape [16, 2, 8] : tensor<32x8xf32> into tensor<16x2x8xf32>
  %i = tensor.empty() : tensor<16x8xf32>
  %zero = arith.constant 0.0 : f32
  %f = linalg.fill ins(%zero : f32) outs(%i : tensor<16x8xf32>) -> tensor<16x8xf32>
  %y = linalg.generic {indexing_maps = [#rows, #weight, #token], iterator_types = ["parallel", "reduction", "parallel"]}
      ins(%d3, %w : tensor<16x2x8xf32>, tensor<16x2xf32>) outs(%f : tensor<16x8xf32>) {
  ^bb0(%p: f32, %q: f32, %o: f32):
    %m = arith.mulf %p, %q : f32
    %s = arith.addf %m, %o : f32
    linalg.yield %s : f32
  } -> tensor<16x8xf32>
  return %y : tensor<16x8xf32>
}

// -----

// Products that ranks cannot share stay as they are, each with its reason;
// what else reads a shared parameter reads all of it.
// REMARK:      every rank has all experts of this product, because it has 3 experts
// REMARK:      every rank has all experts of this product, because its matrices are no parameter
// REMARK:      every rank has all experts of this product, because 'arith.addf' makes its matrices of more than one parameter
// REMARK:      every rank has all experts of this product, because products of the same rows have different numbers of experts
// REMARK:      every rank has all experts of this product, because products of the same rows have different numbers of experts
// REMARK-NOT:  every rank
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[SHARED:[a-z0-9]*]]: tensor<8x4xf32> {te.param = "shared", te.shard = #te.shard<shape = [16, 4], dim_axes = 1>}
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) : tensor<6x4xf32>, tensor<12x4xf32>, tensor<6xi32>
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) : tensor<6x4xf32>, tensor<16x4xf32>, tensor<6xi32>
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) : tensor<6x4xf32>, tensor<16x4xf32>, tensor<6xi32>
// CHECK:         te.expert_matmul %{{.*}}, %[[SHARED]] experts(%{{.*}}) : tensor<12x4xf32>, tensor<8x4xf32>, tensor<12xi32>
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) : tensor<6x4xf32>, tensor<16x4xf32>, tensor<6xi32>
// CHECK:         te.expert_matmul %{{.*}}, %{{.*}} experts(%{{.*}}) : tensor<6x4xf32>, tensor<8x4xf32>, tensor<6xi32>
// CHECK:         %[[ALL:.*]] = shard.all_gather %[[SHARED]] on @mesh grid_axes = [0] gather_axis = 0 : tensor<8x4xf32> -> tensor<16x4xf32>
// CHECK:         te.activation gelu_tanh %[[ALL]]
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}, %e: tensor<6xi32> {te.input = "e"}, %f: tensor<6xi32> {te.input = "f"}, %g: tensor<6xi32> {te.input = "g"},
                   %given: tensor<16x4xf32> {te.input = "w"}, %three: tensor<12x4xf32> {te.param = "three"}, %own: tensor<16x4xf32> {te.param = "own"},
                   %two: tensor<8x4xf32> {te.param = "two"}, %shared: tensor<16x4xf32> {te.param = "shared"})
    -> (tensor<6x4xf32> {te.output = "y"}, tensor<16x4xf32> {te.output = "z"}) attributes {te.entry = "forward"} {
  %a = te.expert_matmul %x, %three experts(%f) : tensor<6x4xf32>, tensor<12x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %b = te.expert_matmul %a, %given experts(%e) : tensor<6x4xf32>, tensor<16x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %sum = arith.addf %own, %given : tensor<16x4xf32>
  %c = te.expert_matmul %b, %sum experts(%e) : tensor<6x4xf32>, tensor<16x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %d = te.expert_matmul %c, %shared experts(%e) : tensor<6x4xf32>, tensor<16x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %p = te.expert_matmul %d, %own experts(%g) : tensor<6x4xf32>, tensor<16x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %q = te.expert_matmul %p, %two experts(%g) : tensor<6x4xf32>, tensor<8x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %z = te.activation gelu_tanh %shared : tensor<16x4xf32> -> y tensor<16x4xf32>
  return %q, %z : tensor<6x4xf32>, tensor<16x4xf32>
}

// -----

// A kernel that compares the numbers of experts works where they are those of
// all ranks, on rows in their own order.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:[a-z0-9]*]]: tensor<6x4xf32> {te.input = "x"}, %[[E:[a-z0-9]*]]: tensor<6xi32>
// CHECK:         %[[BACK:.*]] = te.unpermute
// CHECK:         linalg.generic {{.*}} ins(%[[BACK]], %[[E]] : tensor<6x4xf32>, tensor<6xi32>)
// CHECK:         te.permute
#row = affine_map<(d0, d1) -> (d0, d1)>
#expert = affine_map<(d0, d1) -> (d0)>
func.func @forward(%x: tensor<6x4xf32> {te.input = "x"}, %e: tensor<6xi32> {te.input = "e"}, %w: tensor<16x4xf32> {te.param = "w"},
                   %v: tensor<16x4xf32> {te.param = "v"}) -> (tensor<6x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %h = te.expert_matmul %x, %w experts(%e) : tensor<6x4xf32>, tensor<16x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  %i = tensor.empty() : tensor<6x4xf32>
  %three = arith.constant 3 : i32
  %two = arith.constant 2.0 : f32
  %u = linalg.generic {indexing_maps = [#row, #expert, #row], iterator_types = ["parallel", "parallel"]}
      ins(%h, %e : tensor<6x4xf32>, tensor<6xi32>) outs(%i : tensor<6x4xf32>) {
  ^bb0(%a: f32, %g: i32, %o: f32):
    %is = arith.cmpi eq, %g, %three : i32
    %d = arith.mulf %a, %two : f32
    %s = arith.select %is, %d, %a : f32
    linalg.yield %s : f32
  } -> tensor<6x4xf32>
  %y = te.expert_matmul %u, %v experts(%e) : tensor<6x4xf32>, tensor<16x4xf32>, tensor<6xi32> -> tensor<6x4xf32>
  return %y : tensor<6x4xf32>
}
