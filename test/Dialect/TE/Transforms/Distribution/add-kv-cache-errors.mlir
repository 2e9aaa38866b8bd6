// RUN: te-opt %s --te-add-kv-cache --split-input-file --verify-diagnostics

// expected-error @+1 {{takes other inputs than token ids [rows, tokens]; only models of ids alone are decoded token by token}}
func.func @decode(%q: tensor<1x8x2x8xf32> {te.input = "q"}, %ids: tensor<1x8xi64> {te.input = "ids"})
    -> (tensor<1x8x2x8xf32> {te.output = "o"}) attributes {te.entry = "decode"} {
  return %q : tensor<1x8x2x8xf32>
}

// -----

// expected-error @+1 {{has an input 'positions', the name of the one that te-add-kv-cache adds; rename it}}
func.func @decode(%ids: tensor<1x8xi64> {te.input = "positions"})
    -> (tensor<1x8xi64> {te.output = "o"}) attributes {te.entry = "decode"} {
  return %ids : tensor<1x8xi64>
}

// -----

// expected-error @+1 {{the model has no attention, and so no keys and values that could be cached}}
func.func @decode(%ids: tensor<1x8xi64> {te.input = "ids"}, %wte: tensor<96x16xf32> {te.param = "wte"})
    -> (tensor<8x16xf32> {te.output = "o"}) attributes {te.entry = "decode"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<1x8xi64> into tensor<8xi64>
  %e = te.embedding %rows, %wte : tensor<8xi64>, tensor<96x16xf32> -> tensor<8x16xf32>
  return %e : tensor<8x16xf32>
}

// -----

