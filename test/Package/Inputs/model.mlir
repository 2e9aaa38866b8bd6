func.func @forward(%x: tensor<32x64xf32> {te.input = "x"}, %w: tensor<64x64xf32> {te.param = "fc1.weight"}, %g: tensor<64xf32> {te.param="ln.weight"}, %w2: tensor<64x64xf32> {te.param = "fc2.weight"})
    -> (tensor<32x64xf32> {te.output = "y"}) {
  %n, %r = te.rms_norm %x, %g {eps = 1.0e-5 : f32} : tensor<32x64xf32>, tensor<64xf32> -> y tensor<32x64xf32> stats tensor<32xf32>
  %y = te.matmul %n, %w {transpose_b} : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  %a = te.activation gelu_tanh %y : tensor<32x64xf32> -> y tensor<32x64xf32>
  %z = te.matmul %a, %w2 {transpose_b} : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  return %z : tensor<32x64xf32>
}
