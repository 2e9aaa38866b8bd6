// RUN: te-opt %s --te-update-parameters | FileCheck %s
// RUN: te-opt %s --te-update-parameters="optimizer=#te.sgd<dampening=0.5,weight_decay=1.0e-4>" | FileCheck %s --check-prefix=SGD
// RUN: te-opt %s --te-update-parameters="optimizer=sgd<nesterov=true,decay_norms=true>" | FileCheck %s --check-prefix=NESTEROV
// RUN: te-opt %s --te-update-parameters="optimizer=sgd<momentum=0,decay_biases=true,decay_embeddings=true>" | FileCheck %s --check-prefix=PLAIN
// RUN: te-opt %s --te-update-parameters="entries=other optimizer=sgd<momentum=0>" | FileCheck %s --check-prefix=OTHER

// The optimizer's scalars come behind the inputs, before those of the clipping;
// states behind everything. Gradients and coefficient make way for the updates,
// in the order of the gradients.
// CHECK-LABEL: func.func @train(%arg0: tensor<4xi64> {te.input = "ids"}, %arg1: tensor<f32> {te.default = 1.000000e-03 : f64, te.scalar = "learning_rate"}, %arg2: tensor<f32> {te.default = 9.000000e-01 : f64, te.scalar = "beta1"}
// CHECK-SAME: te.scalar = "beta2"{{.*}}te.scalar = "eps"{{.*}} %arg5: tensor<f32> {te.default = 1.000000e-02 : f64, te.scalar = "weight_decay"}, %arg6: tensor<f32> {te.scalar = "max_grad_norm"}, %arg7: tensor<16x16xf32> {te.param = "w"}
// CHECK-SAME: %arg12: tensor<16xf32> {te.init = 0.000000e+00 : f32, te.kind = "optimizer", te.state = "adamw.exp_avg.b"}, %arg13: tensor<16xf32> {{{[^}]*}}te.state = "adamw.exp_avg_sq.b"}, %arg14: tensor<16x16xf32> {{{[^}]*}}te.state = "adamw.exp_avg.w"}
// CHECK-SAME: %arg22: tensor<i64> {te.init = 0 : i64, te.kind = "counter", te.state = "step"}
// CHECK-SAME: -> (tensor<f32> {te.output = "loss"}, tensor<16xf32> {te.param = "b"}, tensor<16x16xf32> {te.param = "w"}, tensor<8x16xf32> {te.param = "t"}, tensor<16xf32> {te.param = "g"}, tensor<1x16xf32> {te.param = "n"}, tensor<16xf32> {te.state = "adamw.exp_avg.b"}
// CHECK-SAME: tensor<i64> {te.state = "step"})
// CHECK: %[[S:.*]] = te.advance_step %arg22 if_finite %arg6
// Only the linear's weight decays: b is a bias, t a table, g a norm's, and n, a
// norm's that is reshaped, is not taken for a matrix.
// CHECK-NEXT: %[[B:.*]], %[[BM:.*]]:2 = te.update #te.adamw %arg8 states(%arg12, %arg13) gradient(%arg8) coefficient(%arg6) scalars(%arg1, %arg2, %arg3, %arg4, %arg5) step(%[[S]]) : tensor<16xf32>
// CHECK-NEXT: %[[W:.*]], %{{.*}}:2 = te.update #te.adamw %arg7 states(%arg14, %arg15) {{.*}} {decay} : tensor<16x16xf32>
// CHECK-NEXT: te.update #te.adamw %arg9 states({{.*}} step(%[[S]]) : tensor<8x16xf32>
// CHECK-NEXT: te.update #te.adamw %arg10 states({{.*}} step(%[[S]]) : tensor<16xf32>
// CHECK-NEXT: te.update #te.adamw %arg11 states({{.*}} step(%[[S]]) : tensor<1x16xf32>
// CHECK: return %{{.*}}, %[[B]], %[[W]], {{.*}}, %[[BM]]#0, {{.*}}, %[[S]]

// SGD-LABEL: func.func @train(
// SGD-SAME: %arg1: tensor<f32> {te.default = 1.000000e-03 : f64, te.scalar = "learning_rate"}, %arg2: tensor<f32> {te.default = 1.000000e-04 : f64, te.scalar = "weight_decay"}, %arg3: tensor<f32> {te.default = 9.000000e-01 : f64, te.scalar = "momentum"}, %arg4: tensor<f32> {te.default = 5.000000e-01 : f64, te.scalar = "dampening"}, %arg5: tensor<f32> {te.scalar = "max_grad_norm"}
// SGD-SAME: te.state = "sgd.momentum_buffer.b"
// SGD: te.update #te.sgd %arg7 states(%arg11) gradient(%arg7) coefficient(%arg5) scalars(%arg1, %arg2, %arg3, %arg4) step(%[[S:.*]]) : tensor<16xf32>, tensor<16xf32>
// SGD-NEXT: te.update #te.sgd{{.*}} %arg6 {{.*}} {decay} : tensor<16x16xf32>, tensor<16x16xf32>

