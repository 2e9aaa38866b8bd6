// RUN: te-opt %s --split-input-file --verify-diagnostics

// The generic form can leave out what the printed form has together.
func.func @no_buffer(%p: tensor<8x16xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{expects a momentum, a buffer for it and the new buffer together}}
  %0 = "te.sgd"(%p, %c, %c, %c, %c, %s, %p) <{operandSegmentSizes = array<i32: 1, 1, 1, 1, 0, 1, 1, 0, 1, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0>}>
    : (tensor<8x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

func.func @buffer_shape(%p: tensor<8x16xf32>, %b: tensor<16x8xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{expects the momentum's buffer to be 'tensor<8x16xf32>', got 'tensor<16x8xf32>'}}
  %0, %1 = te.sgd %p gradient(%p) coefficient(%c) lr(%c) weight_decay(%c) step(%s) momentum(%c, %b : tensor<16x8xf32> -> tensor<16x8xf32>)
    : tensor<8x16xf32>, tensor<8x16xf32>
  return
}

// -----

func.func @dampening(%p: tensor<8x16xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{has dampening without a momentum}}
  %0 = te.sgd %p gradient(%p) coefficient(%c) lr(%c) weight_decay(%c) step(%s) dampening(%c) : tensor<8x16xf32>, tensor<8x16xf32>
  return
}

// -----

func.func @nesterov(%p: tensor<8x16xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{has nesterov without a momentum}}
  %0 = te.sgd %p gradient(%p) coefficient(%c) lr(%c) weight_decay(%c) step(%s) {nesterov} : tensor<8x16xf32>, tensor<8x16xf32>
  return
}

// -----

func.func @gradient(%p: tensor<8x16xf32>, %g: tensor<16x8xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{the gradient}}
  %0 = te.sgd %p gradient(%g) coefficient(%c) lr(%c) weight_decay(%c) step(%s) : tensor<8x16xf32>, tensor<16x8xf32>
  return
}

// -----

func.func @vector(%p: tensor<8xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{quantizes a parameter that is not a matrix: 'tensor<8xf32>'}}
  %0, %1 = te.sgd %p gradient(%p) coefficient(%c) lr(%c) weight_decay(%c) step(%s) quantize(%c) : tensor<8xf32>, tensor<8xf32> amax tensor<f32>
  return
}

// -----

// What marks gradients belongs on results.
// expected-error @+1 {{has 'te.gradient' on an argument; it belongs on a result}}
func.func @argument(%p: tensor<8xf32> {te.gradient = "w"}) {
  return
}

// -----

// expected-error @+1 {{expects 'te.gradient' to be a non-empty string}}
func.func @number(%p: tensor<8xf32>) -> (tensor<8xf32> {te.gradient = 1 : i64}) {
  return %p : tensor<8xf32>
}

// -----

// expected-error @+1 {{has 'te.gradient_coefficient' on an argument; it belongs on a result}}
func.func @coefficient(%p: tensor<f32> {te.gradient_coefficient}) {
  return
}

// -----

// expected-error @+1 {{expects 'te.gradient_coefficient' to be without a value}}
func.func @value(%p: tensor<f32>) -> (tensor<f32> {te.gradient_coefficient = 1 : i64}) {
  return %p : tensor<f32>
}
