// The oracle: differences of floor where float64 has integers alone.
module {
  func.func @forward(%arg0: tensor<2x2x6xf32> {fuzz.values = "extreme 0", te.param = "w0"}) -> (tensor<2x2x6xf32> {te.output = "y0"}) {
    %0 = math.floor %arg0 : tensor<2x2x6xf32>
    return %0 : tensor<2x2x6xf32>
  }
}