// NESTEROV-NOT: "dampening"
// NESTEROV: te.update #te.sgd<nesterov = true> %arg6 {{.*}}) : tensor<16xf32>
// NESTEROV: te.update #te.sgd<nesterov = true> %arg5 {{.*}} {decay} : tensor<16x16xf32>
// NESTEROV: te.update #te.sgd<nesterov = true> %arg7 {{.*}}) : tensor<8x16xf32>
// NESTEROV: te.update #te.sgd<nesterov = true> %arg8 {{.*}} {decay} : tensor<16xf32>
// NESTEROV: te.update #te.sgd<nesterov = true> %arg9 {{.*}} {decay} : tensor<1x16xf32>

// PLAIN-NOT: "momentum"
// PLAIN-NOT: momentum_buffer
// PLAIN: te.update #te.sgd{{.*}} %arg5 gradient(%arg5) coefficient(%arg3) scalars(%arg1, %arg2) step(%{{.*}}) {decay} : tensor<16xf32>, tensor<16xf32>
// PLAIN: te.update #te.sgd{{.*}} %arg4 {{.*}} {decay} : tensor<16x16xf32>
// PLAIN: te.update #te.sgd{{.*}} %arg6 {{.*}} {decay} : tensor<8x16xf32>
// PLAIN: te.update #te.sgd{{.*}} %arg7 {{.*}}) : tensor<16xf32>
// PLAIN: te.update #te.sgd{{.*}} %arg8 {{.*}}) : tensor<1x16xf32>
func.func @train(%ids: tensor<4xi64> {te.input = "ids"}, %c: tensor<f32> {te.scalar = "max_grad_norm"}, %w: tensor<16x16xf32> {te.param = "w"},
                 %b: tensor<16xf32> {te.param = "b"}, %t: tensor<8x16xf32> {te.param = "t"}, %g: tensor<16xf32> {te.param = "g"},
                 %n: tensor<1x16xf32> {te.param = "n"})
    -> (tensor<16xf32> {te.output = "grad.b", te.gradient = "b"}, tensor<f32> {te.output = "loss"},
        tensor<16x16xf32> {te.output = "grad.w", te.gradient = "w"}, tensor<f32> {te.output = "coefficient", te.gradient_coefficient},
        tensor<8x16xf32> {te.output = "grad.t", te.gradient = "t"}, tensor<16xf32> {te.output = "grad.g", te.gradient = "g"},
        tensor<1x16xf32> {te.output = "grad.n", te.gradient = "n"}) attributes {te.entry = "train"} {
  %x = te.embedding %ids, %t : tensor<4xi64>, tensor<8x16xf32> -> tensor<4x16xf32>
  %beta = tensor.collapse_shape %n [[0, 1]] : tensor<1x16xf32> into tensor<16xf32>
  %h, %mean, %rstd = te.layer_norm %x, %g, %beta {eps = 1.0e-5 : f32} : tensor<4x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<4x16xf32> stats tensor<4xf32>, tensor<4xf32>
  %y = te.matmul %h, %w bias(%b : tensor<16xf32>) : tensor<4x16xf32>, tensor<16x16xf32> -> tensor<4x16xf32>
  %sum = te.global_norm %y : tensor<4x16xf32>
  return %b, %sum, %w, %c, %t, %g, %n : tensor<16xf32>, tensor<f32>, tensor<16x16xf32>, tensor<f32>, tensor<8x16xf32>, tensor<16xf32>, tensor<1x16xf32>
}

// Without a coefficient the gradients are taken as they are. A parameter
// without a gradient stays as it is.
// OTHER-LABEL: func.func @train(
// OTHER-NOT: te.update #te.sgd{{.*}}
// OTHER-LABEL: func.func @other(
// OTHER-SAME: -> (tensor<16xf32> {te.param = "b"}, tensor<i64> {te.state = "step"})
// OTHER: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// OTHER: te.advance_step %{{.*}} if_finite %[[ONE]]
// OTHER: te.update #te.sgd{{.*}} %arg2 gradient(%arg2) coefficient(%[[ONE]])
func.func @other(%b: tensor<16xf32> {te.param = "b"}, %still: tensor<16xf32> {te.param = "still"})
    -> (tensor<16xf32> {te.output = "grad.b", te.gradient = "b"}) attributes {te.entry = "other"} {
  return %b : tensor<16xf32>
}
