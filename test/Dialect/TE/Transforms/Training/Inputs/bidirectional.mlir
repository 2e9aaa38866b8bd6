// A language model whose positions see all tokens.
func.func @forward(%ids: tensor<2x16xi64> {te.input = "input_ids"}, %table: tensor<32x16xf32> {te.param = "table"})
    -> (tensor<32x32xf32> {te.output = "logits"}) {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x16xi64> into tensor<32xi64>
  %x = te.embedding %rows, %table : tensor<32xi64>, tensor<32x16xf32> -> tensor<32x16xf32>
  %h = tensor.expand_shape %x [[0, 1], [2, 3]] output_shape [2, 16, 1, 16] : tensor<32x16xf32> into tensor<2x16x1x16xf32>
  %o, %lse = te.attention %h, %h, %h {scale = 1.0 : f32} : tensor<2x16x1x16xf32>, tensor<2x16x1x16xf32>, tensor<2x16x1x16xf32> -> tensor<2x16x1x16xf32>, tensor<2x1x16xf32>
  %y = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x16x1x16xf32> into tensor<32x16xf32>
  %logits = te.matmul %y, %table {transpose_b} : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<32x32xf32>
  return %logits : tensor<32x32xf32>
}
