// The oracle: beside the point where x == x * x chooses, it is x, and there x * x.
module {
  func.func @forward(%arg0: tensor<2x1xf32> {fuzz.values = "uniform 1 0", te.param = "w0"}, %arg1: tensor<1xf32> {fuzz.values = "uniform 1 1", te.param = "w1"}, %arg2: tensor<2xf32> {fuzz.values = "same 1", te.param = "w2"}) -> (tensor<2xf32> {te.output = "y0"}) {
    %y, %mean, %rstd = te.layer_norm %arg0, %arg1, %arg1 {eps = 9.99999974E-6 : f32} : tensor<2x1xf32>, tensor<1xf32>, tensor<1xf32> -> y tensor<2x1xf32> stats tensor<2xf32>, tensor<2xf32>
    %0 = call @part0(%arg2, %arg2) : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    %1 = arith.cmpf une, %arg2, %0 : tensor<2xf32>
    %2 = arith.select %1, %arg2, %0 : tensor<2xi1>, tensor<2xf32>
    return %2 : tensor<2xf32>
  }
  func.func private @part0(%arg0: tensor<2xf32>, %arg1: tensor<2xf32>) -> tensor<2xf32> {
    %0 = arith.mulf %arg1, %arg0 : tensor<2xf32>
    return %0 : tensor<2xf32>
  }
}

