// RUN: te-opt %s --split-input-file --verify-diagnostics --te-differentiate
// RUN: not te-opt %S/../Inputs/gpt.mlir --te-build-entries=entries=train,evaluate 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not te-opt %S/../Inputs/gpt.mlir --te-differentiate=entries=vjp,vjp 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not te-opt %S/../Inputs/gpt.mlir --te-differentiate=loss=none 2>&1 | FileCheck %s --check-prefix=NOLOSS
// RUN: not te-opt %S/../Inputs/gpt.mlir --te-build-entries --te-add-loss=loss=hinge 2>&1 | FileCheck %s --check-prefix=LOSS
// RUN: not te-opt %S/../Inputs/gpt.mlir --te-differentiate=optimizer=adagrad 2>&1 | FileCheck %s --check-prefix=OPTIMIZER
// RUN: not te-opt %S/../Inputs/gpt.mlir --te-differentiate=logits=scores 2>&1 | FileCheck %s --check-prefix=LOGITS

// ENTRY: error: there is no entry 'evaluate'; choose among train, accumulate, grad, eval, vjp, forward_saving, backward, forward, prefill, decode and calibrate
// TWICE: error: entry 'vjp' is asked for twice
// NOLOSS: error: entry 'train' needs a loss: choose causal-lm, masked-lm, cross-entropy, classification, mse or output:NAME, or build the entries vjp and forward alone
// LOSS: error: there is no loss 'hinge' (unknown attribute `hinge` in dialect `te`); use causal-lm, masked-lm, cross-entropy, classification, mse or output:NAME, or one with its parameters, such as '#te.masked_lm<label_smoothing = 0.1>'
// OPTIMIZER: error: there is no optimizer 'adagrad' (unknown attribute `adagrad` in dialect `te`); use one by its name, such as adamw, lion, muon or sgd, or with its parameters, such as '#te.sgd<momentum = 0.9>'
// LOGITS: error: the model has no floating-point output 'scores'; there is 'logits' ('tensor<2x8x24xf32>')
// The model itself is not printed.
// LOGITS-NOT: current operation

// expected-error @+1 {{the module has no function @forward to differentiate}}
module {
}

// -----

// All ops without a gradient come in one message; the one that no parameter
// influences is not in the way.
// expected-error @+1 {{cannot be differentiated: 2 operations have no gradient}}
func.func @forward(%ids: tensor<2x4xi64> {te.input = "ids"}, %t: tensor<8x16xf32> {te.param = "t"}, %x: tensor<8x8xf32> {te.input = "x"})
    -> (tensor<8x8xf32> {te.output = "logits"}) {
  %flat = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %e = te.embedding %flat, %t : tensor<8xi64>, tensor<8x16xf32> -> tensor<8x16xf32>
  // expected-note @+1 {{'arith.mulf' does not implement DifferentiableOpInterface; implement it (buildVjp), attach an external model of it, or rewrite the operation with differentiable ones}}
  %a = arith.mulf %e, %e : tensor<8x16xf32>
  // expected-note @+1 {{'arith.negf' does not implement DifferentiableOpInterface}}
  %b = arith.negf %a : tensor<8x16xf32>
  %c = arith.negf %x : tensor<8x8xf32>
  %y = te.matmul %b, %t {transpose_b} : tensor<8x16xf32>, tensor<8x16xf32> -> tensor<8x8xf32>
  %z = te.add %y, %c : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}

// -----

// A saved tensor has no gradient of its own.
func.func @forward(%ids: tensor<2x4xi64> {te.input = "ids"}, %x: tensor<8x8xf32> {te.param = "x"}, %g: tensor<8xf32> {te.param = "g"})
    -> (tensor<8x8xf32> {te.output = "logits"}) {
  // expected-error @+1 {{has no gradient for its result #1, which is saved for the backward pass only; compute what is needed of it from result #0}}
  %y, %mean, %rstd = te.layer_norm %x, %g, %g {eps = 1.0e-5 : f32}
    : tensor<8x8xf32>, tensor<8xf32>, tensor<8xf32> -> y tensor<8x8xf32> stats tensor<8xf32>, tensor<8xf32>
  %m = tensor.expand_shape %mean [[0, 1]] output_shape [1, 8] : tensor<8xf32> into tensor<1x8xf32>
  %z = te.add %y, %m : tensor<8x8xf32>, tensor<1x8xf32> -> tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{needs one output as logits for the loss; name it with the option logits; there is 'a' ('tensor<8x8xf32>'), 'b' ('tensor<8x8xf32>')}}
