// A query with a largest negative number, which bf16 rounds to minus infinity:
// all its scores are minus infinity, and their softmax is NaN. The oracle took
// them for scores of hidden keys, where the output is 0.
#loc = loc(unknown)
module {
  func.func @forward(%arg0: tensor<1x4x2x3xf32> {fuzz.values = "extreme 0", te.param = "w0"} loc(unknown), %arg1: tensor<1x2x2x3xf32> {fuzz.values = "same 1", te.param = "w1"} loc(unknown)) -> (tensor<1x4x2x3xf32> {te.output = "y0"}) {
    %o, %lse = te.attention %arg0, %arg1, %arg1 {layout = #te.attention_layout<bhsd>, scale = 5.000000e-01 : f32} : tensor<1x4x2x3xf32>, tensor<1x2x2x3xf32>, tensor<1x2x2x3xf32> -> tensor<1x4x2x3xf32>, tensor<1x4x2xf32> loc(#loc)
    return %o : tensor<1x4x2x3xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)

