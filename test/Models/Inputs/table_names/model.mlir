// A table "t", and a head that has the name of the table's copy.
func.func @forward(%ids: tensor<8x32xi64> {te.input = "input_ids"},
                   %t: tensor<256x64xf32> {te.param = "t", te.init = "normal:0,0.02"},
                   %head: tensor<256x64xf32> {te.param = "copy.t", te.init = "normal:0,0.02"})
    -> (tensor<8x32x256xf32> {te.output = "logits"}) {
  %flat = tensor.collapse_shape %ids [[0, 1]] : tensor<8x32xi64> into tensor<256xi64>
  %x = te.embedding %flat, %t : tensor<256xi64>, tensor<256x64xf32> -> tensor<256x64xf32>
  %y = te.matmul %x, %head {transpose_b} : tensor<256x64xf32>, tensor<256x64xf32> -> tensor<256x256xf32>
  %z = tensor.expand_shape %y [[0, 1], [2]] output_shape [8, 32, 256] : tensor<256x256xf32> into tensor<8x32x256xf32>
  return %z : tensor<8x32x256xf32>
}
