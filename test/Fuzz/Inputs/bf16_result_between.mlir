// A bf16 result in every second column, written by a kernel with float32
// operands: refused as bf16_slice_between.mlir was.
#loc = loc(unknown)
module {
  func.func @forward(%arg0: tensor<2x2xf32> {fuzz.values = "uniform 1 0", te.param = "w0"} loc(unknown), %arg1: tensor<2x1xf32> {fuzz.values = "uniform 1 1", te.param = "w1"} loc(unknown)) -> (tensor<2x2xf32> {te.output = "y0"}) {
    %0 = te.add %arg0, %arg0 : tensor<2x2xf32>, tensor<2x2xf32> -> tensor<2x2xf32> loc(#loc)
    %cst = arith.constant 0.000000e+00 : f32 loc(#loc1)
    %1 = tensor.empty() : tensor<2x1xf32> loc(#loc1)
    %2 = linalg.fill ins(%cst : f32) outs(%1 : tensor<2x1xf32>) -> tensor<2x1xf32> loc(#loc1)
    %3 = linalg.matmul ins(%0, %arg1 : tensor<2x2xf32>, tensor<2x1xf32>) outs(%2 : tensor<2x1xf32>) -> tensor<2x1xf32> loc(#loc1)
    %cst_0 = arith.constant dense<1.000000e+00> : tensor<2x1xf32> loc(#loc)
    %4 = math.absf %arg1 : tensor<2x1xf32> loc(#loc)
    %5 = arith.addf %4, %cst_0 : tensor<2x1xf32> loc(#loc)
    %6 = arith.divf %3, %5 : tensor<2x1xf32> loc(#loc)
    %concat = tensor.concat dim(1) %6, %6 : (tensor<2x1xf32>, tensor<2x1xf32>) -> tensor<2x2xf32> loc(#loc)
    return %concat : tensor<2x2xf32> loc(#loc)
  } loc(#loc)
} loc(#loc)
#loc1 = loc("layers.0.part")

