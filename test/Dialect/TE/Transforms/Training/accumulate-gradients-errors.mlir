// RUN: te-opt %s --split-input-file --verify-diagnostics --te-accumulate-gradients
// RUN: not te-opt %s --split-input-file --te-accumulate-gradients=entries=mine 2>&1 | FileCheck %s --check-prefix=ENTRY

// ENTRY: error: the module has no entry 'mine'; te-build-entries makes entries

// expected-error @+1 {{entry 'accumulate' sums gradients, but there is no entry that ends the step; build the entry train, too}}
func.func @accumulate(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}) attributes {te.entry = "accumulate"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has no gradients to accumulate; te-add-gradients adds them}}
func.func @accumulate(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "grad.x"}) attributes {te.entry = "accumulate"} {
  return %x : tensor<8x8xf32>
}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "grad.x"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has a coefficient of its gradients already; they are summed before te-clip-gradients}}
func.func @accumulate(%x: tensor<8x8xf32> {te.param = "x"}, %s: tensor<f32> {te.scalar = "s"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "s", te.gradient_coefficient}) attributes {te.entry = "accumulate"} {
  return %x, %s : tensor<8x8xf32>, tensor<f32>
}
func.func @train() attributes {te.entry = "train"} {
  return
}

// -----

// expected-error @+1 {{the model has no output 'loss' to sum; te-add-loss adds one}}
func.func @accumulate(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}) attributes {te.entry = "accumulate"} {
  return %x : tensor<8x8xf32>
}
func.func @train() attributes {te.entry = "train"} {
  return
}

// -----

// expected-error @+1 {{the model has the loss 'tensor<1xf32>'; tensor<f32> can be summed over microbatches}}
func.func @accumulate(%x: tensor<8x8xf32> {te.param = "x"}, %l: tensor<1xf32> {te.input = "l"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<1xf32> {te.output = "loss"}) attributes {te.entry = "accumulate"} {
  return %x, %l : tensor<8x8xf32>, tensor<1xf32>
}
func.func @train() attributes {te.entry = "train"} {
  return
}

// -----

// expected-error @+1 {{the model has the gradient of 'x' as 'tensor<8x8xbf16>'; gradients are float32}}
func.func @accumulate(%x: tensor<8x8xbf16> {te.param = "x"}, %l: tensor<f32> {te.input = "l"})
    -> (tensor<8x8xbf16> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "loss"}) attributes {te.entry = "accumulate"} {
  return %x, %l : tensor<8x8xbf16>, tensor<f32>
}
func.func @train() attributes {te.entry = "train"} {
  return
}

// -----

// The step ends with another model's sums.
func.func @accumulate(%x: tensor<8x8xf32> {te.param = "x"}, %l: tensor<f32> {te.input = "l"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "loss"}) attributes {te.entry = "accumulate"} {
  return %x, %l : tensor<8x8xf32>, tensor<f32>
}
// expected-error @+1 {{entry 'train' sums 'loss.count', but entry 'accumulate' does not; the entries of a step are made of one model}}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"}, %l: tensor<f32> {te.input = "l"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "n", te.loss_divisor}) attributes {te.entry = "train"} {
  return %x, %l, %l : tensor<8x8xf32>, tensor<f32>, tensor<f32>
}

// -----

// expected-error @+1 {{entry 'accumulate' sums 'grad.y', but entry 'train' does not; the entries of a step are made of one model}}
func.func @accumulate(%y: tensor<8x8xf32> {te.param = "y"}, %l: tensor<f32> {te.input = "l"})
    -> (tensor<8x8xf32> {te.output = "grad.y", te.gradient = "y"}, tensor<f32> {te.output = "loss"}) attributes {te.entry = "accumulate"} {
  return %y, %l : tensor<8x8xf32>, tensor<f32>
}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"}, %l: tensor<f32> {te.input = "l"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "loss"}) attributes {te.entry = "train"} {
  return %x, %l : tensor<8x8xf32>, tensor<f32>
}

// -----

func.func @accumulate(%x: tensor<8x8xf32> {te.param = "x"}, %l: tensor<f32> {te.input = "l"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "loss"}) attributes {te.entry = "accumulate"} {
  return %x, %l : tensor<8x8xf32>, tensor<f32>
}
// expected-error @+1 {{the model sums 'grad.x' as 'tensor<4x8xf32>', but entry 'accumulate' as 'tensor<8x8xf32>'}}
func.func @train(%x: tensor<4x8xf32> {te.param = "x"}, %l: tensor<f32> {te.input = "l"})
    -> (tensor<4x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "loss"}) attributes {te.entry = "train"} {
  return %x, %l : tensor<4x8xf32>, tensor<f32>
}

// -----

// A name that the model has given to something else.
// expected-error @+1 {{argument #2 has the name 'grad.x' of argument #0}}
func.func @accumulate(%x: tensor<8x8xf32> {te.param = "grad.x"}, %l: tensor<f32> {te.input = "l"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "loss"}) attributes {te.entry = "accumulate"} {
  return %x, %l : tensor<8x8xf32>, tensor<f32>
}
func.func @train() attributes {te.entry = "train"} {
  return
}

// -----

// Results of these attributes are te.loss_divisor alone.
// expected-error @+1 {{expects 'te.loss_divisor' to be without a value}}
func.func @train(%l: tensor<f32> {te.input = "l"}) -> (tensor<f32> {te.output = "n", te.loss_divisor = "n"}) attributes {te.entry = "train"} {
  return %l : tensor<f32>
}
