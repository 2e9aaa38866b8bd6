// A decoder layer of Llama's kind, whose norm weights are at most 2 and whose
// other weights are at most 1. docs/precision.md quotes what is proved about it.
func.func @layer(%x: tensor<32x64xf32> {te.input = "x"},
                 %g: tensor<64xf32> {te.param = "norm.weight", te.max_abs = 2.0 : f32},
                 %wv: tensor<64x64xf32> {te.param = "v.weight", te.max_abs = 1.0 : f32},
                 %wo: tensor<64x64xf32> {te.param = "o.weight", te.max_abs = 1.0 : f32},
                 %wu: tensor<256x64xf32> {te.param = "up.weight", te.max_abs = 1.0 : f32},
                 %wd: tensor<64x128xf32> {te.param = "down.weight", te.max_abs = 1.0 : f32})
    -> (tensor<32x64xf32> {te.output = "y"}) {
  %n, %r = te.rms_norm %x, %g {eps = 1.0e-5 : f32}
    : tensor<32x64xf32>, tensor<64xf32> -> y tensor<32x64xf32> stats tensor<32xf32>
  %v = te.matmul %n, %wv {transpose_b} : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  %h = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [2, 16, 4, 16]
    : tensor<32x64xf32> into tensor<2x16x4x16xf32>
  %o, %lse = te.attention %h, %h, %h {causal, scale = 0.25 : f32}
    : tensor<2x16x4x16xf32>, tensor<2x16x4x16xf32>, tensor<2x16x4x16xf32>
    -> tensor<2x16x4x16xf32>, tensor<2x4x16xf32>
  %c = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x16x4x16xf32> into tensor<32x64xf32>
  %p = te.matmul %c, %wo {transpose_b} : tensor<32x64xf32>, tensor<64x64xf32> -> tensor<32x64xf32>
  %s = te.add %x, %p : tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
  %m, %q = te.rms_norm %s, %g {eps = 1.0e-5 : f32}
    : tensor<32x64xf32>, tensor<64xf32> -> y tensor<32x64xf32> stats tensor<32xf32>
  %u = te.matmul %m, %wu {transpose_b} : tensor<32x64xf32>, tensor<256x64xf32> -> tensor<32x256xf32>
  %a = te.gated_activation silu %u : tensor<32x256xf32> -> y tensor<32x128xf32>
  %d = te.matmul %a, %wd {transpose_b} : tensor<32x128xf32>, tensor<64x128xf32> -> tensor<32x64xf32>
  %y = te.add %s, %d : tensor<32x64xf32>, tensor<32x64xf32> -> tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
