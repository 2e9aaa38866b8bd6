// RUN: te-opt %s --te-set-compute-type=type=bf16 | FileCheck %s

// The sum of a parameter's gradients over microbatches is float32, whatever the
// gradient is and whoever reads the sum, and so it is seen in another shape.
// CHECK-LABEL: func.func @train(
// CHECK: %[[G:.*]] = te.activation relu {{.*}} -> y tensor<8x16xbf16>
// CHECK: te.add %{{.*}}, %[[G]] : tensor<8x16xf32>, tensor<8x16xbf16> -> tensor<8x16xf32>
// CHECK: %[[E:.*]] = tensor.collapse_shape
// CHECK: te.add %[[G]], %[[E]] : tensor<8x16xbf16>, tensor<8x16xf32> -> tensor<8x16xf32>
// CHECK: te.add %[[G]], %[[G]] : tensor<8x16xbf16>, tensor<8x16xbf16> -> tensor<8x16xbf16>
func.func @train(%x: tensor<8x16xf32> {te.input = "x"},
                 %a: tensor<8x16xf32> {te.state = "grad.w", te.kind = "gradient", te.init = 0.0 : f32},
                 %b: tensor<1x8x16xf32> {te.state = "grad.v", te.kind = "gradient", te.init = 0.0 : f32})
    -> (tensor<f32> {te.output = "norm"}) attributes {te.entry = "train"} {
  %g = te.activation relu %x : tensor<8x16xf32> -> y tensor<8x16xf32>
  %s = te.add %a, %g : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  %e = tensor.collapse_shape %b [[0, 1], [2]] : tensor<1x8x16xf32> into tensor<8x16xf32>
  %t = te.add %g, %e : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  %u = te.add %g, %g : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  %norm = te.global_norm %s, %t, %u : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
  return %norm : tensor<f32>
}
