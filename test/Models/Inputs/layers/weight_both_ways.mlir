// A language model whose one matrix is read as Wᵀ and as W, with sizes that are
// padded for FP8, and whose head shares the token table.
func.func @forward(%ids: tensor<2x16xi64> {te.input = "input_ids", te.range = array<i64: 0, 61>},
                   %t: tensor<61x24xf32> {te.param = "t", te.init = "normal:0,0.5"},
                   %w: tensor<24x24xf32> {te.param = "w", te.init = "normal:0,0.3"})
    -> (tensor<32x61xf32> {te.output = "logits"}) {
  %i = tensor.collapse_shape %ids [[0, 1]] : tensor<2x16xi64> into tensor<32xi64>
  %x = te.embedding %i, %t : tensor<32xi64>, tensor<61x24xf32> -> tensor<32x24xf32>
  %m = te.matmul %x, %w {transpose_b} : tensor<32x24xf32>, tensor<24x24xf32> -> tensor<32x24xf32>
  %m2 = te.matmul %m, %w : tensor<32x24xf32>, tensor<24x24xf32> -> tensor<32x24xf32>
  %s = te.add %m2, %m2 : tensor<32x24xf32>, tensor<32x24xf32> -> tensor<32x24xf32>
  %a = te.activation tanh %s : tensor<32x24xf32> -> y tensor<32x24xf32>
  %n = te.matmul %a, %t {transpose_b} : tensor<32x24xf32>, tensor<61x24xf32> -> tensor<32x61xf32>
  return %n : tensor<32x61xf32>
}
