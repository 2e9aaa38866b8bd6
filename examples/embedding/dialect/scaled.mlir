func.func @forward(%x: tensor<64x128xf32> {te.input = "x"},
    %w: tensor<32x128xf32> {te.param = "w", te.init = 0.01 : f32})
    -> (tensor<64x32xf32> {te.output = "y"}) {
  %product = te.matmul %x, %w {transpose_b}
    : tensor<64x128xf32>, tensor<32x128xf32> -> tensor<64x32xf32> loc("layer")
  %y = own.scale %product {factor = 3.0 : f32}
    : tensor<64x32xf32> -> tensor<64x32xf32>
  return %y : tensor<64x32xf32>
}
