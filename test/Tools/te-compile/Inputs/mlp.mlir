func.func @forward(%x: tensor<64x32xf32> {te.input = "x"},
    %w1: tensor<128x32xf32> {te.param = "up.weight"}, %b1: tensor<128xf32> {te.param = "up.bias"},
    %w2: tensor<32x128xf32> {te.param = "down.weight"}, %b2: tensor<32xf32> {te.param = "down.bias"})
    -> (tensor<64x32xf32> {te.output = "y"}) {
  %h = te.matmul %x, %w1 bias(%b1 : tensor<128xf32>) {transpose_b}
     : tensor<64x32xf32>, tensor<128x32xf32> -> tensor<64x128xf32> loc("mlp.up")
  %a = te.activation gelu_tanh %h : tensor<64x128xf32> -> y tensor<64x128xf32>
  %y = te.matmul %a, %w2 bias(%b2 : tensor<32xf32>) {transpose_b}
     : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32> loc("mlp.down")
  return %y : tensor<64x32xf32>
}
