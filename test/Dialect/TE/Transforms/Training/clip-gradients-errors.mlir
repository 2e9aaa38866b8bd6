// RUN: te-opt %s --split-input-file --verify-diagnostics --te-clip-gradients
// RUN: not te-opt %s --split-input-file --te-clip-gradients=entries=mine 2>&1 | FileCheck %s --check-prefix=ENTRY

// ENTRY: error: the module has no entry 'mine'; te-build-entries makes entries

// An output of the model is not a gradient, whatever its name.
// expected-error @+1 {{the model has no gradients to clip; te-add-gradients adds them}}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "grad.x"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has a coefficient of its gradients already}}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"}, %s: tensor<f32> {te.scalar = "s"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "s", te.gradient_coefficient}) attributes {te.entry = "train"} {
  return %x, %s : tensor<8x8xf32>, tensor<f32>
}

// -----

// expected-error @+1 {{argument #1 has the name 'max_grad_norm' of argument #0}}
func.func @train(%s: tensor<f32> {te.scalar = "max_grad_norm"}, %x: tensor<8x8xf32> {te.param = "x"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{result #2 has the name 'grad_norm' of result #1}}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<8x8xf32> {te.output = "grad_norm"}) attributes {te.entry = "train"} {
  return %x, %x : tensor<8x8xf32>, tensor<8x8xf32>
}
