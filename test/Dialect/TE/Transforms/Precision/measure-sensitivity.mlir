// RUN: te-opt %s --te-measure-sensitivity | FileCheck %s
// RUN: te-opt %s --te-measure-sensitivity='recipe=current_scaling<format=e4m3>' | FileCheck %s --check-prefix=E4M3
// RUN: te-opt %s --te-measure-sensitivity --te-partition --te-quantize --te-validate-precision | FileCheck %s --check-prefix=HIGH

// Each tensor has the scale of its own amax, weights that of their float32
// parameter; copies serve all products of the layer. The forward product is
// computed again, of no layer, without its bias; the gradients are not.

// CHECK: module attributes {te.measured_figures = ["error_dot", "error_dot_squares", "error_squares", "result_squares", "input_amax", "input_flushed", "input_nonzero", "weight_amax", "weight_flushed", "weight_nonzero", "grad_output_amax", "grad_output_flushed", "grad_output_nonzero", "input_octaves_0", {{.*}}"input_octaves_15", "weight_octaves_0", {{.*}}"grad_output_octaves_15"],
// CHECK-SAME: te.measured_products = ["fc/fprop", "fc/dgrad", "fc/wgrad"]}
// CHECK-LABEL: func.func @calibrate
// CHECK-SAME: (%[[X:.*]]: tensor<64x128xbf16> {te.input = "x"}, %[[DY:.*]]: tensor<64x256xbf16> {te.input = "dy"}, %[[W:.*]]: tensor<256x128xf32> {te.param = "fc.weight"}, %[[B:.*]]: tensor<256xf32> {te.param = "fc.bias"})
// CHECK-SAME: -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count"}, tensor<3x61xf32> {te.output = "sensitivity"})
// CHECK: %[[WB:.*]] = arith.truncf %[[W]]
// CHECK: %[[DX:.*]] = te.matmul %[[DY]], %[[WB]] {layer = "fc", role = #te.role<dgrad>}
// CHECK: %[[DW:.*]] = te.matmul %[[DY]], %[[X]] {layer = "fc", role = #te.role<wgrad>, transpose_a}
// CHECK: %[[XA:.*]] = te.amax %[[X]] : tensor<64x128xbf16>
// CHECK: %[[XS:.*]], %[[XI:.*]] = te.compute_scale %[[XA]] {format = f8E4M3FN}
// CHECK: %[[XR:.*]], %[[XC:.*]] = te.quantize %[[X]], %[[XS]] : tensor<64x128xbf16> -> rowwise tensor<64x128xf8E4M3FN> columnwise tensor<128x64xf8E4M3FN>
// CHECK: linalg.generic {{.*}} ins(%[[X]], %[[XS]] : tensor<64x128xbf16>, tensor<f32>)
// CHECK: %[[LOWER:.*]] = arith.constant dense<[1.120000e+02, 2.800000e+01, {{.*}}, 0.000000e+00]> : tensor<16xf32>
// CHECK: %[[UPPER:.*]] = arith.constant dense<[3.40282347E+38, 1.120000e+02, {{.*}}]> : tensor<16xf32>
// CHECK: %[[OCTAVES:.*]] = linalg.generic {{.*}} ins(%[[X]], %[[XS]], %[[LOWER]], %[[UPPER]] : tensor<64x128xbf16>, tensor<f32>, tensor<16xf32>, tensor<16xf32>) outs(%{{.*}} : tensor<64x16xf32>)
// CHECK: %[[XO:.*]] = linalg.generic {{.*}} ins(%[[OCTAVES]] : tensor<64x16xf32>) outs(%{{.*}} : tensor<16xf32>)
// CHECK: te.amax %[[W]] : tensor<256x128xf32>
// CHECK: %[[WR:.*]], %[[WC:.*]] = te.quantize %[[W]], %{{.*}} -> rowwise tensor<256x128xf8E4M3FN> columnwise tensor<128x256xf8E4M3FN>
// CHECK: te.amax %[[DY]]
// CHECK: te.compute_scale %{{.*}} {format = f8E5M2}
// CHECK: %[[DR:.*]], %[[DC:.*]] = te.quantize %[[DY]], %{{.*}} -> rowwise tensor<64x256xf8E5M2> columnwise tensor<256x64xf8E5M2>
// CHECK: %[[EXACT:.*]] = te.matmul %[[X]], %[[WB]] {role = #te.role<other>, transpose_b} : {{.*}} -> tensor<64x256xf32>
// CHECK: %[[FP8:.*]] = te.scaled_matmul %[[XR]], %[[WR]] {{.*}} -> tensor<64x256xf32>
// CHECK: %[[ROWS:.*]]:3 = linalg.generic {{.*}} ins(%[[EXACT]], %[[FP8]], %[[DY]] :
// CHECK: linalg.generic {{.*}} ins(%[[ROWS]]#0, %[[ROWS]]#1, %[[ROWS]]#2 :
// CHECK: %[[FPROP:.*]] = linalg.generic {{.*}} outs(%{{.*}} : tensor<13xf32>)
// CHECK: %[[WITH:.*]] = tensor.insert_slice %[[FPROP]] into %{{.*}}[0] [13] [1] : tensor<13xf32> into tensor<61xf32>
// CHECK: %[[WITHX:.*]] = tensor.insert_slice %[[XO]] into %[[WITH]][13] [16] [1]
// CHECK: %[[ROW:.*]] = tensor.insert_slice %{{.*}} into %[[WITHX]][29] [16] [1]
// CHECK: %[[FP8DX:.*]] = te.scaled_matmul %[[DR]], %[[WC]] {{.*}} -> tensor<64x128xf32>
// CHECK: linalg.generic {{.*}} ins(%[[DX]], %[[FP8DX]] :
// CHECK: %[[FP8DW:.*]] = te.scaled_matmul %[[DC]], %[[XC]] {{.*}} -> tensor<256x128xf32>
// CHECK: linalg.generic {{.*}} ins(%[[DW]], %[[FP8DW]] :
// CHECK: %[[FIRST:.*]] = tensor.insert_slice %[[ROW]] into %{{.*}}[0, 0] [1, 61] [1, 1]
// CHECK: return %{{.*}}, %{{.*}}, %{{.*}} : tensor<f32>, tensor<f32>, tensor<3x61xf32>

