// te-set-boundary-type let attention read sinks in bf16, which it takes as
// float32 alone: invalid IR.
#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0) -> ()>
module {
  func.func @forward(%arg0: tensor<2xf32> {fuzz.values = "uniform 1 0", te.param = "w0"}, %arg1: tensor<bf16> {fuzz.values = "uniform 1 1", te.param = "w1"}, %arg2: tensor<1x1x2x1xf32> {fuzz.values = "uniform 1 2", te.param = "w2"}) -> (tensor<1x2xf32> {te.output = "y0"}) {
    %0 = tensor.empty() : tensor<2xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel"]} ins(%arg0, %arg1 : tensor<2xf32>, tensor<bf16>) outs(%0 : tensor<2xf32>) {
    ^bb0(%in: f32, %in_0: bf16, %out: f32):
      %2 = arith.extf %in_0 : bf16 to f32
      linalg.yield %2 : f32
    } -> tensor<2xf32>
    %o, %lse = te.attention %arg2, %arg2, %arg2 sinks(%1 : tensor<2xf32>) {scale = 5.000000e-01 : f32} : tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32>, tensor<1x1x2x1xf32> -> tensor<1x1x2x1xf32>, tensor<1x2x1xf32>
    %collapsed = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<1x1x2x1xf32> into tensor<1x2xf32>
    return %collapsed : tensor<1x2xf32>
  }
}
