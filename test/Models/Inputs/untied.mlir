// A language model of 301 tokens whose head has a weight and a bias of its own:
// positions, an MLP, a norm. Ids are [2, 8].
func.func @forward(%ids: tensor<2x8xi64> {te.input = "ids"}, %tokens: tensor<301x32xf32> {te.param = "tokens"},
    %positions: tensor<8x32xf32> {te.param = "positions"}, %up: tensor<64x32xf32> {te.param = "up"},
    %down: tensor<32x64xf32> {te.param = "down"}, %gain: tensor<32xf32> {te.param = "gain"},
    %head: tensor<301x32xf32> {te.param = "head.weight"}, %bias: tensor<301xf32> {te.param = "head.bias"})
    -> (tensor<2x8x301xf32> {te.output = "logits"}) {
  %flat = tensor.collapse_shape %ids [[0, 1]] : tensor<2x8xi64> into tensor<16xi64>
  %t = te.embedding %flat, %tokens : tensor<16xi64>, tensor<301x32xf32> -> tensor<16x32xf32>
  %x = te.add %t, %positions : tensor<16x32xf32>, tensor<8x32xf32> -> tensor<16x32xf32>
  %u = te.matmul %x, %up {transpose_b} : tensor<16x32xf32>, tensor<64x32xf32> -> tensor<16x64xf32>
  %a = te.activation gelu_tanh %u : tensor<16x64xf32> -> y tensor<16x64xf32>
  %d = te.matmul %a, %down {transpose_b} : tensor<16x64xf32>, tensor<32x64xf32> -> tensor<16x32xf32>
  %z = te.add %x, %d : tensor<16x32xf32>, tensor<16x32xf32> -> tensor<16x32xf32>
  %n, %r = te.rms_norm %z, %gain {eps = 1.0e-5 : f32} : tensor<16x32xf32>, tensor<32xf32> -> y tensor<16x32xf32> stats tensor<16xf32>
  %l = te.matmul %n, %head bias(%bias : tensor<301xf32>) {transpose_b} : tensor<16x32xf32>, tensor<301x32xf32> -> tensor<16x301xf32>
  %logits = tensor.expand_shape %l [[0, 1], [2]] output_shape [2, 8, 301] : tensor<16x301xf32> into tensor<2x8x301xf32>
  return %logits : tensor<2x8x301xf32>
}