func.func @decode(%ids: tensor<1x8xi64> {te.input = "ids"}, %wte: tensor<96x16xf32> {te.param = "wte"})
    -> (tensor<1x8x2x8xf32> {te.output = "o"}) attributes {te.entry = "decode"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<1x8xi64> into tensor<8xi64>
  %e = te.embedding %rows, %wte : tensor<8xi64>, tensor<96x16xf32> -> tensor<8x16xf32>
  %q = tensor.expand_shape %e [[0, 1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<8x16xf32> into tensor<1x8x2x8xf32>
  // expected-error @+1 {{cannot be computed one token at a time, with a cache of keys and values: it is not causal, so tokens look at later ones}}
  %o, %lse = te.attention %q, %q, %q {scale = 0.5 : f32}
    : tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32> -> tensor<1x8x2x8xf32>, tensor<1x2x8xf32>
  return %o : tensor<1x8x2x8xf32>
}

// -----

func.func @decode(%ids: tensor<1x8xi64> {te.input = "ids"}, %wte: tensor<96x16xf32> {te.param = "wte"}, %n: tensor<1xi64> {te.param = "n"})
    -> (tensor<1x8x2x8xf32> {te.output = "o"}) attributes {te.entry = "decode"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<1x8xi64> into tensor<8xi64>
  %e = te.embedding %rows, %wte : tensor<8xi64>, tensor<96x16xf32> -> tensor<8x16xf32>
  %q = tensor.expand_shape %e [[0, 1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<8x16xf32> into tensor<1x8x2x8xf32>
  // expected-error @+1 {{it has lengths of its own}}
  %o, %lse = te.attention %q, %q, %q lengths(%n : tensor<1xi64>) {causal, scale = 0.5 : f32}
    : tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32> -> tensor<1x8x2x8xf32>, tensor<1x2x8xf32>
  return %o : tensor<1x8x2x8xf32>
}

// -----

func.func @decode(%ids: tensor<1x8xi64> {te.input = "ids"}, %wte: tensor<96x16xf32> {te.param = "wte"}, %b: tensor<1x2x8x8xf32> {te.param = "b"})
    -> (tensor<1x8x2x8xf32> {te.output = "o"}) attributes {te.entry = "decode"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<1x8xi64> into tensor<8xi64>
  %e = te.embedding %rows, %wte : tensor<8xi64>, tensor<96x16xf32> -> tensor<8x16xf32>
  %q = tensor.expand_shape %e [[0, 1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<8x16xf32> into tensor<1x8x2x8xf32>
  // expected-error @+1 {{it has both a bias and a window}}
  %o, %lse = te.attention %q, %q, %q bias(%b : tensor<1x2x8x8xf32>) {causal, scale = 0.5 : f32, window = 4 : i64}
    : tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32> -> tensor<1x8x2x8xf32>, tensor<1x2x8xf32>
  return %o : tensor<1x8x2x8xf32>
}

// -----

// A mean over the tokens:
func.func @decode(%ids: tensor<1x8xi64> {te.input = "ids"}, %wte: tensor<96x16xf32> {te.param = "wte"})
    -> (tensor<1x8x2x8xf32> {te.output = "o"}, tensor<16xf32> {te.output = "mean"}) attributes {te.entry = "decode"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<1x8xi64> into tensor<8xi64>
  %e = te.embedding %rows, %wte : tensor<8xi64>, tensor<96x16xf32> -> tensor<8x16xf32>
  %q = tensor.expand_shape %e [[0, 1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<8x16xf32> into tensor<1x8x2x8xf32>
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32> -> tensor<1x8x2x8xf32>, tensor<1x2x8xf32>
  %zero = arith.constant dense<0.0> : tensor<16xf32>
  // expected-error @+1 {{cannot be computed one token at a time, with a cache of keys and values: 'linalg.generic' needs all of it for each element of its result}}
  %mean = linalg.generic {indexing_maps = [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d0)>],
                          iterator_types = ["parallel", "reduction"]}
      ins(%e : tensor<8x16xf32>) outs(%zero : tensor<16xf32>) {
  ^bb0(%x: f32, %sum: f32):
    %0 = arith.addf %sum, %x : f32
    linalg.yield %0 : f32
  } -> tensor<16xf32>
  return %o, %mean : tensor<1x8x2x8xf32>, tensor<16xf32>
}

// -----

// A mask made of the ids of the whole sequence:
func.func @decode(%ids: tensor<1x8xi64> {te.input = "ids"}, %wte: tensor<96x16xf32> {te.param = "wte"})
    -> (tensor<1x8x2x8xf32> {te.output = "o"}) attributes {te.entry = "decode"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<1x8xi64> into tensor<8xi64>
  %e = te.embedding %rows, %wte : tensor<8xi64>, tensor<96x16xf32> -> tensor<8x16xf32>
  %q = tensor.expand_shape %e [[0, 1], [2, 3]] output_shape [1, 8, 2, 8] : tensor<8x16xf32> into tensor<1x8x2x8xf32>
  // expected-error @+1 {{cannot be computed one token at a time, with a cache of keys and values: it is computed of the ids of several tokens}}
  %b = tensor.expand_shape %ids [[0, 1, 2], [3]] output_shape [1, 1, 1, 8] : tensor<1x8xi64> into tensor<1x1x1x8xi64>
  %bias = arith.sitofp %b : tensor<1x1x1x8xi64> to tensor<1x1x1x8xf32>
  %o, %lse = te.attention %q, %q, %q bias(%bias : tensor<1x1x1x8xf32>) {causal, scale = 0.5 : f32}
    : tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32>, tensor<1x8x2x8xf32> -> tensor<1x8x2x8xf32>, tensor<1x2x8xf32>
  return %o : tensor<1x8x2x8xf32>
}

// -----

// A table of positions for both sequences, in a form with no place for two positions:
func.func @decode(%ids: tensor<2x8xi64> {te.input = "ids"}, %wte: tensor<96x16xf32> {te.param = "wte"}, %p: tensor<8x16xf32> {te.param = "p"})
    -> (tensor<2x8x2x8xf32> {te.output = "o"}) attributes {te.entry = "decode"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x8xi64> into tensor<16xi64>
  %e = te.embedding %rows, %wte : tensor<16xi64>, tensor<96x16xf32> -> tensor<16x16xf32>
  %s = tensor.expand_shape %e [[0, 1], [2]] output_shape [2, 8, 16] : tensor<16x16xf32> into tensor<2x8x16xf32>
  %init = tensor.empty() : tensor<2x8x16xf32>
  // expected-error @+1 {{it reads 'tensor<8x16xf32>' by position, which is not that of one sequence alone; export the model for batches of one}}
  %x = linalg.generic {indexing_maps = [affine_map<(b, s, n) -> (b, s, n)>, affine_map<(b, s, n) -> (s, n)>, affine_map<(b, s, n) -> (b, s, n)>],
                       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%s, %p : tensor<2x8x16xf32>, tensor<8x16xf32>) outs(%init : tensor<2x8x16xf32>) {
  ^bb0(%a: f32, %b: f32, %out: f32):
    %0 = arith.addf %a, %b : f32
    linalg.yield %0 : f32
  } -> tensor<2x8x16xf32>
  %q = tensor.expand_shape %x [[0], [1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<2x8x16xf32> into tensor<2x8x2x8xf32>
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32> -> tensor<2x8x2x8xf32>, tensor<2x2x8xf32>
  return %o : tensor<2x8x2x8xf32>
}
