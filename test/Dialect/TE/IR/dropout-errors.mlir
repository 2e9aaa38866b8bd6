// RUN: te-opt %s --split-input-file --verify-diagnostics

func.func @shape(%x: tensor<4x8xf32>) -> tensor<8x4xf32> {
  // expected-error@+1 {{'te.dropout' op expects y to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0 = te.dropout %x {ratio = 0.1 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// -----

func.func @all(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'te.dropout' op expects its ratio to be in [0, 1), but it is 1.000000e+00 : f32}}
  %0 = te.dropout %x {ratio = 1.0 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @nan(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'te.dropout' op expects its ratio to be in [0, 1), but it is 0x7FC00000 : f32}}
  %0 = te.dropout %x {ratio = 0x7FC00000 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @stream(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+1 {{'te.dropout' op expects its stream not to be negative, but it is -1}}
  %0 = te.dropout %x {ratio = 0.5 : f32, stream = -1 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

func.func @integers(%x: tensor<4x8xi64>) -> tensor<4x8xi64> {
  // expected-error@+1 {{'te.dropout' op operand #0 must be tensor of f32 or bf16, but got 'tensor<4x8xi64>'}}
  %0 = te.dropout %x {ratio = 0.5 : f32, stream = 0 : i64} : tensor<4x8xi64> -> tensor<4x8xi64>
  return %0 : tensor<4x8xi64>
}
