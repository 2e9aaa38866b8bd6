func.func @forward(%x: tensor<8x16xf32> {te.input = "x"}, %w: tensor<32x16xf32> {te.param = "w", te.init = "normal:0,1"}) -> (tensor<8x32xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %h = te.matmul %x, %w {transpose_b} : tensor<8x16xf32>, tensor<32x16xf32> -> tensor<8x32xf32>
  %y = te.activation gelu_tanh %h : tensor<8x32xf32> -> y tensor<8x32xf32>
  return %y : tensor<8x32xf32>
}
