// The derivative of tanh was 1 - tanh², which is 0 where tanh is 1 as a float.
module {
  func.func @forward(%arg0: tensor<3x5xf32> {fuzz.values = "uniform 3 0", te.input = "x0"}, %arg1: tensor<5x2xf32> {fuzz.values = "uniform 1 1", te.input = "x1"}, %arg2: tensor<2xf32> {fuzz.values = "uniform 8 2", te.param = "w2"}) -> (tensor<2x2xf32> {te.output = "y0"}) {
    %cst = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<3x2xf32>
    %1 = linalg.fill ins(%cst : f32) outs(%0 : tensor<3x2xf32>) -> tensor<3x2xf32>
    %2 = linalg.matmul ins(%arg0, %arg1 : tensor<3x5xf32>, tensor<5x2xf32>) outs(%1 : tensor<3x2xf32>) -> tensor<3x2xf32>
    %3 = te.matmul %2, %2 {transpose_a} : tensor<3x2xf32>, tensor<3x2xf32> -> tensor<2x2xf32>
    %4 = te.matmul %2, %3 bias(%arg2 : tensor<2xf32>) : tensor<3x2xf32>, tensor<2x2xf32> -> tensor<3x2xf32>
    %5 = te.matmul %4, %4 {transpose_b} : tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x3xf32>
    %6 = te.matmul %4, %4 {transpose_b} : tensor<3x2xf32>, tensor<3x2xf32> -> tensor<3x3xf32>
    %7 = te.matmul %5, %6 : tensor<3x3xf32>, tensor<3x3xf32> -> tensor<3x3xf32>
    %8 = te.matmul %arg0, %arg0 {transpose_b} : tensor<3x5xf32>, tensor<3x5xf32> -> tensor<3x3xf32>
    %9 = te.matmul %4, %3 {transpose_b} : tensor<3x2xf32>, tensor<2x2xf32> -> tensor<3x2xf32>
    %y = te.activation  tanh %3 : tensor<2x2xf32> -> y tensor<2x2xf32>
    return %y : tensor<2x2xf32>
  }
}
