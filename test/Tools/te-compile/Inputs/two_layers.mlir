func.func @forward(%x: tensor<512x256xf32> {te.input = "x"},
    %wq: tensor<256x256xf32> {te.param = "q.weight"}, %bq: tensor<256xf32> {te.param = "q.bias"},
    %wk: tensor<128x256xf32> {te.param = "k.weight"}, %bk: tensor<128xf32> {te.param = "k.bias"})
    -> (tensor<512x256xf32> {te.output = "q"}, tensor<512x128xf32> {te.output = "k"}) {
  %q = te.matmul %x, %wq bias(%bq : tensor<256xf32>) {transpose_b}
     : tensor<512x256xf32>, tensor<256x256xf32> -> tensor<512x256xf32> loc("h.0.attn.q")
  %k = te.matmul %x, %wk bias(%bk : tensor<128xf32>) {transpose_b}
     : tensor<512x256xf32>, tensor<128x256xf32> -> tensor<512x128xf32> loc("h.0.attn.k")
  return %q, %k : tensor<512x256xf32>, tensor<512x128xf32>
}
