// RUN: te-opt %s --te-shard-model=mesh=tp=4 -split-input-file -verify-diagnostics

// Three heads of keys, of which four ranks cannot have equally many.
func.func @three(%x: tensor<8x16xf32> {te.input = "x"}, %wq: tensor<96x16xf32> {te.param = "q"}, %wk: tensor<24x16xf32> {te.param = "k"},
                 %wo: tensor<16x96xf32> {te.param = "o"}) -> (tensor<8x16xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %q = te.matmul %x, %wq {transpose_b} : tensor<8x16xf32>, tensor<96x16xf32> -> tensor<8x96xf32>
  %k = te.matmul %x, %wk {transpose_b} : tensor<8x16xf32>, tensor<24x16xf32> -> tensor<8x24xf32>
  %qh = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [2, 4, 12, 8] : tensor<8x96xf32> into tensor<2x4x12x8xf32>
  %kh = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [2, 4, 3, 8] : tensor<8x24xf32> into tensor<2x4x3x8xf32>
  // expected-error @+1 {{has 12 query heads and 3 key heads, which 4 tensor parallel ranks cannot divide: each needs complete ones, as many as the others; choose a number of ranks that divides 3, and more ranks along dp instead}}
  %o, %lse = te.attention %qh, %kh, %kh {causal, scale = 0.5 : f32}
    : tensor<2x4x12x8xf32>, tensor<2x4x3x8xf32>, tensor<2x4x3x8xf32> -> tensor<2x4x12x8xf32>, tensor<2x12x4xf32>
  %rows = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x4x12x8xf32> into tensor<8x96xf32>
  %y = te.matmul %rows, %wo {transpose_b} : tensor<8x96xf32>, tensor<16x96xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
