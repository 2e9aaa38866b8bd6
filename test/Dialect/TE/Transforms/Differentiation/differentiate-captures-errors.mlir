// Gradients through regions and other detours are refused by name where they
// are not taken, and said to be zero where they are.

// RUN: te-opt %s --allow-unregistered-dialect --te-differentiate="entries=vjp loss=none" --split-input-file --verify-diagnostics -o /dev/null

// An op of another dialect, without operands, whose region reads the model.
// expected-error @+1 {{the model cannot be differentiated: 1 operation has no gradient}}
func.func @forward(%x: tensor<32x32xf32> {te.input = "x"}, %w: tensor<32x32xf32> {te.param = "w"}) -> (tensor<32x32xf32> {te.output = "y"}) {
  %h = te.matmul %x, %w {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  // expected-note @+1 {{'my.block' does not implement DifferentiableOpInterface}}
  %c = "my.block"() ({
    %k = te.matmul %h, %w : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
    "my.yield"(%k) : (tensor<32x32xf32>) -> ()
  }) : () -> tensor<32x32xf32>
  %y = te.add %h, %c : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}

// -----

// Regions of precision, made too early.
// expected-error @+1 {{the model cannot be differentiated: 1 operation has no gradient}}
func.func @forward(%x: tensor<8x8xf32> {te.input = "x"}, %w: tensor<8x8xf32> {te.param = "w"}) -> (tensor<8x8xf32> {te.output = "y"}) {
  // expected-note @+1 {{'te.region' is made by te-partition, which decides about the gradients too; run it after te-differentiate}}
  %r = te.region high -> (tensor<8x8xf32>) {
    %m = te.matmul %x, %w {transpose_b} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
    te.yield %m : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// A body that reads whole tensors.
#v = affine_map<(d0) -> (d0)>
// expected-error @+1 {{the model cannot be differentiated: 1 operation has no gradient}}
func.func @forward(%x: tensor<8xf32> {te.input = "x"}, %w: tensor<8xf32> {te.param = "w"}) -> (tensor<8xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-note @+1 {{'linalg.generic' reads a value in its region that is not an operand of it, and gives gradients to operands alone; make the value an operand}}
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %s = tensor.extract %w[%i] : tensor<8xf32>
    %t = arith.mulf %in, %s : f32
    linalg.yield %t : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Control flow in a body.
#v = affine_map<(d0) -> (d0)>
func.func @forward(%x: tensor<8xf32> {te.input = "x"}) -> (tensor<8xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-error @+1 {{cannot be differentiated: the derivative of 'my.if' in its body is not known}}
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %zero = arith.constant 0.0 : f32
    %c = arith.cmpf ogt, %in, %zero : f32
    %r = "my.if"(%c) ({
      %t = arith.mulf %in, %in : f32
      "my.yield"(%t) : (f32) -> ()
    }, {
      "my.yield"(%zero) : (f32) -> ()
    }) : (i1) -> f32
    linalg.yield %r : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// The absolute value by clearing the sign's bit.
// expected-error @+1 {{the model cannot be differentiated: 1 operation has no gradient}}
func.func @forward(%x: tensor<8xf32> {te.input = "x"}) -> (tensor<8xf32> {te.output = "y"}) {
  %mask = arith.constant dense<2147483647> : tensor<8xi32>
  // expected-note @+1 {{'arith.bitcast' computes with the bits of a float, which has no gradient; write it with floating-point operations}}
  %b = arith.bitcast %x : tensor<8xf32> to tensor<8xi32>
  %a = arith.andi %b, %mask : tensor<8xi32>
  %y = arith.bitcast %a : tensor<8xi32> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Through memory.
// expected-error @+1 {{the model cannot be differentiated: 1 operation has no gradient}}
func.func @forward(%x: tensor<8xf32> {te.input = "x"}) -> (tensor<8xf32> {te.output = "y"}) {
  %m = memref.alloc() : memref<8xf32>
  // expected-note @+1 {{'my.store' works on a buffer; only computations on tensors are differentiated}}
  "my.store"(%x, %m) : (tensor<8xf32>, memref<8xf32>) -> ()
  %y = bufferization.to_tensor %m restrict : memref<8xf32> to tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// A mask: it depends on the parameter, but by steps.
// expected-warning @+2 {{the gradient of 'w' is zero: the model's result depends on it only through operations without a gradient}}
// expected-warning @+1 {{the gradient of 'u' is zero: the model's result does not depend on it}}
func.func @forward(%x: tensor<8xf32> {te.input = "x"}, %w: tensor<8xf32> {te.param = "w"}, %u: tensor<8xf32> {te.param = "u"}) -> (tensor<8xf32> {te.output = "y"}) {
  %zero = arith.constant dense<0.0> : tensor<8xf32>
  %e = tensor.empty() : tensor<8xf32>
  // expected-note @+1 {{the first of them is 'arith.cmpf'}}
  %c = arith.cmpf ogt, %w, %zero : tensor<8xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %c : tensor<8xf32>, tensor<8xi1>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %mask: i1, %out: f32):
    %k = arith.constant 0.0 : f32
    %s = arith.select %mask, %in, %k : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// Rounding, in one op with a smooth path for another operand.
// expected-warning @+1 {{the gradient of 'w' is zero: the model's result depends on it only through operations without a gradient}}
func.func @forward(%x: tensor<8xf32> {te.input = "x"}, %w: tensor<8xf32> {te.param = "w"}) -> (tensor<8xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<8xf32>
  // expected-note @+1 {{the first of them is 'linalg.generic'}}
  %y = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      ins(%x, %w : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xf32>) {
  ^bb0(%in: f32, %step: f32, %out: f32):
    %f = math.floor %step : f32
    %s = arith.mulf %in, %f : f32
    linalg.yield %s : f32
  } -> tensor<8xf32>
  return %y : tensor<8xf32>
}

// -----

// An element type that nothing computes with is said to be that.
// expected-error @+1 {{the model cannot be differentiated: 2 operations have no gradient}}
func.func @forward(%x: tensor<8xf32> {te.input = "x"}) -> (tensor<8xf32> {te.output = "y"}) {
  // expected-note @+1 {{'arith.truncf': element type f16 is not supported; export in float32 or bfloat16}}
  %h = arith.truncf %x : tensor<8xf32> to tensor<8xf16>
  // expected-note @+1 {{'arith.extf': element type f16 is not supported}}
  %y = arith.extf %h : tensor<8xf16> to tensor<8xf32>
  return %y : tensor<8xf32>
}
