// A product whose sums leave float32 in some orders (numpy's matmul) and not in
// others (numpy's pairwise sum). The oracle summed in float64, and took bounds
// back after samples that were not finite.
#loc = loc(unknown)
module {
  func.func @forward(%arg0: tensor<8x48xf32> {fuzz.values = "extreme 0", te.param = "w0"} loc(unknown)) -> (tensor<8x8xf32> {te.output = "y0"}) {
    %0 = te.matmul %arg0, %arg0 {transpose_b} : tensor<8x48xf32>, tensor<8x48xf32> -> tensor<8x8xf32> loc(#loc)
    return %0 : tensor<8x8xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)

