// A layer whose activation becomes a generated kernel.
#map = affine_map<(i, j) -> (i, j)>
func.func @forward(%x: tensor<64x128xf32> {te.input = "x"},
    %w: tensor<256x128xf32> {te.param = "w", te.init = 0.01 : f32})
    -> (tensor<64x256xf32> {te.output = "y"}) {
  %product = te.matmul %x, %w {transpose_b}
    : tensor<64x128xf32>, tensor<256x128xf32> -> tensor<64x256xf32> loc("layer")
  %empty = tensor.empty() : tensor<64x256xf32>
  %y = linalg.generic {indexing_maps = [#map, #map],
      iterator_types = ["parallel", "parallel"]}
      ins(%product : tensor<64x256xf32>) outs(%empty : tensor<64x256xf32>) {
  ^bb0(%a: f32, %b: f32):
    %square = arith.mulf %a, %a : f32
    %negative = arith.negf %square : f32
    %bell = math.exp %negative : f32
    linalg.yield %bell : f32
  } -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}
