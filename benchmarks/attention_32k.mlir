// One causal attention layer over 32768 tokens: 16 heads of 128, its projections,
// nothing else. docs/benchmarks.md shares it among context parallel ranks.
func.func @forward(%x: tensor<1x32768x2048xf32> {te.input = "x"},
                   %w_qkv: tensor<6144x2048xf32> {te.param = "qkv.weight", te.init = "normal:0,0.02"},
                   %w_out: tensor<2048x2048xf32> {te.param = "out.weight", te.init = "normal:0,0.02"})
    -> (tensor<1x32768x2048xf32> {te.output = "y"}) {
  %rows = tensor.collapse_shape %x [[0, 1], [2]] : tensor<1x32768x2048xf32> into tensor<32768x2048xf32>
  %qkv = te.matmul %rows, %w_qkv {transpose_b} : tensor<32768x2048xf32>, tensor<6144x2048xf32> -> tensor<32768x6144xf32> loc("qkv")
  %q, %k, %v = te.split %qkv axis 1 : tensor<32768x6144xf32> -> tensor<32768x2048xf32>, tensor<32768x2048xf32>, tensor<32768x2048xf32> loc("attention")
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [1, 32768, 16, 128] : tensor<32768x2048xf32> into tensor<1x32768x16x128xf32> loc("attention")
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [1, 32768, 16, 128] : tensor<32768x2048xf32> into tensor<1x32768x16x128xf32> loc("attention")
  %v4 = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [1, 32768, 16, 128] : tensor<32768x2048xf32> into tensor<1x32768x16x128xf32> loc("attention")
  %o, %lse = te.attention %q4, %k4, %v4 {causal, scale = 0.0883883461 : f32}
    : tensor<1x32768x16x128xf32>, tensor<1x32768x16x128xf32>, tensor<1x32768x16x128xf32>
    -> tensor<1x32768x16x128xf32>, tensor<1x16x32768xf32> loc("attention")
  %heads = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<1x32768x16x128xf32> into tensor<32768x2048xf32> loc("attention")
  %d = te.matmul %heads, %w_out {transpose_b} : tensor<32768x2048xf32>, tensor<2048x2048xf32> -> tensor<32768x2048xf32> loc("out")
  %y = tensor.expand_shape %d [[0, 1], [2]] output_shape [1, 32768, 2048] : tensor<32768x2048xf32> into tensor<1x32768x2048xf32>
  return %y : tensor<1x32768x2048xf32>
}
