// RUN: te-opt %s --te-to-linalg --verify-diagnostics

// A model before it has entries.
func.func @model(%x: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-error@+2 {{'te.dropout' op has no seed; te-build-entries gives the entries of a model one}}
  // expected-error@+1 {{'te.dropout' op does not say in linalg what its result #0 is}}
  %y = te.dropout %x {ratio = 0.1 : f32, stream = 7 : i64} : tensor<4x8xf32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
