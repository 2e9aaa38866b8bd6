// RUN: te-opt %s --te-build-entries=entries=accumulate,train,eval --te-add-loss='loss=#te.mse<reduction=sum> logits=y' --te-add-gradients --te-accumulate-gradients --te-clip-gradients | FileCheck %s
// RUN: te-opt %s --te-build-entries=entries=accumulate,train --te-add-loss='loss=output:y0' --te-add-gradients --te-accumulate-gradients | FileCheck %s --check-prefix=OWN
// RUN: te-opt %s --te-build-entries=entries=train --te-add-loss='loss=mse logits=y late-division' --te-add-gradients | FileCheck %s --check-prefix=LATE
// RUN: te-opt %s --te-build-entries=entries=train --te-add-loss='loss=mse logits=y' --te-add-gradients --te-accumulate-gradients | FileCheck %s --check-prefix=ALONE

// A sum is not divided: nothing is counted but by eval.
// CHECK-LABEL: func.func @accumulate(
// CHECK-NOT: loss.count
// CHECK: %[[LOSS:.*]] = te.squared_error
// CHECK: te.squared_error_grad %cst
// CHECK: arith.addf %{{.*}}, %[[LOSS]]
// CHECK-LABEL: func.func @train(
// CHECK-NOT: arith.divf
// CHECK: te.clip_coefficient %{{.*}}, %{{.*}} amaxes(%{{.*}})
// CHECK-LABEL: func.func @eval(
// CHECK-SAME: te.output = "count"

// A loss of the model's own counts one a microbatch.
// OWN-LABEL: func.func @accumulate(
// OWN: %[[ONE:.*]] = arith.constant dense<1.000000e+00> : tensor<f32>
// OWN: arith.addf %{{.*}}, %[[ONE]]

// The division comes last without microbatches, too, where it is asked for: the
// gradient is that of the mean times its divisor.
// LATE-LABEL: func.func @train(
// LATE-SAME: te.loss_divisor, te.output = "count"
// LATE: %[[COUNT:.*]] = arith.constant dense<6.400000e+01> : tensor<f32>
// LATE: te.squared_error_grad %[[COUNT]]

// Nothing accumulates, and nothing is done.
// ALONE-LABEL: func.func @train(
// ALONE-NOT: te.state
// ALONE-NOT: te.loss_divisor
// ALONE: te.squared_error_grad
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<8x16xf32> {te.param = "w"})
    -> (tensor<8x8xf32> {te.output = "y"}, tensor<f32> {te.output = "y0"}) {
  %y = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x8xf32>
  %y0 = tensor.extract_slice %y[0, 0] [1, 1] [1, 1] : tensor<8x8xf32> to tensor<f32>
  return %y, %y0 : tensor<8x8xf32>, tensor<f32>
}
