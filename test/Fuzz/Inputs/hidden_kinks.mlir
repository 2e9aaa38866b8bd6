// The oracle: slopes to both sides of two kinks cancelled.
module {
  func.func @forward(%arg0: tensor<3x1xf32> {fuzz.values = "uniform 1 0", te.param = "w0"}, %arg1: tensor<16x2xf32> {fuzz.values = "uniform 1 1", te.param = "w1"}, %arg2: tensor<2xf32> {fuzz.values = "uniform 1 2", te.input = "x2"}, %arg3: tensor<1x6x1x4xf32> {fuzz.values = "uniform 8 3", te.input = "x3"}, %arg4: tensor<1x8x1x4xf32> {fuzz.values = "uniform 1 4", te.input = "x4"}, %arg5: tensor<6xf32> {fuzz.values = "uniform 1 5", te.param = "w5"}, %arg6: tensor<17x1x1xf32> {fuzz.values = "extreme 6", te.input = "x6"}) -> (tensor<17x1x1xf32> {te.output = "y0"}) {
    %0 = arith.addf %arg0, %arg0 : tensor<3x1xf32>
    %y, %mean, %rstd = te.layer_norm %arg1, %arg2, %arg2 {eps = 9.99999974E-6 : f32} : tensor<16x2xf32>, tensor<2xf32>, tensor<2xf32> -> y tensor<16x2xf32> stats tensor<16xf32>, tensor<16xf32>
    %o, %lse = te.attention %arg3, %arg4, %arg4 {causal, scale = 5.000000e-01 : f32} : tensor<1x6x1x4xf32>, tensor<1x8x1x4xf32>, tensor<1x8x1x4xf32> -> tensor<1x6x1x4xf32>, tensor<1x1x6xf32>
    %collapsed = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<1x6x1x4xf32> into tensor<6x4xf32>
    %1 = te.matmul %collapsed, %collapsed bias(%arg5 : tensor<6xf32>) {transpose_b} : tensor<6x4xf32>, tensor<6x4xf32> -> tensor<6x6xf32>
    %2 = tensor.empty() : tensor<1x17x1xf32>
    %transposed = linalg.transpose ins(%arg6 : tensor<17x1x1xf32>) outs(%2 : tensor<1x17x1xf32>) permutation = [2, 0, 1] 
    %3 = math.absf %arg6 : tensor<17x1x1xf32>
    %4 = math.log1p %3 : tensor<17x1x1xf32>
    return %4 : tensor<17x1x1xf32>
  }
}
