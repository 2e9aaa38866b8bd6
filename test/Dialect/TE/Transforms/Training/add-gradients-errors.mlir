// RUN: te-opt %s --split-input-file --verify-diagnostics --te-add-gradients
// RUN: not te-opt %s --split-input-file --te-add-gradients=entries=mine 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not te-opt %s --split-input-file --te-add-gradients=cotangents=mine 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not te-opt %s --split-input-file --te-add-gradients=constant-inputs=z 2>&1 | FileCheck %s --check-prefix=CONSTANT
// RUN: not te-opt %s --split-input-file --te-add-gradients=constant-inputs=[ 2>&1 | FileCheck %s --check-prefix=GLOB

// CONSTANT: error: the model has no input 'z' to be constant; it has 'x'
// GLOB: error: the model has no inputs like '[': invalid glob pattern, unmatched '['
// ENTRY: error: the module has no entry 'mine'; te-build-entries makes entries

// expected-error @+1 {{the model has no output 'loss' to differentiate; te-add-loss adds one}}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "a"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has gradients of a scalar only, but its output 'loss' is 'tensor<8x8xf32>'}}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "loss"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has gradients already}}
func.func @vjp(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}) attributes {te.entry = "vjp"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has control flow; only straight-line models are differentiated}}
func.func private @vjp(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "a"}) attributes {te.entry = "vjp"}

// -----

// expected-error @+1 {{the model has nothing to train: all of its 1 parameters are frozen (te.frozen); let some of them train (--train-only of te-compile)}}
func.func @train(%w: tensor<f32> {te.frozen, te.param = "w"}) -> (tensor<f32> {te.output = "loss"}) attributes {te.entry = "train"} {
  return %w : tensor<f32>
}

// -----

// Inputs have gradients, too.
func.func @vjp(%x: tensor<8x8xf32> {te.input = "x"}, %w: tensor<8x8xf32> {te.frozen, te.param = "w"}) -> (tensor<8x8xf32> {te.output = "y"}) attributes {te.entry = "vjp"} {
  %y = te.matmul %x, %w : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
