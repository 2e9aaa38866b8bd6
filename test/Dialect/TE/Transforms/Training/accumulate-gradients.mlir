// RUN: te-opt %s --te-accumulate-gradients | FileCheck %s
// RUN: te-opt %s --te-accumulate-gradients --te-clip-gradients --te-update-parameters='optimizer=#te.sgd<momentum=0>' | FileCheck %s --check-prefix=STEP

// What is summed: gradients, the loss times what it is the mean over, and that.
// The guard is only carried.
// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[B:.*]]: tensor<16xf32> {te.param = "b"}
// CHECK-SAME: %[[GW:[a-z0-9]+]]: tensor<8x16xf32> {te.init = 0.000000e+00 : f32, te.kind = "gradient", te.state = "grad.w"}
// CHECK-SAME: %[[GB:[a-z0-9]+]]: tensor<16xf32> {te.init = 0.000000e+00 : f32, te.kind = "gradient", te.state = "grad.b"}
// CHECK-SAME: %[[S:[a-z0-9]+]]: tensor<f32> {te.init = 0.000000e+00 : f32, te.kind = "accumulator", te.state = "loss.sum"}
// CHECK-SAME: %[[N:[a-z0-9]+]]: tensor<f32> {te.init = 0.000000e+00 : f32, te.kind = "accumulator", te.state = "loss.count"}
// CHECK-SAME: %[[G:[a-z0-9]+]]: tensor<f32> {te.init = 0.000000e+00 : f32, te.kind = "guard", te.state = "loss.guard"})
// CHECK-SAME: -> (tensor<8x16xf32> {te.kind = "gradient", te.state = "grad.w"}, tensor<16xf32> {te.kind = "gradient", te.state = "grad.b"}, tensor<f32> {te.kind = "accumulator", te.state = "loss.sum"}, tensor<f32> {te.kind = "accumulator", te.state = "loss.count"}, tensor<f32> {te.kind = "guard", te.state = "loss.guard"})
// CHECK: %[[GB1:.*]] = tensor.collapse_shape %{{.*}} : tensor<1x16xf32> into tensor<16xf32>
// CHECK: %[[GW1:.*]] = te.add %[[GW]], %{{.*}} : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
// CHECK: %[[WEIGHTED:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<f32>
// CHECK: %[[S1:.*]] = arith.addf %[[S]], %[[WEIGHTED]]
// CHECK: %[[N1:.*]] = arith.addf %[[N]], %{{.*}}
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<f32>
// CHECK: %[[G1:.*]] = te.clip_coefficient %[[G]], %[[ZERO]]
// CHECK: return %[[GW1]], %[[GB1]], %[[S1]], %[[N1]], %[[G1]]
func.func @accumulate(%dw: tensor<8x16xf32> {te.input = "dw"}, %db: tensor<16xf32> {te.input = "db"},
                      %l: tensor<f32> {te.input = "l"}, %n: tensor<f32> {te.input = "n"},
                      %w: tensor<8x16xf32> {te.param = "w"}, %b: tensor<16xf32> {te.param = "b"})
    -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count", te.loss_divisor},
        tensor<8x16xf32> {te.output = "grad.w", te.gradient = "w"}, tensor<16xf32> {te.output = "grad.b", te.gradient = "b"})
    attributes {te.entry = "accumulate"} {
  return %l, %n, %dw, %db : tensor<f32>, tensor<f32>, tensor<8x16xf32>, tensor<16xf32>
}

// The last microbatch adds the sums to its own, divides the loss by all that
// counts, or makes it 0, and leaves zeros.
// CHECK-LABEL: func.func @train(
// CHECK-SAME: %[[GW:[a-z0-9]+]]: tensor<8x16xf32> {te.init = 0.000000e+00 : f32, te.kind = "gradient", te.state = "grad.w"}
// CHECK-SAME: -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.loss_divisor, te.output = "count"}, tensor<8x16xf32> {te.gradient = "w", te.output = "grad.w"}, tensor<16xf32> {te.gradient = "b", te.output = "grad.b"}, tensor<f32> {te.gradient_guard, te.output = "gradient_guard"}, tensor<8x16xf32> {te.kind = "gradient", te.state = "grad.w"}
// CHECK: %[[GW1:.*]] = te.add %[[GW]], %{{.*}}
// CHECK: %[[WEIGHTED:.*]] = arith.mulf %{{.*}}, %{{.*}} : tensor<f32>
// CHECK: %[[S1:.*]] = arith.addf %{{.*}}, %[[WEIGHTED]]
// CHECK: %[[N1:.*]] = arith.addf
// CHECK: %[[NONE:.*]] = arith.cmpf oeq, %[[N1]], %[[ZERO:.*]] : tensor<f32>
// CHECK: %[[MEAN:.*]] = arith.divf %[[S1]], %[[N1]]
// CHECK: %[[LOSS:.*]] = arith.select %[[NONE]], %[[ZERO]], %[[MEAN]]
// CHECK: %[[W0:.*]] = arith.constant dense<0.000000e+00> : tensor<8x16xf32>
// CHECK: return %[[LOSS]], %[[N1]], %[[GW1]], %{{.*}}, %{{.*}}, %[[W0]],

// The coefficient takes in the division, and watches the guard; nothing of the
// two is left.
// STEP-LABEL: func.func @train(
// STEP-SAME: %[[MAX:[a-z0-9]+]]: tensor<f32> {te.default = 1.000000e+00 : f64, te.scalar = "max_grad_norm"}
// STEP-SAME: %[[GUARD:[a-z0-9]+]]: tensor<f32> {te.init = 0.000000e+00 : f32, te.kind = "guard", te.state = "loss.guard"}
// STEP-NOT: te.loss_divisor
// STEP-NOT: te.gradient_guard
// STEP: %[[B:.*]] = tensor.collapse_shape
// STEP: %[[W:.*]] = te.add
// STEP: %[[N:.*]] = arith.addf
// STEP: %[[NORM:.*]] = te.global_norm %[[W]], %[[B]]
// STEP: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// STEP: %[[NONE:.*]] = arith.cmpf oeq
// STEP: %[[INVERSE:.*]] = arith.divf %[[ONE]]
// STEP: %[[FACTOR:.*]] = arith.select %[[NONE]], %{{.*}}, %[[INVERSE]]
// STEP: %[[MEAN_NORM:.*]] = arith.mulf %[[NORM]], %[[FACTOR]]
// STEP: %[[CLIP:.*]] = te.clip_coefficient %[[MEAN_NORM]], %[[MAX]] amaxes(%[[GUARD]])
// STEP: %[[C:.*]] = arith.mulf %[[CLIP]], %[[FACTOR]]
// STEP: te.advance_step %{{.*}} if_finite %[[C]]
// STEP: te.update #te.sgd{{.*}} %{{.*}} gradient(%[[W]]) coefficient(%[[C]])
func.func @train(%dw: tensor<8x16xf32> {te.input = "dw"}, %db: tensor<16xf32> {te.input = "db"},
                 %l: tensor<f32> {te.input = "l"}, %n: tensor<f32> {te.input = "n"},
                 %w: tensor<8x16xf32> {te.param = "w"}, %b: tensor<16xf32> {te.param = "b"})
    -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count", te.loss_divisor},
        tensor<8x16xf32> {te.output = "grad.w", te.gradient = "w"}, tensor<16xf32> {te.output = "grad.b", te.gradient = "b"})
    attributes {te.entry = "train"} {
  return %l, %n, %dw, %db : tensor<f32>, tensor<f32>, tensor<8x16xf32>, tensor<16xf32>
}
