// Largest finite queries and keys: their scores are infinite in float32, where
// the softmax is NaN (numpy's too), and finite in float64. The oracle held no
// scores in float32.
#loc = loc(unknown)
#map = affine_map<(d0, d1) -> (d0, d1)>
module {
  func.func @forward(%arg0: tensor<17x2xf32> {fuzz.values = "uniform 1 0", te.param = "w0"} loc(unknown), %arg1: tensor<33x2x2xf32> {fuzz.values = "uniform 8 1", te.input = "x1"} loc(unknown), %arg2: tensor<17x3xf32> {fuzz.values = "uniform 1 2", te.param = "w2"} loc(unknown), %arg3: tensor<6x16xf32> {fuzz.values = "uniform 1 3", te.param = "w3"} loc(unknown), %arg4: tensor<16xf32> {fuzz.values = "uniform 1 4", te.input = "x4"} loc(unknown), %arg5: tensor<17x16xf32> {fuzz.values = "uniform 1 5", te.input = "x5"} loc(unknown), %arg6: tensor<1x16xf32> {fuzz.values = "uniform 1 6", te.input = "x6"} loc(unknown), %arg7: tensor<17x1xf32> {fuzz.values = "uniform 1 7", te.param = "w7"} loc(unknown), %arg8: tensor<1xf32> {fuzz.values = "uniform 1 8", te.param = "w8"} loc(unknown), %arg9: tensor<5x2x2x8xf32> {fuzz.values = "extreme 9", te.input = "x9"} loc(unknown)) -> (tensor<5x2x2x8xf32> {te.output = "y0"}) {
    %0 = tensor.empty() : tensor<2x17xf32> loc(#loc)
    %transposed = linalg.transpose ins(%arg0 : tensor<17x2xf32>) outs(%0 : tensor<2x17xf32>) permutation = [1, 0]  loc(#loc)
    %1 = math.tanh %arg1 : tensor<33x2x2xf32> loc(#loc)
    %concat = tensor.concat dim(1) %arg2, %arg2 : (tensor<17x3xf32>, tensor<17x3xf32>) -> tensor<17x6xf32> loc(#loc)
    %2 = te.matmul %concat, %arg3 bias(%arg4 : tensor<16xf32>) : tensor<17x6xf32>, tensor<6x16xf32> -> tensor<17x16xf32> loc(#loc)
    %3 = tensor.empty() : tensor<6x17xf32> loc(#loc)
    %transposed_0 = linalg.transpose ins(%concat : tensor<17x6xf32>) outs(%3 : tensor<6x17xf32>) permutation = [1, 0]  loc(#loc)
    %4 = te.matmul %arg5, %arg6 addend(%arg7 : tensor<17x1xf32>) {transpose_b} : tensor<17x16xf32>, tensor<1x16xf32> -> tensor<17x1xf32> loc(#loc)
    %5 = te.matmul %4, %4 {transpose_b} : tensor<17x1xf32>, tensor<17x1xf32> -> tensor<17x17xf32> loc(#loc)
    %6 = tensor.empty() : tensor<17x1xf32> loc(#loc)
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel"]} ins(%4 : tensor<17x1xf32>) outs(%6 : tensor<17x1xf32>) {
    ^bb0(%in: f32 loc(unknown), %out: f32 loc(unknown)):
      %8 = arith.maximumf %in, %in : f32 loc(#loc)
      linalg.yield %8 : f32 loc(#loc)
    } -> tensor<17x1xf32> loc(#loc)
    %y, %mean, %rstd = te.layer_norm %7, %arg8, %arg8 {eps = 9.99999974E-6 : f32} : tensor<17x1xf32>, tensor<1xf32>, tensor<1xf32> -> y tensor<17x1xf32> stats tensor<17xf32>, tensor<17xf32> loc(#loc1)
    %o, %lse = te.attention %arg9, %arg9, %arg9 {layout = #te.attention_layout<sbhd>, scale = 5.000000e-01 : f32} : tensor<5x2x2x8xf32>, tensor<5x2x2x8xf32>, tensor<5x2x2x8xf32> -> tensor<5x2x2x8xf32>, tensor<2x2x5xf32> loc(#loc2)
    return %o : tensor<5x2x2x8xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("layers.0.part")
#loc2 = loc("layers.1.part")

