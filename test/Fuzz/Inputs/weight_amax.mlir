// The oracle: states that @init computes had random values, negative amaxes too.
module {
  func.func @forward(%arg0: tensor<16x8xf32> {fuzz.values = "uniform 1 0", te.param = "w0"}, %arg1: tensor<16x8xf32> {fuzz.values = "uniform 1 1", te.param = "w1"}) -> (tensor<16x16xf32> {te.output = "y0"}) {
    %0 = te.matmul %arg0, %arg1 {transpose_b} : tensor<16x8xf32>, tensor<16x8xf32> -> tensor<16x16xf32>
    %1 = te.matmul %0, %0 {transpose_b} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
    return %1 : tensor<16x16xf32>
  }
}
