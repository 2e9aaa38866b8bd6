// A model in two functions.
func.func private @block(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %s = te.matmul %x, %w {transpose_b} : tensor<64x64xf32>, tensor<64x64xf32> -> tensor<64x64xf32> loc("block")
  %y = te.activation tanh %s : tensor<64x64xf32> -> y tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
func.func @forward(%x: tensor<64x64xf32> {te.input = "x"},
                   %v: tensor<64x64xf32> {te.param = "v", te.init = "normal:0,0.2"},
                   %w: tensor<64x64xf32> {te.param = "w", te.init = "normal:0,0.2"})
    -> (tensor<64x64xf32> {te.output = "y"}) {
  %h = call @block(%x, %v) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %y = call @block(%h, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %y : tensor<64x64xf32>
}
