// RUN: te-opt %s --te-annotate-ranges --split-input-file --verify-diagnostics

// expected-error @+1 {{expects 'te.max_abs' to be a finite floating-point number, 0 or larger}}
func.func @negative(%x: tensor<4xf32> {te.max_abs = -1.0 : f32}) {
  return
}

// -----

// expected-error @+1 {{expects 'te.max_abs' to be a finite floating-point number, 0 or larger}}
func.func @infinite(%x: tensor<4xf32> {te.max_abs = 0x7F800000 : f32}) {
  return
}

// -----

// expected-error @+1 {{expects 'te.max_abs' to be a finite floating-point number, 0 or larger}}
func.func @integer(%x: tensor<4xf32> {te.max_abs = 1}) {
  return
}

// -----

// expected-error @+1 {{has 'te.max_abs' on a result; it belongs on an argument}}
func.func @result(%x: tensor<4xf32>) -> (tensor<4xf32> {te.max_abs = 1.0 : f32}) {
  return %x : tensor<4xf32>
}

// -----

func.func @annotation(%x: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @+1 {{expects 'te.ranges' to be an array of strings}}
  %y = arith.addf %x, %x {te.ranges = "any"} : tensor<4xf32>
  return %y : tensor<4xf32>
}
