// A stride of 2 between the elements of a dimension that has one: upstream made a
// view of it whose strides do not fit its type.
module {
  func.func @forward(%arg0: tensor<2x1x1xf32> {fuzz.values = "uniform 1 0", te.param = "w0"}) -> (tensor<1x1xf32> {te.output = "y0"}) {
    %extracted_slice = tensor.extract_slice %arg0[0, 0, 0] [1, 1, 1] [1, 2, 1] : tensor<2x1x1xf32> to tensor<1x1xf32>
    return %extracted_slice : tensor<1x1xf32>
  }
}