func.func @forward(%ids: tensor<2x4xi64> {te.input = "ids"}, %x: tensor<8x8xf32> {te.param = "x"})
    -> (tensor<8x8xf32> {te.output = "a"}, tensor<8x8xf32> {te.output = "b"}) {
  return %x, %x : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// expected-error @+1 {{needs one integer input [batch, sequence] to take the causal loss's labels from (with other labels for the output 'a': use --loss=classification if they are scores of classes, one label for each row, or --loss=mse if they are numbers); its inputs are 'x' ('tensor<8x8xf32>')}}
func.func @forward(%x: tensor<8x8xf32> {te.input = "x"}) -> (tensor<8x8xf32> {te.output = "a"}) {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has the output 'a' ('tensor<8x8xf32>'), which is not one row of scores for each of the 6 tokens of 'ids', as the loss causal-lm needs them; use --loss=classification if they are scores of classes, one label for each row, or --loss=mse if they are numbers}}
func.func @forward(%ids: tensor<2x3xi64> {te.input = "ids"}, %x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "a"}) {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{has parameter 'x' of type 'tensor<8x8xbf16>'; the optimizer updates float32 parameters (compute in a narrower type with te-set-compute-type)}}
func.func @forward(%ids: tensor<2x4xi64> {te.input = "ids"}, %x: tensor<8x8xbf16> {te.param = "x"}) -> (tensor<8x8xbf16> {te.output = "a"}) {
  return %x : tensor<8x8xbf16>
}

// -----

// expected-warning @+1 {{the gradients of 'u', 'v' are zero: the loss does not depend on them}}
func.func @forward(%ids: tensor<2x4xi64> {te.input = "ids"}, %x: tensor<8x8xf32> {te.param = "x"}, %u: tensor<4xf32> {te.param = "u"},
                   %v: tensor<8x8xf32> {te.param = "v"}) -> (tensor<8x8xf32> {te.output = "a"}) {
  %unused = te.add %x, %v : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{has state 's'; only models without state of their own are differentiated}}
func.func @forward(%s: tensor<8x8xf32> {te.state = "s", te.kind = "counter"}) -> (tensor<8x8xf32> {te.output = "a"}) {
  return %s : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{returns a new value of parameter 'x'; parameters are updated by the optimizer}}
func.func @forward(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.param = "x"}) {
  return %x : tensor<8x8xf32>
}

// -----

func.func @forward(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "a"}) {
  return %x : tensor<8x8xf32>
}
// expected-error @+1 {{@train is the name of an entry that te-build-entries makes; rename this}}
func.func private @train()

// -----

// expected-error @+1 {{argument #0 has no role}}
func.func @forward(%x: tensor<8x8xf32>) -> (tensor<8x8xf32> {te.output = "a"}) {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{has control flow; only straight-line models are differentiated}}
func.func @forward(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "a"}) {
  return %x : tensor<8x8xf32>
^bb1:
  return %x : tensor<8x8xf32>
}

// -----

// Angles that are learned.
func.func @forward(%ids: tensor<2x4xi64> {te.input = "ids"}, %w: tensor<8x8xf32> {te.param = "w"}, %a: tensor<4x4xf32> {te.param = "angles"})
    -> (tensor<8x8xf32> {te.output = "logits"}) {
  %x = tensor.expand_shape %w [[0, 1, 2], [3]] output_shape [1, 4, 2, 8] : tensor<8x8xf32> into tensor<1x4x2x8xf32>
  // expected-error @+1 {{has no gradient for its tables of angles; take what they are computed from out of the parameters}}
  %y = te.rope %x, %a, %a {layout = #te.attention_layout<bshd>} : tensor<1x4x2x8xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<1x4x2x8xf32>
  %z = tensor.collapse_shape %y [[0, 1, 2], [3]] : tensor<1x4x2x8xf32> into tensor<8x8xf32>
  return %z : tensor<8x8xf32>
}

// -----

// One element several times: what comes back would have to be added up.
func.func @forward(%ids: tensor<2x4xi64> {te.input = "ids"}, %w: tensor<8x4xf32> {te.param = "w"}) -> (tensor<8x8xf32> {te.output = "logits"}) {
  // expected-error @+1 {{reads an element several times, with a stride of 0; repeat it with linalg.broadcast, which has a gradient}}
  %y = tensor.extract_slice %w[0, 1] [8, 8] [1, 0] : tensor<8x4xf32> to tensor<8x8xf32>
  return %y : tensor<8x8xf32>
}
