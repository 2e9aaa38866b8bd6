// The oracle: relu(x) - relu(-x) looks like x where it is 0, though the
// derivative of relu there is 0 twice.
#map = affine_map<(d0) -> (d0)>
module {
  func.func @forward(%arg0: tensor<3xf32> {fuzz.values = "uniform 0 0", te.param = "w0"}) -> (tensor<3xf32> {te.output = "y0"}) {
    %zero = arith.constant 0.000000e+00 : f32
    %0 = tensor.empty() : tensor<3xf32>
    %1 = arith.negf %arg0 : tensor<3xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg0 : tensor<3xf32>) outs(%0 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.maximumf %in, %zero : f32
      linalg.yield %5 : f32
    } -> tensor<3xf32>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%1 : tensor<3xf32>) outs(%0 : tensor<3xf32>) {
    ^bb0(%in: f32, %out: f32):
      %5 = arith.maximumf %in, %zero : f32
      linalg.yield %5 : f32
    } -> tensor<3xf32>
    %4 = arith.subf %2, %3 : tensor<3xf32>
    return %4 : tensor<3xf32>
  }
}
