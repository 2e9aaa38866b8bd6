// RUN: te-opt %s --te-clip-gradients=max-grad-norm=0.5 | FileCheck %s
// RUN: te-opt %s --te-clip-gradients=entries=grad | FileCheck %s --check-prefix=NAMED

// The gradients are returned as they were; the coefficient is told beside them.
// CHECK-LABEL: func.func @train(%arg0: tensor<8x16xf32> {te.input = "x"}, %arg1: tensor<f32> {te.default = 2.000000e+00 : f64, te.scalar = "cap"}, %arg2: tensor<f32> {te.default = 5.000000e-01 : f64, te.scalar = "max_grad_norm"}, %arg3: tensor<8x16xf32> {te.param = "w"}, %arg4: tensor<16xf32> {te.param = "b"})
// CHECK-SAME: -> (tensor<16xf32> {te.gradient = "b", te.output = "grad.b"}, tensor<f32> {te.output = "loss"}, tensor<8x16xf32> {te.gradient = "w", te.output = "grad.w"}, tensor<f32> {te.output = "grad_norm"}, tensor<f32> {te.gradient_coefficient, te.output = "grad_coefficient"})
// CHECK-NEXT: %[[N:.*]] = te.global_norm %arg4, %arg0 : tensor<16xf32>, tensor<8x16xf32>
// CHECK-NEXT: %[[C:.*]] = te.clip_coefficient %[[N]], %arg2
// CHECK-NEXT: return %arg4, %arg1, %arg0, %[[N]], %[[C]]
func.func @train(%x: tensor<8x16xf32> {te.input = "x"}, %c: tensor<f32> {te.scalar = "cap", te.default = 2.0 : f64},
                 %w: tensor<8x16xf32> {te.param = "w"}, %b: tensor<16xf32> {te.param = "b"})
    -> (tensor<16xf32> {te.output = "grad.b", te.gradient = "b"}, tensor<f32> {te.output = "loss"},
        tensor<8x16xf32> {te.output = "grad.w", te.gradient = "w"}) attributes {te.entry = "train"} {
  return %b, %c, %x : tensor<16xf32>, tensor<f32>, tensor<8x16xf32>
}

// CHECK-LABEL: func.func @grad(
// CHECK-NOT: te.global_norm
// NAMED-LABEL: func.func @train(
// NAMED-NOT: te.global_norm
// NAMED-LABEL: func.func @grad(
// NAMED: te.global_norm
func.func @grad(%x: tensor<8x16xf32> {te.param = "x"}) -> (tensor<8x16xf32> {te.output = "grad.x", te.gradient = "x"}) attributes {te.entry = "grad"} {
  return %x : tensor<8x16xf32>
}
