// RUN: te-opt %s --te-quantize='recipe=#te.mxfp8_scaling' | FileCheck %s
// RUN: te-opt %s --te-quantize='recipe=#te.mxfp8_scaling' --te-validate-precision -o /dev/null
// RUN: te-opt %s --te-quantize='recipe=#te.mxfp8_scaling' --te-fuse --te-validate-precision -o /dev/null
// RUN: te-opt %s --te-quantize='recipe=#te.mxfp8_scaling<format=hybrid>' --te-validate-precision | FileCheck %s --check-prefix=HYBRID
// RUN: te-opt %s --te-quantize='recipe=#te.mxfp8_scaling' --te-to-tert --tert-quantize-blocks | FileCheck %s --check-prefix=CALLS

// Targets without kernels for such scales refuse the recipe.
// RUN: not te-opt %s --te-quantize='recipe=#te.mxfp8_scaling target=sm_90' 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: error: the recipe mxfp8_scaling has scales of type f8E8M0FNU, which the target sm_90 has no kernels for; choose a recipe with scales of f32, such as current_scaling
// RUN: not te-opt %s --te-quantize='recipe=#te.mxfp8_scaling target=sm_120' 2>&1 | FileCheck %s --check-prefix=NEWER
// NEWER: error: the recipe mxfp8_scaling has scales of type f8E8M0FNU, which the target sm_120 has no kernels for

// Every tensor has a scale for 1 x 32 elements along the dimension that is
// summed: [60, 256] has [64, 8] by rows and [256, 2] by columns, and 48 columns
// are a block of 32 and one of 16. The sizes of copies are padded, and so are
// their scales.

// CHECK: te.recipe = #te.mxfp8_scaling, te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E4M3FN]
// CHECK-LABEL: func.func @grad
// CHECK-SAME: %[[X:.*]]: tensor<60x256xbf16> {te.input = "x"}, %[[DY:.*]]: tensor<60x48xbf16> {te.input = "cotangent.y"}, %[[W:.*]]: tensor<48x256xf32>
// CHECK-DAG: %[[XA:.*]] = te.amax %[[X]] : tensor<60x256xbf16> -> tensor<64x8xf32>
// CHECK-DAG: %[[XS:.*]], %[[XI:.*]] = te.compute_scale %[[XA]] of tensor<64x8xf32> {format = f8E4M3FN} -> tensor<64x8xf8E8M0FNU>
// CHECK-DAG: %[[XR:.*]] = te.quantize %[[X]], %[[XS]] of tensor<64x8xf32> : tensor<60x256xbf16> -> rowwise tensor<64x256xf8E4M3FN>{{$}}
// CHECK-DAG: %[[YA:.*]] = te.amax %[[X]] {transposed} : tensor<60x256xbf16> -> tensor<256x2xf32>
// CHECK-DAG: %[[YS:.*]], %[[YI:.*]] = te.compute_scale %[[YA]] of tensor<256x2xf32> {format = f8E4M3FN} -> tensor<256x2xf8E8M0FNU>
// CHECK-DAG: %[[XC:.*]] = te.quantize %[[X]], %[[YS]] of tensor<256x2xf32> : tensor<60x256xbf16> -> columnwise tensor<256x64xf8E4M3FN>{{$}}
// CHECK-DAG: %[[WA:.*]] = te.amax %[[W]] : tensor<48x256xf32> -> tensor<48x8xf32>
// CHECK-DAG: te.amax %[[W]] {transposed} : tensor<48x256xf32> -> tensor<256x2xf32>
// CHECK: te.scaled_matmul %[[XR]], %{{.*}} scales(%[[XI]] of tensor<64x8xf8E8M0FNU>, %{{.*}} of tensor<48x8xf8E8M0FNU>) {{.*}} -> tensor<64x48xbf16>
// CHECK-DAG: te.amax %[[DY]] : tensor<60x48xbf16> -> tensor<64x2xf32>
// CHECK-DAG: te.amax %[[DY]] {transposed} : tensor<60x48xbf16> -> tensor<48x2xf32>
// CHECK: te.scaled_matmul %{{.*}} scales(%{{.*}} of tensor<64x2xf8E8M0FNU>, %{{.*}} of tensor<256x2xf8E8M0FNU>) {{.*}} -> tensor<64x256xbf16>
// CHECK: te.scaled_matmul %{{.*}}, %[[XC]] scales(%{{.*}} of tensor<48x2xf8E8M0FNU>, %[[YI]] of tensor<256x2xf8E8M0FNU>) {{.*}} -> tensor<48x256xf32>

// HYBRID: te.recipe = #te.mxfp8_scaling<format = hybrid>
// HYBRID-SAME: te.slot_formats = [f8E4M3FN, f8E4M3FN, f8E5M2]
// HYBRID: te.compute_scale {{.*}} {format = f8E5M2} -> tensor<64x2xf8E8M0FNU>

// One call for each tensor, with both copies.
// CALLS-LABEL: func.func @grad
// CALLS-COUNT-3: tert.quantize_blocks {{.*}} -> rowwise({{.*}}) rowwise_scale_inv({{.*}}xf8E8M0FNU>) columnwise({{.*}}) columnwise_scale_inv({{.*}}xf8E8M0FNU>) {epsilon = 0.000000e+00 : f32}
// CALLS-NOT: tert.{{amax|compute_scale|quantize }}
func.func @grad(%x: tensor<60x256xbf16> {te.input = "x"}, %dy: tensor<60x48xbf16> {te.input = "cotangent.y"},
                %w: tensor<48x256xf32> {te.param = "fc.weight"})
    -> (tensor<60x48xbf16> {te.output = "y"}, tensor<60x256xbf16> {te.output = "grad.x"},
        tensor<48x256xf32> {te.output = "grad.fc.weight"})
    attributes {te.entry = "vjp"} {
  %wb = arith.truncf %w : tensor<48x256xf32> to tensor<48x256xbf16>
  %y, %dx, %dw = te.region fp8 -> (tensor<60x48xbf16>, tensor<60x256xbf16>, tensor<48x256xf32>) {
    %0 = te.matmul %x, %wb {transpose_b} : tensor<60x256xbf16>, tensor<48x256xbf16> -> tensor<60x48xbf16> loc("fc")
    %1 = te.matmul %dy, %wb {role = #te.role<dgrad>} : tensor<60x48xbf16>, tensor<48x256xbf16> -> tensor<60x256xbf16> loc("fc")
    %2 = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<60x48xbf16>, tensor<60x256xbf16> -> tensor<48x256xf32> loc("fc")
    te.yield %0, %1, %2 : tensor<60x48xbf16>, tensor<60x256xbf16>, tensor<48x256xf32>
  }
  return %y, %dx, %dw : tensor<60x48xbf16>, tensor<60x256xbf16>, tensor<48x256xf32>
}
