// te-differentiate: 'grad.w0' gives a slope of 0.00000000E+00 in a random direction, but differences give 2.41481545E+38
// Case 252 of seed 7, reduced; seen 1 times. To see it again:
//   te-fuzz 7-252.mlir
#loc = loc(unknown)
module {
  func.func @forward(%arg0: tensor<2x2x6xf32> {fuzz.values = "extreme 0", te.param = "w0"} loc(unknown)) -> (tensor<2x2x6xf32> {te.output = "y0"}) {
    %0 = math.floor %arg0 : tensor<2x2x6xf32> loc(#loc)
    return %0 : tensor<2x2x6xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)

