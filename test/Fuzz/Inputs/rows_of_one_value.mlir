// The oracle: random errors of their own made rows of one value into others.
#map = affine_map<(d0, d1) -> (d0, d1)>
#map1 = affine_map<(d0, d1) -> (d1)>
#map2 = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map3 = affine_map<(d0, d1, d2) -> (d1, d0)>
#map4 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map5 = affine_map<(d0, d1, d2) -> (d1, d2)>
module {
  func.func @forward(%arg0: tensor<16x3xf32> {fuzz.values = "same 1", te.input = "x0"}, %arg1: tensor<3xf32> {fuzz.values = "uniform 1 1", te.param = "w1"}, %arg2: tensor<16x5x3xf32> {fuzz.values = "uniform 1 2", te.param = "w2"}, %arg3: tensor<5x16xf32> {fuzz.values = "uniform 8 3", te.param = "w3"}, %arg4: tensor<16x5x1xf32> {fuzz.values = "uniform 1 4", te.param = "w4"}) -> (tensor<5x3xf32> {te.output = "y0"}) {
    %0 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["reduction", "parallel"]} ins(%arg0 : tensor<16x3xf32>) outs(%arg1 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %cst_0 = arith.constant 1.000000e+00 : f32
      %4 = arith.mulf %in, %in : f32
      %5 = arith.addf %4, %cst_0 : f32
      %6 = math.rsqrt %5 : f32
      %7 = math.exp %6 : f32
      %8 = linalg.index 1 : index
      %9 = arith.index_cast %8 : index to i64
      %10 = arith.sitofp %9 : i64 to f32
      %11 = arith.addf %7, %10 : f32
      %12 = arith.addf %out, %11 : f32
      linalg.yield %12 : f32
    } -> tensor<3xf32>
    %1 = tensor.empty() : tensor<16x5x3xf32>
    %2 = linalg.generic {indexing_maps = [#map2, #map2], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg2 : tensor<16x5x3xf32>) outs(%1 : tensor<16x5x3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %4 = math.tanh %in : f32
      %5 = math.exp %4 : f32
      %6 = arith.maximumf %5, %in : f32
      linalg.yield %6 : f32
    } -> tensor<16x5x3xf32>
    %cst = arith.constant dense<0.000000e+00> : tensor<5x3xf32>
    %3 = linalg.generic {indexing_maps = [#map2, #map3, #map4, #map5], iterator_types = ["reduction", "parallel", "parallel"]} ins(%2, %arg3, %arg4 : tensor<16x5x3xf32>, tensor<5x16xf32>, tensor<16x5x1xf32>) outs(%cst : tensor<5x3xf32>) {
    ^bb0(%in: f32, %in_0: f32, %in_1: f32, %out: f32):
      %4 = linalg.index 0 : index
      %5 = arith.index_cast %4 : index to i64
      %6 = arith.sitofp %5 : i64 to f32
      %7 = arith.addf %in_1, %6 : f32
      %8 = arith.addf %out, %7 : f32
      linalg.yield %8 : f32
    } -> tensor<5x3xf32>
    %y, %mean, %rstd = te.layer_norm %3, %arg1, %0 {eps = 9.99999974E-6 : f32} : tensor<5x3xf32>, tensor<3xf32>, tensor<3xf32> -> y tensor<5x3xf32> stats tensor<5xf32>, tensor<5xf32>
    return %y : tensor<5x3xf32>
  }
}
