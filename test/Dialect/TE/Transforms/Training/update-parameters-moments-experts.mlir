// RUN: te-opt %s --split-input-file --te-update-parameters="optimizer=adamw<moments=fp8>" | FileCheck %s

// The averages of the matrices of all experts have a scale for 128 elements of a row.
// CHECK-LABEL: func.func @train(
// CHECK-SAME:    tensor<4x16x192xf8E4M3FN> {te.init = 0.000000e+00 : f8E4M3FN, te.kind = "optimizer", te.state = "adamw.exp_avg.w"}
// CHECK-SAME:    tensor<4x16x192xf8E5M2> {te.init = 0.000000e+00 : f8E5M2, te.kind = "optimizer", te.state = "adamw.exp_avg_sq.w"}
// CHECK-SAME:    tensor<4x16x2xf32> {te.init = 0.000000e+00 : f32, te.kind = "optimizer", te.state = "adamw.exp_avg_scale.w"}
// CHECK-SAME:    tensor<4x16x2xf32> {te.init = 0.000000e+00 : f32, te.kind = "optimizer", te.state = "adamw.exp_avg_sq_scale.w"}
// CHECK:         te.update #te.adamw %{{.*}} states({{.*}}) state_scales({{.*}} {decay} : tensor<4x16x192xf32>, tensor<4x16x192xf32> states(f8E4M3FN, f8E5M2){{ *$}}
func.func @train(%w: tensor<4x16x192xf32> {te.param = "w"})
    -> (tensor<4x16x192xf32> {te.output = "grad.w", te.gradient = "w"}) attributes {te.entry = "train"} {
  return %w : tensor<4x16x192xf32>
}

// -----

// A rank that has some of the experts has their scales; that it has few elements makes
// them no others than those of all ranks.
// CHECK-LABEL: func.func @train(
// CHECK-SAME:    tensor<1x16x192xf8E4M3FN> {te.init = 0.000000e+00 : f8E4M3FN, te.kind = "optimizer", te.shard = #te.shard<shape = [2, 16, 192], dim_axes = 1>, te.state = "adamw.exp_avg.w"}
// CHECK-SAME:    tensor<1x16x2xf32> {te.init = 0.000000e+00 : f32, te.kind = "optimizer", te.shard = #te.shard<shape = [2, 16, 2], dim_axes = 1>, te.state = "adamw.exp_avg_scale.w"}
// CHECK-SAME:    -> ({{.*}} tensor<1x16x2xf32> {te.shard = #te.shard<shape = [2, 16, 2], dim_axes = 1>, te.state = "adamw.exp_avg_scale.w"}
module {
  shard.grid @mesh(shape = 2) {te.axes = ["ep"]}
  func.func @train(%w: tensor<1x16x192xf32> {te.param = "w", te.shard = #te.shard<shape = [2, 16, 192], dim_axes = 1>})
      -> (tensor<1x16x192xf32> {te.output = "grad.w", te.gradient = "w"}) attributes {te.entry = "train"} {
    return %w : tensor<1x16x192xf32>
  }
}
