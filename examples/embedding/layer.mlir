func.func @forward(%x: tensor<64x128xf32> {te.input = "x"},
    %w: tensor<32x128xf32> {te.param = "w", te.init = 0.01 : f32})
    -> (tensor<64x32xf32> {te.output = "y"}) {
  %empty = tensor.empty() : tensor<128x32xf32>
  %wt = linalg.transpose ins(%w : tensor<32x128xf32>)
      outs(%empty : tensor<128x32xf32>) permutation = [1, 0]
  %y = te.matmul %x, %wt
    : tensor<64x128xf32>, tensor<128x32xf32> -> tensor<64x32xf32> loc("layer")
  return %y : tensor<64x32xf32>
}
