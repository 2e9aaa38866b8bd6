// A frozen weight has FP8 copies that init makes and that no entry changes; its
// gradient is not computed, but that of the layer before it is.
// RUN: te-opt %s --te-differentiate="entries=train,accumulate,eval loss=cross-entropy" --te-set-compute-type --te-partition="policy=*=fp8 fp8-eval" --te-quantize --canonicalize --te-validate-precision | FileCheck %s
// RUN: te-opt %s --te-differentiate="entries=grad loss=cross-entropy" --te-set-compute-type --te-partition=policy=*=fp8 --te-quantize --te-validate-precision | FileCheck %s --check-prefix=GRAD
// RUN: te-opt %s --te-differentiate="entries=train loss=cross-entropy" --te-set-compute-type --te-partition=policy=*=fp8 --te-quantize='recipe=#te.current_scaling' --te-validate-precision | FileCheck %s --check-prefix=CURRENT

// CHECK: te.slots = ["first.input", "first.weight", "second.input", "second.weight", "second.grad_output", "first.grad_output"]
// CHECK-LABEL: func.func @train(
// The float32 weight is read by init alone.
// CHECK-NOT: te.param = "second"
// CHECK-SAME: %[[A1:[^:]*]]: tensor<f32> {{{[^}]*}}te.state = "fp8.weight_amax.first"}
// CHECK-SAME: %[[R:[^:]*]]: tensor<256x64xf8E4M3FN> {{{[^}]*}}te.state = "fp8.weight.second.rowwise"}
// CHECK-SAME: %[[C:[^:]*]]: tensor<64x256xf8E4M3FN> {{{[^}]*}}te.state = "fp8.weight.second.columnwise"}
// CHECK-SAME: %[[A:[^:]*]]: tensor<f32> {{{[^}]*}}te.state = "fp8.weight_amax.second"}
// CHECK-SAME: -> (
// CHECK-SAME: te.state = "fp8.weight_amax.first"
// CHECK-NOT: second
// CHECK-SAME: attributes {te.entry = "train"}
// CHECK: te.scaled_matmul %{{.*}}, %[[R]] {{.*}} {accumulate = {{.*}} layer = "second"
// CHECK: te.scaled_matmul %{{.*}}, %[[C]] {{.*}} {layer = "second", role = #te.role<dgrad>}
// CHECK-NOT: layer = "second", role = #te.role<wgrad>
// What the gradient of the frozen weight would have read is not made.
// CHECK: te.update_scales {{.*}} amaxes(%{{[^,]*}}, %[[A1]], %{{[^,]*}}, %[[A]], %{{[^,]*}}, %{{[^)]*}})
// CHECK: te.quantize %{{.*}} : tensor<64x128xf32> -> rowwise
// CHECK-NOT: te.quantize

// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: te.state = "fp8.weight.second.rowwise"}
// CHECK-LABEL: func.func @eval(
// CHECK-NOT: te.param = "second"
// CHECK-SAME: te.state = "fp8.weight.second.rowwise"}
// CHECK-LABEL: func.func @init(
// CHECK-SAME: tensor<256x64xf32> {te.frozen, te.param = "second"}
// CHECK-SAME: te.state = "fp8.weight.second.columnwise"}

// Where nothing is updated, nothing is kept.
// GRAD-LABEL: func.func @grad(
// GRAD-SAME: tensor<256x64xf32> {te.frozen, te.param = "second"}
// GRAD-NOT: fp8.weight.second
// GRAD: te.quantize %{{.*}} : tensor<256x64xf32>

// CURRENT-LABEL: func.func @train(
// CURRENT-SAME: tensor<256x64xf32> {te.frozen, te.param = "second"}
// CURRENT: te.quantize %{{.*}} : tensor<256x64xf32>
// CURRENT-NOT: layer = "second", role = #te.role<wgrad>
func.func @forward(%x: tensor<64x128xf32> {te.input = "x"}, %w1: tensor<64x128xf32> {te.param = "first"},
    %w2: tensor<256x64xf32> {te.frozen, te.param = "second"}) -> (tensor<64x256xf32> {te.output = "y"}) {
  %h = te.matmul %x, %w1 {transpose_b} : tensor<64x128xf32>, tensor<64x128xf32> -> tensor<64x64xf32> loc("first")
  %y = te.matmul %h, %w2 {transpose_b} : tensor<64x64xf32>, tensor<256x64xf32> -> tensor<64x256xf32> loc("second")
  return %y : tensor<64x256xf32>
}
