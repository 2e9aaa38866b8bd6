// RUN: te-opt %s --te-shard-sequences=mesh=cp=2,tp=2 --te-shard-model=mesh=cp=2,tp=2 | FileCheck %s

// Ranks that share sequences and layers have masks of their own: the seed of rank
// (c, t) is seed + c * g + t * g * g, and not the same for (0, 1) and (1, 0).
// CHECK-LABEL: func.func @forward
// CHECK-SAME: %[[SEED:[^ ]*]]: tensor<i64> {
// CHECK: %[[C:.*]] = linalg.generic {{.*}} ins(%[[SEED]],
// CHECK-NEXT: ^bb0(%[[OLD:[^ ]*]]: i64, %[[RANK:[^ ]*]]: i64,
// CHECK-NEXT: %[[STEP:.*]] = arith.constant -7046029254386353131 : i64
// CHECK-NEXT: %[[APART:.*]] = arith.muli %[[RANK]], %[[STEP]]
// CHECK-NEXT: %[[NEW:.*]] = arith.addi %[[OLD]], %[[APART]]
// CHECK-NEXT: linalg.yield %[[NEW]]
// CHECK: %[[T:.*]] = linalg.generic {{.*}} ins(%[[C]],
// CHECK-NEXT: ^bb0(%[[OLD:[^ ]*]]: i64, %[[RANK:[^ ]*]]: i64,
// CHECK-NEXT: %[[STEP:.*]] = arith.constant -2358710677322311239 : i64
// CHECK-NEXT: %[[APART:.*]] = arith.muli %[[RANK]], %[[STEP]]
// CHECK-NEXT: arith.addi %[[OLD]], %[[APART]]
// CHECK: te.dropout %{{.*}} seed(%[[T]])
func.func @forward(%x: tensor<2x8x4x4xf32> {te.input = "x"}, %seed: tensor<i64> {te.scalar = "dropout_seed", te.default = 0 : i64},
    %w1: tensor<32x16xf32> {te.param = "w1"}, %w2: tensor<16x32xf32> {te.param = "w2"})
    -> (tensor<16x16xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %o, %lse = te.attention %x, %x, %x {causal, scale = 0.5 : f32}
    : tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32>, tensor<2x8x4x4xf32> -> tensor<2x8x4x4xf32>, tensor<2x4x8xf32>
  %om = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x8x4x4xf32> into tensor<16x16xf32>
  %u = te.matmul %om, %w1 {transpose_b} : tensor<16x16xf32>, tensor<32x16xf32> -> tensor<16x32xf32>
  %a = te.activation relu %u : tensor<16x32xf32> -> y tensor<16x32xf32>
  %d = te.matmul %a, %w2 {transpose_b} : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x16xf32>
  %r = te.dropout %d seed(%seed) {ratio = 0.1 : f32, stream = 0 : i64} : tensor<16x16xf32> -> tensor<16x16xf32>
  return %r : tensor<16x16xf32>
}
