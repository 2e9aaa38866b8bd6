// te.dropout in linalg, compiled as a model of another compiler would be, has the bits
// of the runtime's kernel. The numbers of elements are no multiples of four; the
// second stream has more than 32 bits.

// RUN: te-opt %s --te-to-linalg="keep-attributes" -o %t.mlir
// RUN: FileCheck %s --input-file %t.mlir
// RUN: te-compile %t.mlir --entry forward --loss none --precision f32 -o %t.so
// RUN: te-compile %s --entry forward --loss none --precision f32 -o %t.kernel.so
// RUN: te-run forward %t.kernel.so --inputs %S/Inputs/dropout.safetensors --outputs %t.kernel.safetensors
// RUN: te-run forward %t.so --inputs %S/Inputs/dropout.safetensors --outputs %t.safetensors
// RUN: cmp %t.kernel.safetensors %t.safetensors

// CHECK-NOT: te.dropout
// CHECK:     arith.mului_extended
func.func @forward(%x: tensor<5x7x3xf32> {te.input = "x"}, %h: tensor<33x3xbf16> {te.input = "h"}, %s: tensor<i64> {te.input = "dropout_seed"})
    -> (tensor<5x7x3xf32> {te.output = "y"}, tensor<33x3xbf16> {te.output = "z"}) {
  %y = te.dropout %x seed(%s) {ratio = 0.3 : f32, stream = 2 : i64} : tensor<5x7x3xf32> -> tensor<5x7x3xf32>
  %z = te.dropout %h seed(%s) {ratio = 0.5 : f32, stream = 12345678901234 : i64} : tensor<33x3xbf16> -> tensor<33x3xbf16>
  return %y, %z : tensor<5x7x3xf32>, tensor<33x3xbf16>
}
