// RUN: te-opt %s --te-quantize='recipe=#te.row_scaling' | FileCheck %s
// RUN: te-opt %s --te-quantize='recipe=#te.row_scaling' --te-validate-precision -o /dev/null
// RUN: te-opt %s --te-quantize='recipe=#te.row_scaling' --te-fuse --te-validate-precision | FileCheck %s --check-prefix=FUSED

// A copy has a scale for each of its rows, the one that is read by rows of the
// tensor and its transpose different ones. The sizes of copies are padded, and
// so are their scales.

// CHECK: te.recipe = #te.row_scaling
// CHECK-LABEL: func.func @grad
// CHECK-SAME: %[[X:.*]]: tensor<60x128xbf16> {te.input = "x"}, %[[DY:.*]]: tensor<60x256xbf16> {te.input = "cotangent.y"}, %[[W:.*]]: tensor<256x128xf32>
// CHECK: %[[A:.*]] = te.activation gelu_tanh %[[X]]
// CHECK: %[[AA:.*]] = te.amax %[[A]] : tensor<60x128xbf16> -> tensor<64x1xf32>
// CHECK-NEXT: %[[AS:.*]], %[[ASI:.*]] = te.compute_scale %[[AA]] of tensor<64x1xf32> {format = f8E4M3FN}
// CHECK-NEXT: %[[AR:.*]] = te.quantize %[[A]], %[[AS]] of tensor<64x1xf32> : tensor<60x128xbf16> -> rowwise tensor<64x128xf8E4M3FN>{{$}}
// CHECK-NEXT: %[[AB:.*]] = te.amax %[[A]] {transposed} : tensor<60x128xbf16> -> tensor<128x1xf32>
// CHECK-NEXT: %[[BS:.*]], %[[BSI:.*]] = te.compute_scale %[[AB]] of tensor<128x1xf32> {format = f8E4M3FN}
// CHECK-NEXT: %[[AC:.*]] = te.quantize %[[A]], %[[BS]] of tensor<128x1xf32> : tensor<60x128xbf16> -> columnwise tensor<128x64xf8E4M3FN>{{$}}
// CHECK: te.scaled_matmul %[[AR]], %{{.*}} scales(%[[ASI]] of tensor<64x1xf32>, %{{.*}} of tensor<256x1xf32>) {{.*}} -> tensor<64x256xbf16>
// CHECK: te.scaled_matmul %{{.*}}, %[[AC]] scales(%{{.*}} of tensor<256x1xf32>, %[[BSI]] of tensor<128x1xf32>)

// A producer that could quantize its result has one scale.
// FUSED: te.activation gelu_tanh %{{.*}} -> y
func.func @grad(%x: tensor<60x128xbf16> {te.input = "x"}, %dy: tensor<60x256xbf16> {te.input = "cotangent.y"},
                %w: tensor<256x128xf32> {te.param = "fc.weight"})
    -> (tensor<60x256xbf16> {te.output = "y"}, tensor<256x128xf32> {te.output = "grad.fc.weight"})
    attributes {te.entry = "vjp"} {
  %a = te.activation gelu_tanh %x : tensor<60x128xbf16> -> y tensor<60x128xbf16>
  %wb = arith.truncf %w : tensor<256x128xf32> to tensor<256x128xbf16>
  %y, %dw = te.region fp8 -> (tensor<60x256xbf16>, tensor<256x128xf32>) {
    %0 = te.matmul %a, %wb {transpose_b} : tensor<60x128xbf16>, tensor<256x128xbf16> -> tensor<60x256xbf16> loc("fc")
    %1 = te.matmul %dy, %a {role = #te.role<wgrad>, transpose_a} : tensor<60x256xbf16>, tensor<60x128xbf16> -> tensor<256x128xf32> loc("fc")
    te.yield %0, %1 : tensor<60x256xbf16>, tensor<256x128xf32>
  }
  return %y, %dw : tensor<60x256xbf16>, tensor<256x128xf32>
}
