// RUN: te-opt %s --split-input-file --verify-diagnostics

// The generic form can leave out what the printed form has together.
func.func @no_new_state(%p: tensor<8x16xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{has 0 new states, but #te.lion takes 1}}
  %0 = "te.update"(%p, %c, %c, %c, %c, %c, %s, %p, %p) <{optimizer = #te.lion, operandSegmentSizes = array<i32: 1, 1, 4, 1, 0, 1, 1, 0>, resultSegmentSizes = array<i32: 1, 0, 0, 0, 0, 0>}>
    : (tensor<8x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// -----

// expected-error @+1 {{expects 1 to 100 iterations, got 0}}
func.func private @iterations() attributes {x = #te.muon<iterations = 0>}

// -----

func.func @other_role(%a: tensor<16x32xf8E4M3FN>, %b: tensor<16x32xf8E4M3FN>, %s: tensor<f32>) {
  // expected-error @+1 {{expects the role of a linear layer's product}}
  %0 = te.scaled_matmul %a, %b scales(%s, %s) {role = #te.role<other>} : tensor<16x32xf8E4M3FN>, tensor<16x32xf8E4M3FN> -> tensor<16x16xf32>
  return
}

// -----

func.func @state_type(%p: tensor<8x16xf32>, %b: tensor<16x8xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{expects states of the parameter's shape, 'tensor<8x16xf32>', got 'tensor<16x8xf32>'}}
  %0:2 = "te.update"(%p, %c, %c, %c, %c, %c, %s, %p, %b) <{optimizer = #te.lion, operandSegmentSizes = array<i32: 1, 1, 4, 1, 0, 1, 1, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}>
    : (tensor<8x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<8x16xf32>, tensor<16x8xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  return
}

// -----

func.func @scalars(%p: tensor<8x16xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{has 4 scalars, but #te.sgd<nesterov = true> takes 3}}
  %0, %1 = te.update #te.sgd<nesterov = true> %p states(%p) gradient(%p) coefficient(%c) scalars(%c, %c, %c, %c) step(%s) : tensor<8x16xf32>, tensor<8x16xf32>
  return
}

// -----

func.func @states(%p: tensor<8x16xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{has 1 states, but #te.sgd<momentum = 0.000000e+00> takes 0}}
  %0, %1 = te.update #te.sgd<momentum = 0.0> %p states(%p) gradient(%p) coefficient(%c) scalars(%c, %c) step(%s) : tensor<8x16xf32>, tensor<8x16xf32>
  return
}

// -----

// Not every optimizer updates element by element.
func.func @muon(%p: tensor<8x16xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{invalid kind of attribute specified}}
  %0 = te.update #te.muon %p gradient(%p) coefficient(%c) scalars(%c, %c) step(%s) : tensor<8x16xf32>, tensor<8x16xf32>
  return
}

// -----

func.func @gradient(%p: tensor<8x16xf32>, %g: tensor<16x8xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{the gradient}}
  %0 = te.update #te.sgd<momentum = 0.0> %p gradient(%g) coefficient(%c) scalars(%c, %c) step(%s) : tensor<8x16xf32>, tensor<16x8xf32>
  return
}

// -----

func.func @vector(%p: tensor<8xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{quantizes a parameter that has no rows: 'tensor<8xf32>'}}
  %0, %1 = te.update #te.sgd<momentum = 0.0> %p gradient(%p) coefficient(%c) scalars(%c, %c) step(%s) quantize(%c) : tensor<8xf32>, tensor<8xf32> amax tensor<f32>
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

// -----

func.func @new_state_type(%p: tensor<8x16xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{expects new states of the old ones' types}}
  %0:2 = "te.update"(%p, %c, %c, %c, %c, %c, %s, %p, %p) <{optimizer = #te.lion, operandSegmentSizes = array<i32: 1, 1, 4, 1, 0, 1, 1, 0>, resultSegmentSizes = array<i32: 1, 1, 0, 0, 0, 0>}>
    : (tensor<8x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<8x16xf32>, tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xbf16>)
  return
}

// -----

func.func @state_scale_type(%p: tensor<8x16xf32>, %q: tensor<8x16xf8E4M3FN>, %a: tensor<8x2xf32>, %c: tensor<f32>, %s: tensor<i64>) {
  // expected-error @+1 {{expects scales of states to be 'tensor<8x1xf32>', got 'tensor<8x2xf32>'}}
  %0:3 = "te.update"(%p, %c, %c, %c, %c, %c, %s, %p, %q, %a) <{optimizer = #te.lion, operandSegmentSizes = array<i32: 1, 1, 4, 1, 0, 1, 1, 1>, resultSegmentSizes = array<i32: 1, 1, 1, 0, 0, 0>}>
    : (tensor<8x16xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<i64>, tensor<8x16xf32>, tensor<8x16xf8E4M3FN>, tensor<8x2xf32>) -> (tensor<8x16xf32>, tensor<8x16xf8E4M3FN>, tensor<8x2xf32>)
  return
}

// -----

// expected-error @+1 {{expects beta2_decay to be finite and not positive, got 5.000000e-01}}
func.func private @beta2_decay() attributes {x = #te.adafactor<beta2_decay = 0.5>}

// -----

// expected-error @+1 {{expects clip to be finite and at least 1, got 5.000000e-01}}
func.func private @clip() attributes {x = #te.adafactor<clip = 0.5>}

// -----

// expected-error @+1 {{expects an epsilon that is finite in float32 and not negative, got -1.000000e+00}}
func.func private @recipe_epsilon() attributes {x = #te.current_scaling<epsilon = -1.0>}

// -----

func.func @epsilon(%a: tensor<f32>) {
  // expected-error @+1 {{has the epsilon -1.000000e+00 : f32; expects a finite number that is not negative}}
  %0:2 = te.compute_scale %a {epsilon = -1.0 : f32, format = f8E4M3FN}
  return
}

// -----

func.func @e8m0(%a: tensor<f32>) {
  // expected-error @+1 {{makes scales in f8E8M0FNU, of the amax alone; expects no margin, epsilon or power_of_two}}
  %0:2 = te.compute_scale %a {format = f8E4M3FN, power_of_two} -> tensor<f8E8M0FNU>
  return
}
