// RUN: te-opt %s --tert-bufferize --split-input-file --verify-diagnostics

// expected-error@+1 {{result #0 has no role}}
func.func @no_role(%x: tensor<4xf32> {te.input = "x"}) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{has control flow; tert-bufferize takes straight-line functions}}
func.func @control_flow(%x: tensor<4xf32> {te.input = "x"}) -> (tensor<4xf32> {te.output = "y"}) {
  llvm.br ^bb1
^bb1:
  return %x : tensor<4xf32>
}

// -----

// expected-error@+1 {{has no body; only whole programs are compiled}}
func.func private @elsewhere(tensor<4xf32>)

// -----

// expected-error @+1 {{returns a buffer of type 'memref<2x2xf32>'; tert-bufferize takes functions on tensors, and once}}
func.func @forward(%x: memref<2x2xf32> {te.input = "x"}) -> (memref<2x2xf32> {te.output = "y"}) {
  return %x : memref<2x2xf32>
}

// -----

// Found by a random sequence of passes.
func.func @caller(%x: tensor<4xf32> {te.input = "x"}) -> (tensor<4xf32> {te.output = "y"}) {
  // expected-error@+1 {{calls a function that tert-bufferize gives buffers for its results; run the pass 'inline' before tert-bufferize}}
  %y = call @callee(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %y : tensor<4xf32>
}
func.func private @callee(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
