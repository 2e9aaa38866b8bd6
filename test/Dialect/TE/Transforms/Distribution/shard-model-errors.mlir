// RUN: te-opt %s --te-shard-model=mesh=tp=2 -split-input-file -verify-diagnostics

// Heads that ranks do not divide.
func.func @heads(%x: tensor<8x12xf32> {te.input = "x"}, %wq: tensor<12x12xf32> {te.param = "wq"},
    %wk: tensor<12x12xf32> {te.param = "wk"}, %wv: tensor<12x12xf32> {te.param = "wv"}, %wo: tensor<12x12xf32> {te.param = "wo"})
    -> (tensor<8x12xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %q = te.matmul %x, %wq : tensor<8x12xf32>, tensor<12x12xf32> -> tensor<8x12xf32>
  %k = te.matmul %x, %wk : tensor<8x12xf32>, tensor<12x12xf32> -> tensor<8x12xf32>
  %v = te.matmul %x, %wv : tensor<8x12xf32>, tensor<12x12xf32> -> tensor<8x12xf32>
  %qh = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 4, 3, 4] : tensor<8x12xf32> into tensor<2x4x3x4xf32>
  %kh = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 4, 3, 4] : tensor<8x12xf32> into tensor<2x4x3x4xf32>
  %vh = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 4, 3, 4] : tensor<8x12xf32> into tensor<2x4x3x4xf32>
  // expected-error @+1 {{has 3 query heads and 3 key heads, which 2 tensor parallel ranks cannot divide: each needs complete ones, as many as the others; choose a number of ranks that divides 3, and more ranks along dp instead}}
  %o, %lse = te.attention %qh, %kh, %vh {causal, scale = 0.5 : f32}
    : tensor<2x4x3x4xf32>, tensor<2x4x3x4xf32>, tensor<2x4x3x4xf32> -> tensor<2x4x3x4xf32>, tensor<2x3x4xf32>
  %om = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x3x4xf32> into tensor<8x12xf32>
  %y = te.matmul %om, %wo : tensor<8x12xf32>, tensor<12x12xf32> -> tensor<8x12xf32>
  return %y : tensor<8x12xf32>
}

// -----

// One layer alone.
// expected-error @+1 {{no column-/row-parallel layer pair found for 2 tensor parallel ranks}}
func.func @alone(%x: tensor<8x12xf32> {te.input = "x"}, %w: tensor<12x12xf32> {te.param = "w"}, %g: tensor<12xf32> {te.param = "g"})
    -> (tensor<8x12xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %d = te.matmul %x, %w : tensor<8x12xf32>, tensor<12x12xf32> -> tensor<8x12xf32>
  %y, %r = te.rms_norm %d, %g {eps = 1.0e-5 : f32} : tensor<8x12xf32>, tensor<12xf32> -> y tensor<8x12xf32> stats tensor<8xf32>
  return %y : tensor<8x12xf32>
}

// -----

// expected-error @+1 {{the module is for a mesh already}}
module {
  shard.grid @mesh(shape = 4) {te.axes = ["tp"]}
}
