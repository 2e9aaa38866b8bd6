// Two layers, the first of which is not trained.
func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %w1: tensor<16x16xf32> {te.param = "first", te.frozen},
    %w2: tensor<16x16xf32> {te.param = "second"}) -> (tensor<8x16xf32> {te.output = "y"}) {
  %h = te.matmul %x, %w1 {transpose_b} : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
  %y = te.matmul %h, %w2 {transpose_b} : tensor<8x16xf32>, tensor<16x16xf32> -> tensor<8x16xf32>
  return %y : tensor<8x16xf32>
}
