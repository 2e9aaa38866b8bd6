// RUN: te-opt %s --split-input-file --verify-diagnostics --te-build-entries
// RUN: not te-opt %s --split-input-file --te-build-entries=entries=test 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not te-opt %s --split-input-file --te-build-entries=entries=eval,eval 2>&1 | FileCheck %s --check-prefix=TWICE

// RUN: not te-opt %s --split-input-file --te-build-entries=entries=backward 2>&1 | FileCheck %s --check-prefix=BACKWARD
// RUN: not te-opt %s --split-input-file --te-build-entries=entries=forward_saving 2>&1 | FileCheck %s --check-prefix=NAME

// BACKWARD: error: the entry 'backward' reads what forward_saving saves; ask for that entry, which brings both
// NAME: error: @backward is the name of an entry that te-build-entries makes; rename this
// ENTRY: error: there is no entry 'test'; choose among train, accumulate, grad, eval, vjp, forward_saving, backward, forward, prefill, decode and calibrate
// TWICE: error: entry 'eval' is asked for twice

// expected-error @+1 {{the module has no function @forward to differentiate}}
module {
  func.func private @forward(%x: tensor<8x8xf32> {te.input = "x"}) -> (tensor<8x8xf32> {te.output = "y"})
}

// -----

func.func @forward(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "y"}) {
  return %x : tensor<8x8xf32>
}
// expected-error @+1 {{@train is the name of an entry that te-build-entries makes; rename this}}
func.func private @train()

// -----

// expected-error @+1 {{the model has control flow; only straight-line models are differentiated}}
func.func @forward(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "y"}) {
  return %x : tensor<8x8xf32>
^bb1:
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{argument #0 has no role}}
func.func @forward(%x: tensor<8x8xf32>) -> (tensor<8x8xf32> {te.output = "y"}) {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has state 's'; only models without state of their own are differentiated}}
func.func @forward(%s: tensor<8x8xf32> {te.state = "s", te.kind = "counter"}) -> (tensor<8x8xf32> {te.output = "y"}) {
  return %s : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model returns a new value of parameter 'x'; parameters are updated by the optimizer}}
func.func @forward(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.param = "x"}) {
  return %x : tensor<8x8xf32>
}

// -----

func.func @forward(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "y"}) {
  return %x : tensor<8x8xf32>
}
func.func private @backward()
