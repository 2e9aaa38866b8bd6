// RUN: te-opt %s --te-differentiate="entries=vjp loss=none" --split-input-file --verify-diagnostics

#v = affine_map<(d0) -> (d0)>
func.func @forward(%x: tensor<7xf32> {te.input = "x"}) -> (tensor<7xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<7xf32>
  // expected-error@+1 {{cannot be differentiated: the derivative of 'arith.scaling_truncf' in its body is not known; write it with other functions}}
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %s = arith.constant 2.0 : f8E8M0FNU
    %q = arith.scaling_truncf %in, %s : f32, f8E8M0FNU to f8E4M3FN
    %0 = arith.extf %q : f8E4M3FN to f32
    linalg.yield %0 : f32
  } -> tensor<7xf32>
  return %y : tensor<7xf32>
}

// -----

#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @forward(%x: tensor<4x6xf32> {te.input = "x"}) -> (tensor<4xf32> {te.output = "y"}) {
  %z = arith.constant dense<0.0> : tensor<4xf32>
  // expected-error@+1 {{reduces otherwise than by a sum or an extremum; pointwise ops, sums, maxima and minima are differentiated}}
  %y = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

// What it starts from has a gradient of its own.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
func.func @forward(%x: tensor<4x6xf32> {te.input = "x"}, %z: tensor<4xf32> {te.input = "z"}) -> (tensor<4xf32> {te.output = "y"}) {
  // expected-error@+1 {{takes the extremum of elements and of what it starts from; it is differentiated where it starts from a constant}}
  %y = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%z : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.maximumf %in, %out : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#diagonal = affine_map<(d0) -> (d0, d0)>
#v = affine_map<(d0) -> (d0)>
func.func @forward(%x: tensor<4x4xf32> {te.input = "x"}) -> (tensor<4xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<4xf32>
  // expected-error@+1 {{has an index map affine_map<(d0) -> (d0, d0)>; operands that are permuted or repeated along whole dimensions are differentiated}}
  %y = linalg.generic {indexing_maps = [#diagonal, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<4x4xf32>) outs(%e : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = math.exp %in : f32
    linalg.yield %0 : f32
  } -> tensor<4xf32>
  return %y : tensor<4xf32>
}

// -----

#v = affine_map<(d0) -> (d0)>
func.func @forward(%x: tensor<7xf32> {te.input = "x"}) -> (tensor<7xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<7xf32>
  // expected-error@+1 {{cannot be differentiated: the derivative of 'arith.truncf' in its body is not known; write it with other functions}}
  %y = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : tensor<7xf32>) outs(%e : tensor<7xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.truncf %in downward : f32 to bf16
    %1 = arith.extf %0 : bf16 to f32
    linalg.yield %1 : f32
  } -> tensor<7xf32>
  return %y : tensor<7xf32>
}

// -----

// expected-error@+1 {{the model cannot be differentiated: 1 operation has no gradient}}
func.func @forward(%x: tensor<7xf32> {te.input = "x"}) -> (tensor<7xf32> {te.output = "y"}) {
  // expected-note@+1 {{'arith.truncf' rounds to_nearest_away; only to_nearest_even is computed}}
  %0 = arith.truncf %x to_nearest_away : tensor<7xf32> to tensor<7xbf16>
  %1 = arith.extf %0 : tensor<7xbf16> to tensor<7xf32>
  return %1 : tensor<7xf32>
}
