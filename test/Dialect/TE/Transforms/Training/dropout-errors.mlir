// RUN: te-opt %s --split-input-file --verify-diagnostics --te-build-entries=entries=vjp

// The name of the seed is taken.
// expected-error@+1 {{@vjp: argument #1 has the name 'dropout_seed' of argument #0}}
func.func @forward(%s: tensor<4x8xf32> {te.input = "dropout_seed"}) -> (tensor<4x8xf32> {te.output = "y"}) {
  %d = te.dropout %s {ratio = 0.5 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %d : tensor<4x8xf32>
}

// -----

// A scalar of that name is the seed.
func.func @forward(%x: tensor<4x8xf32> {te.input = "x"}, %s: tensor<i64> {te.scalar = "dropout_seed"}) -> (tensor<4x8xf32> {te.output = "y"}, tensor<i64> {te.output = "s"}) {
  %d = te.dropout %x {ratio = 0.5 : f32, stream = 0 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %d, %s : tensor<4x8xf32>, tensor<i64>
}
