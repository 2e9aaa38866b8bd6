// run, f32 grad: 'te.output y0' is INF instead of 8.586414602928E+37 at element 13, whose bound is 3.64E+32
// Case 5850 of seed 11, reduced; seen 1 times. To see it again:
//   te-fuzz 11-5850.mlir
#loc = loc(unknown)
module {
  func.func @forward(%arg0: tensor<8x48xf32> {fuzz.values = "extreme 0", te.param = "w0"} loc(unknown)) -> (tensor<8x8xf32> {te.output = "y0"}) {
    %0 = te.matmul %arg0, %arg0 {transpose_b} : tensor<8x48xf32>, tensor<8x48xf32> -> tensor<8x8xf32> loc(#loc)
    return %0 : tensor<8x8xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)

