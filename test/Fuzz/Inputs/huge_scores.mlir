// The oracle: not a number counted as no noise.
module {
  func.func @forward(%arg0: tensor<2x2xf32> {fuzz.values = "uniform 1 0", te.param = "w0"}, %arg1: tensor<2xi64> {fuzz.values = "ids 0 2 1", te.input = "ids1", te.range = array<i64: 0, 2>}, %arg2: tensor<2xf32> {fuzz.values = "uniform 1 2", te.param = "w2"}, %arg3: tensor<2x5x1x3xf32> {fuzz.values = "extreme 3", te.param = "w3"}) -> (tensor<10x3xf32> {te.output = "y0"}) {
    %0 = te.embedding %arg1, %arg0 : tensor<2xi64>, tensor<2x2xf32> -> tensor<2x2xf32>
    %1 = arith.addf %arg2, %arg2 : tensor<2xf32>
    %o, %lse = te.attention %arg3, %arg3, %arg3 {scale = 5.000000e-01 : f32} : tensor<2x5x1x3xf32>, tensor<2x5x1x3xf32>, tensor<2x5x1x3xf32> -> tensor<2x5x1x3xf32>, tensor<2x1x5xf32>
    %collapsed = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<2x5x1x3xf32> into tensor<10x3xf32>
    return %collapsed : tensor<10x3xf32>
  }
}
