// RUN: te-opt %s --split-input-file --verify-diagnostics --te-add-loss=loss=cross-entropy
// RUN: not te-opt %s --split-input-file --te-add-loss=loss=none 2>&1 | FileCheck %s --check-prefix=NONE
// RUN: not te-opt %s --split-input-file --te-add-loss=logits=scores 2>&1 | FileCheck %s --check-prefix=LOGITS
// RUN: not te-opt %s --split-input-file --te-add-loss=entries=mine 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not te-opt %s --split-input-file --te-add-loss 2>&1 | FileCheck %s --check-prefix=CAUSAL
// RUN: not te-opt %s --split-input-file --te-add-loss=loss=hinge 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not te-opt %s --split-input-file --te-add-loss="loss=#te.role<fprop>" 2>&1 | FileCheck %s --check-prefix=NOLOSS
// RUN: not te-opt %s --split-input-file --te-add-loss=loss=classification 2>&1 | FileCheck %s --check-prefix=CLASSES
// RUN: not te-opt %s --split-input-file --te-add-loss=loss=mse 2>&1 | FileCheck %s --check-prefix=MSE
// RUN: not te-opt %s --split-input-file --te-add-loss=loss=output:mean 2>&1 | FileCheck %s --check-prefix=OUTPUT
// RUN: not te-opt %s --split-input-file --te-add-loss=loss=output:a 2>&1 | FileCheck %s --check-prefix=MATRIX
// RUN: not te-opt %s --split-input-file --te-add-loss=loss=output: 2>&1 | FileCheck %s --check-prefix=NAMELESS

// UNKNOWN: error: there is no loss 'hinge' (unknown attribute `hinge` in dialect `te`); use causal-lm, masked-lm, {{.*}} or output:NAME, or one with its parameters, such as '#te.masked_lm<label_smoothing = 0.1>'
// NOLOSS: error: there is no loss '#te.role<fprop>': the attribute does not implement LossAttrInterface
// CLASSES: error: the model has the output 'a' ('tensor<f32>'), which is no classification: the loss needs [batch, classes] or [batch, sequence, classes], of two classes or more
// CLASSES: error: the model has the output 'a' ('tensor<8xf32>'), which is no classification
// MSE: error: the model needs one output as logits for the loss
// OUTPUT: error: the model has no output 'mean' to be the loss; there is 'a' ('tensor<8x8xf32>'), 'b' ('tensor<8x8xf32>')
// MATRIX: error: the model has the output 'a' ('tensor<8x8xf32>'), which cannot be the loss: that is one number of floating point
// NAMELESS: error: there is no loss 'output:'

// NONE: error: entry 'train' needs a loss: choose causal-lm, masked-lm, cross-entropy, classification, mse or output:NAME, or build the entries vjp and forward alone
// LOGITS: error: the model has no floating-point output 'scores'; there is 'a' ('tensor<8x8xf32>'), 'b' ('tensor<8x8xf32>')
// ENTRY: error: the module has no entry 'mine'; te-build-entries makes entries
// CAUSAL: error: the model needs one integer input [batch, sequence] to take the causal loss's labels from (with other labels for the output '{{.*}}': {{.*}}); its inputs are nothing

// expected-error @+1 {{the model needs one output as logits for the loss; name it with the option logits; there is 'a' ('tensor<8x8xf32>'), 'b' ('tensor<8x8xf32>')}}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"})
    -> (tensor<8x8xf32> {te.output = "a"}, tensor<8x8xf32> {te.output = "b"}) attributes {te.entry = "train"} {
  return %x, %x : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model needs one output as logits for the loss; name it with the option logits; there is nothing}}
func.func @train(%x: tensor<8x8xi64> {te.input = "x"}) -> (tensor<8x8xi64> {te.output = "a"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xi64>
}

// -----

// expected-error @+1 {{the model has scalar logits 'a'}}
func.func @train(%x: tensor<f32> {te.param = "x"}) -> (tensor<f32> {te.output = "a"}) attributes {te.entry = "train"} {
  return %x : tensor<f32>
}

// -----

// expected-error @+1 {{the logits are 'tensor<8xf32>'; a cross-entropy needs [..., classes]}}
func.func @train(%x: tensor<8xf32> {te.param = "x"}) -> (tensor<8xf32> {te.output = "a"}) attributes {te.entry = "train"} {
  return %x : tensor<8xf32>
}

// -----

// expected-error @+1 {{result #1 has the name 'loss' of result #0}}
func.func @grad(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "loss"}) attributes {te.entry = "grad"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{argument #1 has the name 'labels' of argument #0}}
func.func @grad(%l: tensor<8xi64> {te.input = "labels"}, %x: tensor<8x8xf32> {te.param = "x"})
    -> (tensor<8x8xf32> {te.output = "a"}) attributes {te.entry = "grad"} {
  return %x : tensor<8x8xf32>
}

// -----

// Buffers come later.
// expected-error @+1 {{the model has 'y' of type 'memref<4x8xf32>'; the stages of a training step work on tensors, before tert-bufferize makes buffers of them}}
func.func @train(%ids: tensor<1x4xi64> {te.input = "input_ids"}, %y: memref<4x8xf32> {te.input = "y"})
    -> (tensor<4x8xf32> {te.output = "logits"}) attributes {te.entry = "train"} {
  %logits = bufferization.to_tensor %y : memref<4x8xf32> to tensor<4x8xf32>
  return %logits : tensor<4x8xf32>
}
