// A linear layer, for docs/precision.md.
func.func @forward(%x: tensor<64x256xbf16> {te.input = "x"}, %w: tensor<384x256xf32> {te.param = "fc.weight"})
    -> (tensor<64x384xbf16> {te.output = "y"}) attributes {te.entry = "forward"} {
  %y = te.region fp8 -> (tensor<64x384xbf16>) {
    %0 = te.matmul %x, %w {transpose_b} : tensor<64x256xbf16>, tensor<384x256xf32> -> tensor<64x384xbf16> loc("fc")
    te.yield %0 : tensor<64x384xbf16>
  }
  return %y : tensor<64x384xbf16>
}
