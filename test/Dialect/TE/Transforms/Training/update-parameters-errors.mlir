// RUN: te-opt %s --split-input-file --verify-diagnostics --te-update-parameters
// RUN: not te-opt %s --split-input-file --te-update-parameters=optimizer=adagrad 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not te-opt %s --split-input-file --te-update-parameters="optimizer=adamw<beta3=0.5>" 2>&1 | FileCheck %s --check-prefix=PARAMETER
// RUN: not te-opt %s --split-input-file --te-update-parameters="optimizer=#te.reduction<mean>" 2>&1 | FileCheck %s --check-prefix=KIND
// RUN: not te-opt %s --split-input-file --te-update-parameters="optimizer=adamw<beta1=1.0>" 2>&1 | FileCheck %s --check-prefix=BETA
// RUN: not te-opt %s --split-input-file --te-update-parameters="optimizer=adamw<eps=-1.0>" 2>&1 | FileCheck %s --check-prefix=EPS
// RUN: not te-opt %s --split-input-file --te-update-parameters="optimizer=sgd<learning_rate=true>" 2>&1 | FileCheck %s --check-prefix=NUMBER
// RUN: not te-opt %s --split-input-file --te-update-parameters="optimizer=sgd<momentum=0.9,dampening=0.1,nesterov=true>" 2>&1 | FileCheck %s --check-prefix=NESTEROV
// RUN: not te-opt %s --split-input-file --te-update-parameters="optimizer=sgd<momentum=0,dampening=0.1>" 2>&1 | FileCheck %s --check-prefix=DAMPENING
// RUN: not te-opt %s --split-input-file --te-update-parameters=entries=mine 2>&1 | FileCheck %s --check-prefix=ENTRY
// RUN: not te-opt %s --split-input-file --te-update-parameters=optimizer=ema 2>&1 | FileCheck %s --check-prefix=EMA

// UNKNOWN: error: there is no optimizer 'adagrad' (unknown attribute `adagrad` in dialect `te`); use one by its name, such as adamw, lion, muon or sgd, or with its parameters, such as '#te.sgd<momentum = 0.9>'
// PARAMETER: error: there is no optimizer 'adamw<beta3=0.5>' ({{.*}}beta3{{.*}})
// KIND: error: there is no optimizer '#te.reduction<mean>': the attribute does not implement OptimizerAttrInterface
// BETA: (expects beta1 to be at least 0 and less than 1, got 1.000000e+00)
// EPS: (expects eps to be finite and not negative, got -1.000000e+00)
// NUMBER: expected a number, got true
// NESTEROV: (expects a momentum and no dampening with nesterov)
// DAMPENING: (expects a momentum with dampening)
// ENTRY: error: the module has no entry 'mine'; te-build-entries makes entries
// EMA: error: there is no optimizer 'ema': it has no learning rate; use one

// expected-error @+1 {{the model has no gradients to update parameters by; te-add-gradients adds them}}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "grad.x"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has a gradient of 'x', which is not a parameter}}
func.func @train(%x: tensor<8x8xf32> {te.input = "x"}) -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model returns a new value of parameter 'x' already}}
func.func @train(%x: tensor<8x8xf32> {te.param = "x"}) -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<8x8xf32> {te.param = "x"}) attributes {te.entry = "train"} {
  return %x, %x : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// expected-error @+1 {{the model has parameter 'x' of type 'tensor<8x8xbf16>'; the optimizer updates float32 parameters (compute in a narrower type with te-set-compute-type)}}
func.func @train(%x: tensor<8x8xbf16> {te.param = "x"}) -> (tensor<8x8xbf16> {te.output = "grad.x", te.gradient = "x"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xbf16>
}

// -----

// expected-error @+1 {{argument #5 has the name 'learning_rate' of argument #0}}
func.func @train(%s: tensor<f32> {te.scalar = "learning_rate"}, %x: tensor<8x8xf32> {te.param = "x"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}) attributes {te.entry = "train"} {
  return %x : tensor<8x8xf32>
}

// -----

// Gradients that are still to be divided.
// expected-error @+1 {{the model has a result with 'te.loss_divisor', which te-clip-gradients makes part of the coefficient of its gradients; run that before te-update-parameters}}
func.func @train(%g: tensor<8x8xf32> {te.input = "g"}, %n: tensor<f32> {te.input = "n"}, %x: tensor<8x8xf32> {te.param = "x"})
    -> (tensor<8x8xf32> {te.output = "grad.x", te.gradient = "x"}, tensor<f32> {te.output = "count", te.loss_divisor}) attributes {te.entry = "train"} {
  return %g, %n : tensor<8x8xf32>, tensor<f32>
}
