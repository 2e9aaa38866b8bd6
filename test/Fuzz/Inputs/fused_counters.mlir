// An op that asks for a loop counter, joined with its reader by
// te-fuse-elementwise: the counter became affine.apply, of which no kernel can
// be made, so that a graph that compiled without the fusion was refused.
#id = affine_map<(d0, d1) -> (d0, d1)>
#swap = affine_map<(d0, d1) -> (d1, d0)>
func.func @forward(%x: tensor<3x5xf32> {te.input = "x"}) -> (tensor<5x3xf32> {te.output = "y0"}) {
  %e = tensor.empty() : tensor<3x5xf32>
  %0 = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) {
  ^bb0(%a: f32, %o: f32):
    %i = linalg.index 1 : index
    %j = arith.index_cast %i : index to i64
    %f = arith.sitofp %j : i64 to f32
    %s = arith.mulf %a, %f : f32
    linalg.yield %s : f32
  } -> tensor<3x5xf32>
  %t = tensor.empty() : tensor<5x3xf32>
  %1 = linalg.generic {indexing_maps = [#swap, #id], iterator_types = ["parallel", "parallel"]}
      ins(%0 : tensor<3x5xf32>) outs(%t : tensor<5x3xf32>) {
  ^bb0(%a: f32, %o: f32):
    %s = math.tanh %a : f32
    linalg.yield %s : f32
  } -> tensor<5x3xf32>
  return %1 : tensor<5x3xf32>
}
