// UNSUPPORTED: sanitized
// The stock mlir-opt takes libTEMLIR as a plugin: dialects, passes, pipelines.
// RUN: mlir-opt --load-dialect-plugin=%temlir --load-pass-plugin=%temlir --pass-pipeline='builtin.module(te-raise)' %s | FileCheck %s
// RUN: mlir-opt --load-dialect-plugin=%temlir %s | FileCheck %s --check-prefix=PARSED
// RUN: mlir-opt --load-dialect-plugin=%temlir --load-pass-plugin=%temlir --pass-pipeline='builtin.module(te-raise,te-differentiate{entries=vjp})' %s | FileCheck %s --check-prefix=VJP
// Dialects that the plugin does not have, but mlir-opt has, stay what they are.
// RUN: mlir-opt --load-dialect-plugin=%temlir --load-pass-plugin=%temlir --pass-pipeline='builtin.module(te-raise,func.func(convert-scf-to-cf))' %s | FileCheck %s

// CHECK:      func.func @forward(%[[X:.*]]: tensor<64x128xf32> {{.*}}, %[[W:.*]]: tensor<32x128xf32>
// CHECK:        te.matmul %[[X]], %[[W]] {transpose_b}
// CHECK-NOT:    linalg.transpose
// PARSED:       linalg.transpose
// VJP:        func.func @vjp
// VJP-COUNT-2:  te.matmul
func.func @forward(%x: tensor<64x128xf32> {te.input = "x"}, %w: tensor<32x128xf32> {te.param = "w"})
    -> (tensor<64x32xf32> {te.output = "y"}) {
  %t = tensor.empty() : tensor<128x32xf32>
  %wt = linalg.transpose ins(%w : tensor<32x128xf32>) outs(%t : tensor<128x32xf32>) permutation = [1, 0]
  %y = te.matmul %x, %wt : tensor<64x128xf32>, tensor<128x32xf32> -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
