// What a parameter is, it is behind whatever moves its elements: the table of
// an embedding in two parts, and the gain of a norm in another shape.
// Their ranks alone would say weights.
// RUN: te-opt %s --te-update-parameters="optimizer=sgd<momentum=0>" | FileCheck %s
// RUN: te-opt %s --te-update-parameters="optimizer=sgd<momentum=0,decay_biases=true>" | FileCheck %s --check-prefix=BIASES
// RUN: te-opt %s --te-update-parameters="optimizer=sgd<momentum=0,decay_norms=true>" | FileCheck %s --check-prefix=NORMS

// CHECK-LABEL: func.func @train(
// CHECK-NOT: {decay}
// CHECK: return
// BIASES-LABEL: func.func @train(
// BIASES: te.update #te.sgd{{.*}} {{.*}}) : tensor<4x16xf32>, tensor<4x16xf32>
// BIASES: te.update #te.sgd{{.*}} {{.*}}) : tensor<1x1x16xf32>, tensor<1x1x16xf32>
// NORMS-LABEL: func.func @train(
// NORMS: te.update #te.sgd{{.*}} {{.*}}) : tensor<4x16xf32>, tensor<4x16xf32>
// NORMS: te.update #te.sgd{{.*}} {{.*}} {decay} : tensor<1x1x16xf32>, tensor<1x1x16xf32>
func.func @train(%ids: tensor<4xi64> {te.input = "ids"}, %t0: tensor<4x16xf32> {te.param = "t0"}, %t1: tensor<8x16xf32> {te.param = "t1"},
                 %g: tensor<1x1x16xf32> {te.param = "g"}, %beta: tensor<16xf32> {te.param = "beta"})
    -> (tensor<4x16xf32> {te.output = "grad.t0", te.gradient = "t0"}, tensor<1x1x16xf32> {te.output = "grad.g", te.gradient = "g"}) attributes {te.entry = "train"} {
  %t = tensor.concat dim(0) %t0, %t1 : (tensor<4x16xf32>, tensor<8x16xf32>) -> tensor<12x16xf32>
  %x = te.embedding %ids, %t : tensor<4xi64>, tensor<12x16xf32> -> tensor<4x16xf32>
  %shape = arith.constant dense<16> : tensor<1xi64>
  %gain = tensor.reshape %g(%shape) : (tensor<1x1x16xf32>, tensor<1xi64>) -> tensor<16xf32>
  %h, %mean, %rstd = te.layer_norm %x, %gain, %beta {eps = 1.0e-5 : f32} : tensor<4x16xf32>, tensor<16xf32>, tensor<16xf32> -> y tensor<4x16xf32> stats tensor<4xf32>, tensor<4xf32>
  return %t0, %g : tensor<4x16xf32>, tensor<1x1x16xf32>
}
