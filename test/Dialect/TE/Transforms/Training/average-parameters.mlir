// RUN: te-opt %s --te-average-parameters=decay=0.9 | FileCheck %s --implicit-check-not=ema.frozen

// A shard of a parameter has an average with the same shard; a parameter that is only
// read has none. The coefficient is 1, and NaN with that of the gradients.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[DECAY:[^:]*]]: tensor<f32> {te.default = 9.000000e-01 : f64, te.scalar = "ema_decay"}
// CHECK-SAME: %[[E:[^:]*]]: tensor<8x32xf32> {te.init = 0.000000e+00 : f32, te.kind = "average", te.shard = #[[SHARD:te.shard<[^>]*>]], te.state = "ema.w"}
// CHECK-SAME: -> ({{.*}}tensor<8x32xf32> {te.shard = #[[SHARD]], te.state = "ema.w"})
// CHECK: %[[STEP:.*]] = te.advance_step %{{.*}} if_finite %[[C:.*]]
// CHECK: %[[W:.*]] = te.update #te.sgd
// CHECK: %[[ZERO:.*]] = arith.mulf %[[C]], %{{.*}} : tensor<f32>
// CHECK: %[[ONE:.*]] = arith.addf %[[ZERO]], %{{.*}} : tensor<f32>
// CHECK: %[[NEW:.*]] = te.update #te.ema %[[E]] gradient(%[[W]]) coefficient(%[[ONE]]) scalars(%[[DECAY]]) step(%[[STEP]]) : tensor<8x32xf32>, tensor<8x32xf32>
// CHECK: return %[[W]], %[[STEP]], %[[NEW]]
#shard = #te.shard<shape = [16, 32], dim_axes = 2, dim = 0>
module {
  func.func @train(%g: tensor<8x32xf32> {te.input = "g"}, %c: tensor<f32> {te.input = "c"}, %lr: tensor<f32> {te.scalar = "learning_rate"},
                   %w: tensor<8x32xf32> {te.param = "w", te.shard = #shard}, %frozen: tensor<4xf32> {te.param = "frozen"},
                   %step: tensor<i64> {te.init = 0 : i64, te.kind = "counter", te.state = "step"})
      -> (tensor<8x32xf32> {te.param = "w", te.shard = #shard}, tensor<i64> {te.state = "step"}) attributes {te.entry = "train"} {
    %step1 = te.advance_step %step if_finite %c
    %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%g) coefficient(%c) scalars(%lr, %lr) step(%step1) : tensor<8x32xf32>, tensor<8x32xf32>
    return %w1, %step1 : tensor<8x32xf32>, tensor<i64>
  }
}
