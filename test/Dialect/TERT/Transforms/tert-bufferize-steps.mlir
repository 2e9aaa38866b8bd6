// Each step of tert-bufferize is a pass, whose result can be looked at.
// RUN: te-opt %s --tert-bufferize --mlir-print-ir-after=tert-materialize-results --mlir-print-ir-after=tert-one-shot-bufferize --mlir-print-ir-after=tert-forward-copies -o /dev/null 2>&1 | FileCheck %s

// CHECK: IR Dump After TERTMaterializeResults
// CHECK: func.func @f(%{{.*}}: tensor<4xf32> {bufferization.writable = false, te.param = "p"}, %[[NORM:.*]]: tensor<f32> {bufferization.writable = true, te.output = "norm"})
// CHECK: bufferization.materialize_in_destination %{{.*}} in %[[NORM]]
// CHECK: IR Dump After TERTOneShotBufferize
// CHECK: func.func @f(%{{.*}}: memref<4xf32> {te.param = "p"}, %[[NORM:.*]]: memref<f32> {te.output = "norm"})
// CHECK: tert.copy x(%{{.*}}) -> y(%[[NORM]]
// CHECK: IR Dump After TERTForwardCopies
// CHECK: tert.global_norm {{.*}} -> norm(%[[NORM]]
// CHECK-NOT: tert.copy
func.func @f(%p: tensor<4xf32> {te.param = "p"}) -> (tensor<f32> {te.output = "norm"}) {
  %0 = tensor.empty() : tensor<f32>
  %1 = tert.global_norm gradients(%p : tensor<4xf32>) -> norm(%0 : tensor<f32>)
  return %1 : tensor<f32>
}
