// RUN: te-opt %s --te-quantize='recipe=#te.block_scaling' | FileCheck %s
// RUN: te-opt %s --te-quantize='recipe=#te.block_scaling' --te-validate-precision -o /dev/null
// RUN: te-opt %s --te-quantize='recipe=#te.block_scaling' --te-fuse --te-validate-precision -o /dev/null
// RUN: te-opt %s --te-quantize='recipe=#te.block_scaling<power_of_two=false,epsilon=0.125>' --te-validate-precision | FileCheck %s --check-prefix=F32
// RUN: te-opt %s --te-quantize='recipe=#te.block_scaling' --te-to-tert --tert-quantize-blocks | FileCheck %s --check-prefix=CALLS

// Inputs and gradients have a scale for 1 x 128 elements along the dimension
// that is summed, weights for 128 x 128: [64, 256] has [64, 2] by rows and
// [256, 1] by columns. The sizes of copies are padded, and so are their scales.

// CHECK: te.recipe = #te.block_scaling
// CHECK-LABEL: func.func @grad
// CHECK-SAME: %[[X:.*]]: tensor<60x256xbf16> {te.input = "x"}, %[[DY:.*]]: tensor<60x384xbf16> {te.input = "cotangent.y"}, %[[W:.*]]: tensor<384x256xf32>
// CHECK-DAG: %[[XA:.*]] = te.amax %[[X]] : tensor<60x256xbf16> -> tensor<64x2xf32>
// CHECK-DAG: %[[XS:.*]], %[[XI:.*]] = te.compute_scale %[[XA]] of tensor<64x2xf32> {format = f8E4M3FN, power_of_two}
// CHECK-DAG: %[[XR:.*]] = te.quantize %[[X]], %[[XS]] of tensor<64x2xf32> : tensor<60x256xbf16> -> rowwise tensor<64x256xf8E4M3FN>{{$}}
// CHECK-DAG: %[[YA:.*]] = te.amax %[[X]] {transposed} : tensor<60x256xbf16> -> tensor<256x1xf32>
// CHECK-DAG: %[[YS:.*]], %[[YI:.*]] = te.compute_scale %[[YA]] of tensor<256x1xf32> {format = f8E4M3FN, power_of_two}
// CHECK-DAG: %[[XC:.*]] = te.quantize %[[X]], %[[YS]] of tensor<256x1xf32> : tensor<60x256xbf16> -> columnwise tensor<256x64xf8E4M3FN>{{$}}
// CHECK-DAG: %[[WA:.*]] = te.amax %[[W]] : tensor<384x256xf32> -> tensor<3x2xf32>
// CHECK-DAG: te.amax %[[W]] {transposed} : tensor<384x256xf32> -> tensor<2x3xf32>
// CHECK: te.scaled_matmul %[[XR]], %{{.*}} scales(%[[XI]] of tensor<64x2xf32>, %{{.*}} of tensor<3x2xf32>) {{.*}} -> tensor<64x384xbf16>
// CHECK-DAG: te.amax %[[DY]] : tensor<60x384xbf16> -> tensor<64x3xf32>
// CHECK-DAG: te.amax %[[DY]] {transposed} : tensor<60x384xbf16> -> tensor<384x1xf32>
// CHECK: te.scaled_matmul %{{.*}} scales(%{{.*}} of tensor<64x3xf32>, %{{.*}} of tensor<2x3xf32>) {{.*}} -> tensor<64x256xbf16>
// CHECK: te.scaled_matmul %{{.*}}, %[[XC]] scales(%{{.*}} of tensor<384x1xf32>, %[[YI]] of tensor<256x1xf32>) {{.*}} -> tensor<384x256xf32>

// F32: te.recipe = #te.block_scaling<power_of_two = false, epsilon = 1.250000e-01>
// F32: te.compute_scale %{{.*}} {epsilon = 1.250000e-01 : f32, format = f8E4M3FN}

// One call for each tensor, with both copies.
// CALLS-LABEL: func.func @grad
// CALLS-COUNT-3: tert.quantize_blocks {{.*}} -> rowwise({{.*}}) rowwise_scale_inv({{.*}}) columnwise({{.*}}) columnwise_scale_inv({{.*}}) {epsilon = 0.000000e+00 : f32, power_of_two}
// CALLS-NOT: tert.{{amax|compute_scale|quantize }}
func.func @grad(%x: tensor<60x256xbf16> {te.input = "x"}, %dy: tensor<60x384xbf16> {te.input = "cotangent.y"},
                %w: tensor<384x256xf32> {te.param = "fc.weight"})
    -> (tensor<60x384xbf16> {te.output = "y"}, tensor<60x256xbf16> {te.output = "grad.x"},
        tensor<384x256xf32> {te.output = "grad.fc.weight"})
    attributes {te.entry = "vjp"} {
  %wb = arith.truncf %w : tensor<384x256xf32> to tensor<384x256xbf16>
  %y, %dx, %dw = te.region fp8 -> (tensor<60x384xbf16>, tensor<60x256xbf16>, tensor<384x256xf32>) {
    %0 = te.matmul %x, %wb {transpose_b} : tensor<60x256xbf16>, tensor<384x256xbf16> -> tensor<60x384xbf16> loc("fc")
    %1 = te.matmul %dy, %wb {role = #te.role<dgrad>} : tensor<60x384xbf16>, tensor<384x256xbf16> -> tensor<60x256xbf16> loc("fc")
    %2 = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<60x384xbf16>, tensor<60x256xbf16> -> tensor<384x256xf32> loc("fc")
    te.yield %0, %1, %2 : tensor<60x384xbf16>, tensor<60x256xbf16>, tensor<384x256xf32>
  }
  return %y, %dx, %dw : tensor<60x384xbf16>, tensor<60x256xbf16>, tensor<384x256xf32>
}