// E4M3-COUNT-3: te.compute_scale %{{.*}} {format = f8E4M3FN}
// E4M3-NOT: f8E5M2

// Of many rows some are counted.
// RUN: sed 's/64x/600x/g' %s | te-opt --te-measure-sensitivity | FileCheck %s --check-prefix=SAMPLE
// SAMPLE: tensor.extract_slice %{{.*}}[0, 0] [200, 128] [3, 1] : tensor<600x128xbf16> to tensor<200x128xbf16>

// Other passes leave the entry as it is; it has no slots.
// HIGH-NOT: te.slots
// HIGH-COUNT-3: te.scaled_matmul
// HIGH-NOT: te.region
func.func @calibrate(%x: tensor<64x128xbf16> {te.input = "x"}, %dy: tensor<64x256xbf16> {te.input = "dy"},
                     %w: tensor<256x128xf32> {te.param = "fc.weight"}, %b: tensor<256xf32> {te.param = "fc.bias"})
    -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count"},
        tensor<256x128xf32> {te.output = "grad.fc.weight", te.gradient = "fc.weight"})
    attributes {te.entry = "calibrate"} {
  %wb = arith.truncf %w : tensor<256x128xf32> to tensor<256x128xbf16>
  %y = te.matmul %x, %wb bias(%b : tensor<256xf32>) {layer = "fc", transpose_b} : tensor<64x128xbf16>, tensor<256x128xbf16> -> tensor<64x256xbf16>
  %loss = te.amax %y : tensor<64x256xbf16>
  %dx = te.matmul %dy, %wb {layer = "fc", role = #te.role<dgrad>} : tensor<64x256xbf16>, tensor<256x128xbf16> -> tensor<64x128xbf16>
  %count = te.amax %dx : tensor<64x128xbf16>
  %dw = te.matmul %dy, %x {layer = "fc", role = #te.role<wgrad>, transpose_a} : tensor<64x256xbf16>, tensor<64x128xbf16> -> tensor<256x128xf32>
  return %loss, %count, %dw : tensor<f32>, tensor<f32>, tensor<256x128xf32>
}
