// A language model in which every token meets a sum over all tokens: a product of
// two layers along them, as in linear attention. Ids are [2, 8].
func.func @forward(%ids: tensor<2x8xi64> {te.input = "ids"}, %tok: tensor<96x16xf32> {te.param = "tok"}, %w1: tensor<16x16xf32> {te.param = "w1"}, %w2: tensor<16x16xf32> {te.param = "w2"}, %qkv: tensor<48x16xf32> {te.param = "qkv"})
    -> (tensor<2x8x96xf32> {te.output = "logits"}) {
  %i = tensor.collapse_shape %ids [[0, 1]] : tensor<2x8xi64> into tensor<16xi64>
  %x = te.embedding %i, %tok : tensor<16xi64>, tensor<96x16xf32> -> tensor<16x16xf32>
  %j = te.matmul %x, %qkv {transpose_b} : tensor<16x16xf32>, tensor<48x16xf32> -> tensor<16x48xf32>
  %q0, %k0, %v0 = te.split %j axis 1 : tensor<16x48xf32> -> tensor<16x16xf32>, tensor<16x16xf32>, tensor<16x16xf32>
  %q = tensor.expand_shape %q0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
  %k = tensor.expand_shape %k0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
  %v = tensor.expand_shape %v0 [[0, 1], [2, 3]] output_shape [2, 8, 2, 8] : tensor<16x16xf32> into tensor<2x8x2x8xf32>
  %o, %lse = te.attention %q, %k, %v {scale = 0.35 : f32, causal} : tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32>, tensor<2x8x2x8xf32> -> tensor<2x8x2x8xf32>, tensor<2x2x8xf32>
  %of = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x8x2x8xf32> into tensor<16x16xf32>
  %y = te.add %x, %of : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %a = te.matmul %y, %w1 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %b = te.matmul %y, %w2 : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %s = te.matmul %a, %b {transpose_a} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %z = te.matmul %y, %s : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  %l = te.matmul %z, %tok {transpose_b} : tensor<16x16xf32>, tensor<96x16xf32> -> tensor<16x96xf32>
  %r = tensor.expand_shape %l [[0, 1], [2]] output_shape [2, 8, 96] : tensor<16x96xf32> into tensor<2x8x96xf32>
  return %r : tensor<2x8x96xf32>
}
