// Two slices of one parameter, one of them read both ways, and no locations.
func.func @forward(%x: tensor<32x32xf32> {te.input = "x"},
                   %w: tensor<96x32xf32> {te.param = "w", te.init = "normal:0,0.2"})
    -> (tensor<32x32xf32> {te.output = "y"}) {
  %a = tensor.extract_slice %w[0, 0] [32, 32] [1, 1] : tensor<96x32xf32> to tensor<32x32xf32>
  %b = tensor.extract_slice %w[32, 0] [64, 32] [1, 1] : tensor<96x32xf32> to tensor<64x32xf32>
  %m = te.matmul %x, %a {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %n = te.matmul %x, %b {transpose_b} : tensor<32x32xf32>, tensor<64x32xf32> -> tensor<32x64xf32>
  %h = te.matmul %n, %b : tensor<32x64xf32>, tensor<64x32xf32> -> tensor<32x32xf32>
  %s = te.add %m, %h : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %y = te.activation tanh %s : tensor<32x32xf32> -> y tensor<32x32xf32>
  return %y : tensor<32x32xf32>
}
