// RUN: te-opt %s --split-input-file --verify-diagnostics --te-separate-backward
// RUN: not te-opt %s --split-input-file --te-separate-backward=entries=mine 2>&1 | FileCheck %s --check-prefix=ENTRY

// ENTRY: error: the module has no entry 'mine'; te-build-entries makes entries

// expected-error @+1 {{the model has no cotangents, and so no backward pass to separate; te-add-gradients adds it}}
func.func @forward_saving(%x: tensor<8x8xf32> {te.input = "x"}) -> (tensor<8x8xf32> {te.output = "y"}) attributes {te.entry = "forward_saving"} {
  return %x : tensor<8x8xf32>
}

// -----

func.func @forward_saving(%x: tensor<8x8xf32> {te.input = "x"}, %dy: tensor<8x8xf32> {te.input = "cotangent.y"})
    -> (tensor<8x8xf32> {te.output = "y"}, tensor<8x8xf32> {te.gradient = "x", te.output = "grad.x"}) attributes {te.entry = "forward_saving"} {
  return %x, %dy : tensor<8x8xf32>, tensor<8x8xf32>
}
// expected-error @+1 {{@backward is the name of the entry that te-separate-backward makes; rename this}}
func.func private @backward()

// -----

// expected-error @+1 {{the model returns 'norm', which depends on a cotangent: it is of no use to a forward pass}}
func.func @forward_saving(%x: tensor<8x8xf32> {te.input = "x"}, %dy: tensor<8x8xf32> {te.input = "cotangent.y"})
    -> (tensor<8x8xf32> {te.output = "y"}, tensor<f32> {te.output = "norm"}) attributes {te.entry = "forward_saving"} {
  %norm = te.global_norm %dy : tensor<8x8xf32>
  return %x, %norm : tensor<8x8xf32>, tensor<f32>
}

// -----

// expected-error @+1 {{@forward_saving: result #1 has the name 'saved.0' of result #0}}
func.func @forward_saving(%x: tensor<8x8xf32> {te.input = "x"}, %dy: tensor<8x8xf32> {te.input = "cotangent.saved.0"})
    -> (tensor<8x8xf32> {te.output = "saved.0"}, tensor<8x8xf32> {te.gradient = "x", te.output = "grad.x"}) attributes {te.entry = "forward_saving"} {
  %y = te.activation relu %x : tensor<8x8xf32> -> y tensor<8x8xf32>
  %z = te.activation relu %y : tensor<8x8xf32> -> y tensor<8x8xf32>
  %dx = te.activation_grad relu %dy, %y : tensor<8x8xf32>, tensor<8x8xf32> -> dx tensor<8x8xf32>
  return %z, %dx : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// expected-error @+1 {{@backward: argument #2 has the name 'saved.0' of argument #0}}
func.func @forward_saving(%x: tensor<8x8xf32> {te.input = "saved.0"}, %dy: tensor<8x8xf32> {te.input = "cotangent.y"})
    -> (tensor<8x8xf32> {te.output = "y"}, tensor<8x8xf32> {te.gradient = "saved.0", te.output = "grad.x"}) attributes {te.entry = "forward_saving"} {
  %y = te.activation relu %x : tensor<8x8xf32> -> y tensor<8x8xf32>
  %z = te.activation relu %y : tensor<8x8xf32> -> y tensor<8x8xf32>
  %u = te.activation_grad relu %dy, %y : tensor<8x8xf32>, tensor<8x8xf32> -> dx tensor<8x8xf32>
  %dx = te.activation_grad relu %u, %x : tensor<8x8xf32>, tensor<8x8xf32> -> dx tensor<8x8xf32>
  return %z, %dx : tensor<8x8xf32>, tensor<8x8xf32>
}
