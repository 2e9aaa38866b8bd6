// exp of less than -87 was zero, and the derivative of its root 0/0, where exp is
// subnormal.
module {
  func.func @forward(%arg0: tensor<2x2xf32> {fuzz.values = "uniform 1 0", te.param = "w0"}, %arg1: tensor<2x17xf32> {fuzz.values = "extreme 1", te.param = "w1"}, %arg2: tensor<2xi64> {fuzz.values = "ids 0 2 2", te.input = "ids2", te.range = array<i64: 0, 2>}) -> (tensor<2x17xf32> {te.output = "y0"}) {
    %0 = te.matmul %arg0, %arg0 {transpose_b} : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32>
    %1 = te.embedding %arg2, %arg1 : tensor<2xi64>, tensor<2x17xf32> -> tensor<2x17xf32>
    %2 = math.exp %1 : tensor<2x17xf32>
    %3 = math.sqrt %2 : tensor<2x17xf32>
    return %3 : tensor<2x17xf32>
  }
}
