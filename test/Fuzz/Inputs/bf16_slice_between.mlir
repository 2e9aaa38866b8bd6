// A slice of a bf16 tensor that starts between two float32 addresses, read by a
// kernel with float32 operands: the kernel asked for the largest element's
// alignment of every operand, and refused the slice.
#loc = loc(unknown)
module {
  func.func @forward(%arg0: tensor<3x48xf32> {fuzz.values = "uniform 1 0", te.param = "w0"} loc(unknown), %arg1: tensor<16x3xf32> {fuzz.values = "uniform 8 1", te.param = "w1"} loc(unknown), %arg2: tensor<16xf32> {fuzz.values = "same 0", te.param = "w2"} loc(unknown), %arg3: tensor<1x1x1x6xf32> {fuzz.values = "uniform 3 3", te.param = "w3"} loc(unknown)) -> (tensor<1x1x1x2xf32> {te.output = "y0"}) {
    %0 = te.matmul %arg0, %arg1 bias(%arg2 : tensor<16xf32>) {transpose_a, transpose_b} : tensor<3x48xf32>, tensor<16x3xf32> -> tensor<48x16xf32> loc(#loc)
    %o, %lse = te.attention %arg3, %arg3, %arg3 {causal, scale = 5.000000e-01 : f32} : tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32>, tensor<1x1x1x6xf32> -> tensor<1x1x1x6xf32>, tensor<1x1x1xf32> loc(#loc)
    %collapsed = tensor.collapse_shape %o [[0, 1], [2, 3]] : tensor<1x1x1x6xf32> into tensor<1x6xf32> loc(#loc)
    %extracted_slice = tensor.extract_slice %o[0, 0, 0, 3] [1, 1, 1, 2] [2, 2, 1, 2] : tensor<1x1x1x6xf32> to tensor<1x1x1x2xf32> loc(#loc)
    %1 = math.tanh %extracted_slice : tensor<1x1x1x2xf32> loc(#loc)
    %2 = math.sin %1 : tensor<1x1x1x2xf32> loc(#loc)
    %3:2 = te.split %2 axis 3 : tensor<1x1x1x2xf32> -> tensor<1x1x1x1xf32>, tensor<1x1x1x1xf32> loc(#loc)
    %4 = te.matmul %collapsed, %collapsed {transpose_b} : tensor<1x6xf32>, tensor<1x6xf32> -> tensor<1x1xf32> loc(#loc)
    %5 = te.matmul %collapsed, %collapsed {transpose_b} : tensor<1x6xf32>, tensor<1x6xf32> -> tensor<1x1xf32> loc(#loc1)
    %6 = math.absf %2 : tensor<1x1x1x2xf32> loc(#loc)
    %7 = math.log1p %6 : tensor<1x1x1x2xf32> loc(#loc)
    return %7 : tensor<1x1x1x2xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("layers.0.part")

