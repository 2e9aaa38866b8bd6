// The gradient of dropout against central differences, the mask being constant: a
// model that takes its seed itself drops in @forward what it drops in @vjp.

// RUN: te-test-opt %s --split-input-file --te-differentiate="entries=vjp,forward loss=none" --test-te-check-vjp=ids=100 -o /dev/null | FileCheck %s
// CHECK: 2 gradients agree
// CHECK: 1 gradients agree

func.func @forward(%x: tensor<6x8xf32> {te.input = "x"}, %w: tensor<8x8xf32> {te.param = "w"}, %s: tensor<i64> {te.scalar = "dropout_seed"}) -> (tensor<6x8xf32> {te.output = "y"}) {
  %d = te.dropout %x seed(%s) {ratio = 0.5 : f32, stream = 0 : i64} : tensor<6x8xf32> -> tensor<6x8xf32>
  %y = te.matmul %d, %w : tensor<6x8xf32>, tensor<8x8xf32> -> tensor<6x8xf32>
  %z = te.dropout %y seed(%s) {ratio = 0.25 : f32, stream = 1 : i64} : tensor<6x8xf32> -> tensor<6x8xf32>
  return %z : tensor<6x8xf32>
}

// -----

// Of any rank, a count that is no multiple of four, and a stream of 64 bits.
func.func @forward(%x: tensor<3x1x5x7xf32> {te.input = "x"}, %s: tensor<i64> {te.scalar = "dropout_seed"}) -> (tensor<3x1x5x7xf32> {te.output = "y"}) {
  %d = te.dropout %x seed(%s) {ratio = 0.9 : f32, stream = 12345678901234 : i64} : tensor<3x1x5x7xf32> -> tensor<3x1x5x7xf32>
  return %d : tensor<3x1x5x7xf32>
}
