// RUN: te-test-opt %s --te-fuse | FileCheck %s
// RUN: te-test-opt %s --te-fuse --remarks-filter=te-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// A model of somebody else's, by which summing rows in a quantization takes
// longer than apart. Of what it does not know everything is fused.
// REMARK: [Missed] Dbias {{.*}}Function=known | ApartMicroseconds=5.0, Figures=measured, FusedMicroseconds=7.0, Reason="it would take longer on the target"
// REMARK: [Passed] Dbias {{.*}}Function=unknown | Remark="the gradient of the bias is summed where dx is computed"
module attributes {te.costs = {quantize = 3.0e-6, column_sum = 2.0e-6, "quantize+dbias" = 7.0e-6}} {
  // CHECK-LABEL: func.func @known(
  // CHECK: te.column_sum
  func.func @known(%dy: tensor<32x64xbf16>, %s: tensor<f32>) -> (tensor<32x64xf8E5M2>, tensor<64x32xf8E5M2>, tensor<f32>, tensor<64xf32>) {
    %q, %qt, %amax = te.quantize %dy, %s : tensor<32x64xbf16> -> rowwise tensor<32x64xf8E5M2> columnwise tensor<64x32xf8E5M2> amax tensor<f32>
    %db = te.column_sum %dy : tensor<32x64xbf16> -> tensor<64xf32>
    return %q, %qt, %amax, %db : tensor<32x64xf8E5M2>, tensor<64x32xf8E5M2>, tensor<f32>, tensor<64xf32>
  }
  // CHECK-LABEL: func.func @unknown(
  // CHECK-NOT: te.column_sum
  func.func @unknown(%dy: tensor<32x64xbf16>, %x: tensor<32x64xbf16>) -> (tensor<32x64xbf16>, tensor<64xf32>) {
    %dx = te.activation_grad relu %dy, %x : tensor<32x64xbf16>, tensor<32x64xbf16> -> dx tensor<32x64xbf16>
    %db = te.column_sum %dx : tensor<32x64xbf16> -> tensor<64xf32>
    return %dx, %db : tensor<32x64xbf16>, tensor<64xf32>
  }
}
