// RUN: te-opt %s --te-shard-sequences=mesh=cp=2 --split-input-file --verify-diagnostics

// expected-error @+1 {{the model has no attention, and so no sequences that 2 context parallel ranks could share; use ranks along dp}}
func.func @no_attention(%x: tensor<4x8xf32> {te.input = "x"}) -> (tensor<4x8xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %y = te.activation silu %x : tensor<4x8xf32> -> y tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @odd(%q: tensor<1x6x1x4xf32> {te.input = "q"}) -> (tensor<1x6x1x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  // expected-error @+1 {{has sequences of 6, which 2 context parallel ranks cannot share: each has two pieces, all of one size; export the model for sequences of a multiple of 4, or choose another number of ranks}}
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<1x6x1x4xf32>, tensor<1x6x1x4xf32>, tensor<1x6x1x4xf32> -> tensor<1x6x1x4xf32>, tensor<1x1x6xf32>
  return %o : tensor<1x6x1x4xf32>
}

// -----

func.func @odd_without_causal(%q: tensor<1x7x1x4xf32> {te.input = "q"}) -> (tensor<1x7x1x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  // expected-error @+1 {{has sequences of 7, which 2 context parallel ranks cannot share: each has one piece, all of one size; export the model for sequences of a multiple of 2, or choose another number of ranks}}
  %o, %lse = te.attention %q, %q, %q {scale = 0.5 : f32}
    : tensor<1x7x1x4xf32>, tensor<1x7x1x4xf32>, tensor<1x7x1x4xf32> -> tensor<1x7x1x4xf32>, tensor<1x1x7xf32>
  return %o : tensor<1x7x1x4xf32>
}

// -----

func.func @causal_of_more_keys(%q: tensor<1x4x1x4xf32> {te.input = "q"}, %k: tensor<1x8x1x4xf32> {te.input = "k"}) -> (tensor<1x4x1x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  // expected-error @+1 {{has 4 queries and 8 keys; context parallel ranks share causal attention, and that of a window, of as many}}
  %o, %lse = te.attention %q, %k, %k {causal, scale = 0.5 : f32}
    : tensor<1x4x1x4xf32>, tensor<1x8x1x4xf32>, tensor<1x8x1x4xf32> -> tensor<1x4x1x4xf32>, tensor<1x1x4xf32>
  return %o : tensor<1x4x1x4xf32>
}

// -----

// The last token of each sequence.

func.func @pools(%q: tensor<2x8x1x4xf32> {te.input = "q"}) -> (tensor<2x1x1x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32> -> tensor<2x8x1x4xf32>, tensor<2x1x8xf32>
  // expected-error @+1 {{mixes the tokens of sequences that 2 context parallel ranks share}}
  %y = tensor.extract_slice %o[0, 7, 0, 0] [2, 1, 1, 4] [1, 1, 1, 1] : tensor<2x8x1x4xf32> to tensor<2x1x1x4xf32>
  return %y : tensor<2x1x1x4xf32>
}

// -----

// A mean over the tokens.

#in = affine_map<(b, d, s) -> (b, s, 0, d)>
#out = affine_map<(b, d, s) -> (b, d)>
func.func @averages(%q: tensor<2x8x1x4xf32> {te.input = "q"}) -> (tensor<2x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32> -> tensor<2x8x1x4xf32>, tensor<2x1x8xf32>
  %zero = arith.constant dense<0.0> : tensor<2x4xf32>
  // expected-error @+1 {{mixes the tokens of sequences that 2 context parallel ranks share: 'linalg.generic' needs all of it for each element of its result}}
  %y = linalg.generic {indexing_maps = [#in, #out], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%o : tensor<2x8x1x4xf32>) outs(%zero : tensor<2x4xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %next = arith.addf %a, %sum : f32
    linalg.yield %next : f32
  } -> tensor<2x4xf32>
  return %y : tensor<2x4xf32>
}

// -----

// The gradient of what an input and a parameter make together would be a rank's term
// for the one, and whole for the other.

func.func @mixed(%x: tensor<8x4xf32> {te.input = "x"}, %halves: tensor<4x4xf32> {te.param = "halves"}) -> (tensor<1x8x1x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %a = te.add %x, %halves : tensor<8x4xf32>, tensor<4x4xf32> -> tensor<8x4xf32>
  // expected-error @+1 {{reads 'tensor<8x4xf32>', which each rank computes in full from a parameter and an input; context parallel ranks cannot do that}}
  %q = tensor.expand_shape %a [[0, 1], [2, 3]] output_shape [1, 8, 1, 4] : tensor<8x4xf32> into tensor<1x8x1x4xf32>
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<1x8x1x4xf32>, tensor<1x8x1x4xf32>, tensor<1x8x1x4xf32> -> tensor<1x8x1x4xf32>, tensor<1x1x8xf32>
  return %o : tensor<1x8x1x4xf32>
}

// -----

// Scores of tokens with each other that are no attention.

func.func @own_scores(%q: tensor<1x8x2x4xf32> {te.input = "q"}) -> (tensor<1x8x2x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {scale = 0.5 : f32}
    : tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32>, tensor<1x8x2x4xf32> -> tensor<1x8x2x4xf32>, tensor<1x2x8xf32>
  %rows = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<1x8x2x4xf32> into tensor<8x8xf32>
  // expected-error @+1 {{mixes the tokens of sequences that 2 context parallel ranks share: 'te.matmul' runs along another dimension of other values}}
  %y = te.matmul %rows, %rows {transpose_b} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
  %z = tensor.expand_shape %y [[0, 1], [2, 3]] output_shape [1, 8, 2, 4] : tensor<8x8xf32> into tensor<1x8x2x4xf32>
  return %z : tensor<1x8x2x4xf32>
}

// -----

// Where a token lies in its sequence, which a rank with a part of it does not see.

func.func @positions(%q: tensor<2x8x1x4xf32> {te.input = "q"}) -> (tensor<2x8x1x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32> -> tensor<2x8x1x4xf32>, tensor<2x1x8xf32>
  %e = tensor.empty() : tensor<2x8x1x4xf32>
  // expected-error @+1 {{mixes the tokens of sequences that 2 context parallel ranks share: 'linalg.generic' computes with the positions of elements}}
  %y = linalg.generic {indexing_maps = [affine_map<(b, s, h, d) -> (b, s, h, d)>, affine_map<(b, s, h, d) -> (b, s, h, d)>], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%o : tensor<2x8x1x4xf32>) outs(%e : tensor<2x8x1x4xf32>) {
  ^bb0(%a: f32, %none: f32):
    %token = linalg.index 1 : index
    %int = arith.index_cast %token : index to i64
    %float = arith.sitofp %int : i64 to f32
    %product = arith.mulf %a, %float : f32
    linalg.yield %product : f32
  } -> tensor<2x8x1x4xf32>
  return %y : tensor<2x8x1x4xf32>
}

// -----

// Tokens that are looked up: a rank has the first and the last of four pieces.

func.func @chosen(%q: tensor<1x8x1x4xf32> {te.input = "q"}, %ids: tensor<3xi64> {te.input = "ids"}) -> (tensor<3x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<1x8x1x4xf32>, tensor<1x8x1x4xf32>, tensor<1x8x1x4xf32> -> tensor<1x8x1x4xf32>, tensor<1x1x8xf32>
  %t = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<1x8x1x4xf32> into tensor<8x4xf32>
  // expected-error @+1 {{mixes the tokens of sequences that 2 context parallel ranks share: 'te.embedding' knows them by number, and each rank has two pieces of a sequence}}
  %y = te.embedding %ids, %t : tensor<3xi64>, tensor<8x4xf32> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// Those of several sequences.

func.func @several(%q: tensor<2x8x1x4xf32> {te.input = "q"}, %ids: tensor<3xi64> {te.input = "ids"}) -> (tensor<3x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {scale = 0.5 : f32}
    : tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32> -> tensor<2x8x1x4xf32>, tensor<2x1x8xf32>
  %t = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<16x4xf32>
  // expected-error @+1 {{mixes the tokens of sequences that 2 context parallel ranks share: ranks have several pieces of what 'te.embedding' numbers}}
  %y = te.embedding %ids, %t : tensor<3xi64>, tensor<16x4xf32> -> tensor<3x4xf32>
  return %y : tensor<3x4xf32>
}

// -----

// Every rank would compute the full gradient of the parameter, and all of them would be
// added.

func.func @sum_and_parameter(%q: tensor<2x8x1x4xf32> {te.input = "q"}, %w: tensor<4x4xf32> {te.param = "w"}) -> (tensor<4x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %o, %lse = te.attention %q, %q, %q {causal, scale = 0.5 : f32}
    : tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32>, tensor<2x8x1x4xf32> -> tensor<2x8x1x4xf32>, tensor<2x1x8xf32>
  %t = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x8x1x4xf32> into tensor<16x4xf32>
  %s = te.matmul %t, %t {transpose_a} : tensor<16x4xf32>, tensor<16x4xf32> -> tensor<4x4xf32>
  // expected-error @+1 {{combines a sum over tokens with what is computed of parameters, which context parallel ranks do for each token alone}}
  %y = te.matmul %s, %w : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
