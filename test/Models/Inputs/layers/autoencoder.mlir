// One weight encodes as Wᵀ and decodes as W.
func.func @forward(%x: tensor<32x64xf32> {te.input = "x"},
                   %w: tensor<48x64xf32> {te.param = "enc", te.init = "normal:0,0.2"})
    -> (tensor<32x64xf32> {te.output = "y"}) {
  %h = te.matmul %x, %w {transpose_b} : tensor<32x64xf32>, tensor<48x64xf32> -> tensor<32x48xf32> loc("enc")
  %a = te.activation relu %h : tensor<32x48xf32> -> y tensor<32x48xf32>
  %d = te.matmul %a, %w : tensor<32x48xf32>, tensor<48x64xf32> -> tensor<32x64xf32> loc("dec")
  %y = te.activation sigmoid %d : tensor<32x64xf32> -> y tensor<32x64xf32>
  return %y : tensor<32x64xf32>
}
