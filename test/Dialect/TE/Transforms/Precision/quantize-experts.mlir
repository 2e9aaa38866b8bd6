// RUN: te-opt %s --te-partition=policy=up=fp8 --te-quantize --te-validate-precision | FileCheck %s
// RUN: te-opt %s --te-partition=policy=up=fp8 --te-quantize --te-fuse --te-validate-precision | FileCheck %s --check-prefix=FUSED

// The matrices of experts are a parameter [E, N, K], read as [E * N, K]: its
// update writes copies of that matrix, which say what part of the full copy
// they are. Of a dimension within each expert, ranks have a piece of every
// expert; so do columnwise copies, of their columns.

// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<2x16x32xf32>
// CHECK-SAME: tensor<32x32xf8E4M3FN> {te.init = "derived", te.kind = "fp8_weight", te.shard = #te.shard<shape = [64, 32], dim_axes = 2>, te.state = "fp8.weight.experts.rowwise"}
// CHECK-SAME: tensor<32x32xf8E4M3FN> {te.init = "derived", te.kind = "fp8_weight", te.shard = #te.shard<shape = [64, 32], dim_axes = 2, blocks = [24, 8, 24, 8]>, te.state = "fp8.weight.rows.rowwise"}
// CHECK-SAME: tensor<32x32xf8E4M3FN> {te.init = "derived", te.kind = "fp8_weight", te.shard = #te.shard<shape = [32, 64], dim_axes = 2, dim = 1>, te.state = "fp8.weight.columns.rowwise"}
// CHECK-NOT: te.quantize %{{.*}} : tensor<32x32xf32>
// CHECK: te.scaled_expert_matmul
// CHECK: %[[NEW:.*]], %{{.*}}:2 = te.update #te.adamw %[[Q]]
// CHECK-NEXT: %[[SCALE:.*]] = tensor.extract_slice
// CHECK-NEXT: %[[MATRIX:.*]] = tensor.collapse_shape %[[NEW]] {{\[\[}}0, 1], [2]]
// CHECK-NEXT: te.quantize %[[MATRIX]], %[[SCALE]] : tensor<32x32xf32> -> rowwise tensor<32x32xf8E4M3FN> amax tensor<f32>
// CHECK-LABEL: func.func @init(
// CHECK: te.amax %{{.*}} : tensor<32x32xf32>

// FUSED-LABEL: func.func @train(
// FUSED-COUNT-3: te.update #te.adamw {{.*}} quantize(%{{.*}}) : tensor<2x16x32xf32>, tensor<2x16x32xf32> -> rowwise tensor<32x32xf8E4M3FN> amax tensor<f32>
// FUSED-LABEL: func.func @init(
module {
  shard.grid @mesh(shape = 1x2) {te.axes = ["dp", "tp"]}

  func.func @train(%x: tensor<64x32xf32> {te.input = "x"}, %e: tensor<64xi32> {te.input = "e"},
                   %lr: tensor<f32> {te.scalar = "learning_rate"},
                   %q: tensor<2x16x32xf32> {te.param = "experts", te.init = "data", te.shard = #te.shard<shape = [4, 16, 32], dim_axes = 2>},
                   %r: tensor<2x16x32xf32> {te.param = "rows", te.init = "data", te.shard = #te.shard<shape = [2, 32, 32], dim_axes = 2, dim = 1, blocks = [24, 8]>},
                   %c: tensor<2x16x32xf32> {te.param = "columns", te.init = "data", te.shard = #te.shard<shape = [2, 16, 64], dim_axes = 2, dim = 2>},
                   %m: tensor<2x16x32xf32> {te.state = "m", te.kind = "optimizer", te.init = 0.0 : f32},
                   %step: tensor<i64> {te.state = "step", te.kind = "counter", te.init = 0 : i64})
      -> (tensor<64x16xf32> {te.output = "y"}, tensor<64x16xf32> {te.output = "z"}, tensor<64x16xf32> {te.output = "w"},
          tensor<2x16x32xf32> {te.param = "experts"}, tensor<2x16x32xf32> {te.param = "rows"}, tensor<2x16x32xf32> {te.param = "columns"},
          tensor<i64> {te.state = "step"}) attributes {te.entry = "train"} {
    %one = arith.constant dense<1.0> : tensor<f32>
    %g = arith.constant dense<1.0> : tensor<2x16x32xf32>
    %q2 = tensor.collapse_shape %q [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %y = te.expert_matmul %x, %q2 experts(%e) {alignment = 16 : i64, layer = "up", transpose_b} : tensor<64x32xf32>, tensor<32x32xf32>, tensor<64xi32> -> tensor<64x16xf32>
    %r2 = tensor.collapse_shape %r [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %z = te.expert_matmul %x, %r2 experts(%e) {alignment = 16 : i64, layer = "up", transpose_b} : tensor<64x32xf32>, tensor<32x32xf32>, tensor<64xi32> -> tensor<64x16xf32>
    %c2 = tensor.collapse_shape %c [[0, 1], [2]] : tensor<2x16x32xf32> into tensor<32x32xf32>
    %w = te.expert_matmul %x, %c2 experts(%e) {alignment = 16 : i64, layer = "up", transpose_b} : tensor<64x32xf32>, tensor<32x32xf32>, tensor<64xi32> -> tensor<64x16xf32>
    %norm = te.global_norm %g : tensor<2x16x32xf32>
    %k = te.clip_coefficient %norm, %one
    %t = te.advance_step %step if_finite %k
    %nq, %nmq, %nvq = te.update #te.adamw %q states(%m, %m) gradient(%g) coefficient(%k) scalars(%lr, %one, %one, %one, %one) step(%t) : tensor<2x16x32xf32>, tensor<2x16x32xf32>
    %nr, %nmr, %nvr = te.update #te.adamw %r states(%m, %m) gradient(%g) coefficient(%k) scalars(%lr, %one, %one, %one, %one) step(%t) : tensor<2x16x32xf32>, tensor<2x16x32xf32>
    %nc, %nmc, %nvc = te.update #te.adamw %c states(%m, %m) gradient(%g) coefficient(%k) scalars(%lr, %one, %one, %one, %one) step(%t) : tensor<2x16x32xf32>, tensor<2x16x32xf32>
    return %y, %z, %w, %nq, %nr, %nc, %t : tensor<64x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<2x16x32xf32>, tensor<2x16x32xf32>, tensor<2x16x32xf32>, tensor<i64>
  }
}
