// A language model whose tokens meet parameters in many ways: positions that
// repeat within a sequence, one type for all of them, a bias of the heads, and
// learned scores of each pair of positions. Ids are [2, 16].
func.func @forward(%ids: tensor<2x16xi64> {te.input = "ids"}, %tokens: tensor<96x32xf32> {te.param = "tokens"},
    %halves: tensor<8x32xf32> {te.param = "halves"}, %types: tensor<2x32xf32> {te.param = "types"},
    %q: tensor<32x32xf32> {te.param = "q"}, %k: tensor<32x32xf32> {te.param = "k"}, %v: tensor<32x32xf32> {te.param = "v"},
    %heads: tensor<4x8xf32> {te.param = "heads"}, %scores: tensor<1x4x16x16xf32> {te.param = "scores"},
    %out: tensor<32x32xf32> {te.param = "out"}, %gain: tensor<32xf32> {te.param = "gain"})
    -> (tensor<2x16x96xf32> {te.output = "logits"}) {
  %flat = tensor.collapse_shape %ids [[0, 1]] : tensor<2x16xi64> into tensor<32xi64>
  %t = te.embedding %flat, %tokens : tensor<32xi64>, tensor<96x32xf32> -> tensor<32x32xf32>
  %ones = arith.constant dense<1> : tensor<32xi64>
  %type = te.embedding %ones, %types : tensor<32xi64>, tensor<2x32xf32> -> tensor<32x32xf32>
  %x0 = te.add %t, %type : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %x = te.add %x0, %halves : tensor<32x32xf32>, tensor<8x32xf32> -> tensor<32x32xf32>
  %q0 = te.matmul %x, %q {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %q1 = tensor.expand_shape %q0 [[0], [1, 2]] output_shape [32, 4, 8] : tensor<32x32xf32> into tensor<32x4x8xf32>
  %q2 = tensor.collapse_shape %q1 [[0, 1], [2]] : tensor<32x4x8xf32> into tensor<128x8xf32>
  %q3 = te.add %q2, %heads : tensor<128x8xf32>, tensor<4x8xf32> -> tensor<128x8xf32>
  %q4 = tensor.expand_shape %q3 [[0, 1, 2], [3]] output_shape [2, 16, 4, 8] : tensor<128x8xf32> into tensor<2x16x4x8xf32>
  %k0 = te.matmul %x, %k {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %k4 = tensor.expand_shape %k0 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
  %v0 = te.matmul %x, %v {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %v4 = tensor.expand_shape %v0 [[0, 1], [2, 3]] output_shape [2, 16, 4, 8] : tensor<32x32xf32> into tensor<2x16x4x8xf32>
  %o, %lse = te.attention %q4, %k4, %v4 bias(%scores : tensor<1x4x16x16xf32>) {causal, scale = 0.35 : f32}
    : tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32>, tensor<2x16x4x8xf32> -> tensor<2x16x4x8xf32>, tensor<2x4x16xf32>
  %o2 = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x16x4x8xf32> into tensor<32x32xf32>
  %p = te.matmul %o2, %out {transpose_b} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %z = te.add %x, %p : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  %n, %r = te.rms_norm %z, %gain {eps = 1.0e-5 : f32} : tensor<32x32xf32>, tensor<32xf32> -> y tensor<32x32xf32> stats tensor<32xf32>
  %l = te.matmul %n, %tokens {transpose_b} : tensor<32x32xf32>, tensor<96x32xf32> -> tensor<32x96xf32>
  %logits = tensor.expand_shape %l [[0, 1], [2]] output_shape [2, 16, 96] : tensor<32x96xf32> into tensor<2x16x96xf32>
  return %logits : tensor<2x16x96xf32>
}
