// An integer without bits is a type of MLIR, and a constant of one crashes the
// printer of MLIR 22 (mlir-opt and te-opt alike). te-compile reads and refuses such
// text without printing it.
// RUN: not te-compile %s --entry forward --loss none -o %t.so 2>&1 | FileCheck %s
// CHECK: no-bits.mlir:[[@LINE+4]]:8: error: 'arith.constant' op failed to verify
// CHECK: te-compile: error: cannot read
func.func @forward(%x: tensor<4xf32> {te.input = "x"})
    -> (tensor<4xf32> {te.output = "y"}) {
  %c = "arith.constant"() {value = dense<0> : tensor<i0>} : () -> tensor<f32>
  return %x : tensor<4xf32>
}
