// Logits that depend on the token and on its position in the document.
func.func @forward(%ids: tensor<2x8xi64> {te.input = "input_ids"},
                   %positions: tensor<2x8xi64> {te.input = "position_ids"},
                   %table: tensor<40x40xf32> {te.param = "table"},
                   %places: tensor<8x40xf32> {te.param = "places"})
    -> (tensor<2x8x40xf32> {te.output = "logits"}) {
  %i = tensor.collapse_shape %ids [[0, 1]] : tensor<2x8xi64> into tensor<16xi64>
  %p = tensor.collapse_shape %positions [[0, 1]] : tensor<2x8xi64> into tensor<16xi64>
  %a = te.embedding %i, %table : tensor<16xi64>, tensor<40x40xf32> -> tensor<16x40xf32>
  %b = te.embedding %p, %places : tensor<16xi64>, tensor<8x40xf32> -> tensor<16x40xf32>
  %c = te.add %a, %b : tensor<16x40xf32>, tensor<16x40xf32> -> tensor<16x40xf32>
  %logits = tensor.expand_shape %c [[0, 1], [2]] output_shape [2, 8, 40]
      : tensor<16x40xf32> into tensor<2x8x40xf32>
  return %logits : tensor<2x8x40xf32>
}
