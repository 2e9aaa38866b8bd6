// A model whose result goes through eight dimensions, and one whose input has seven.
func.func @inside(%w: tensor<4x36xf32> {te.param = "w"}, %x: tensor<4x36xf32> {te.input = "x"}) -> (tensor<36x4xf32> {te.output = "y"}) {
  %0 = arith.mulf %w, %x : tensor<4x36xf32>
  %1 = tensor.expand_shape %0 [[0, 1], [2, 3, 4, 5, 6, 7]] output_shape [2, 2, 2, 3, 1, 2, 3, 1] : tensor<4x36xf32> into tensor<2x2x2x3x1x2x3x1xf32>
  %e = tensor.empty() : tensor<3x2x3x2x2x1x2x1xf32>
  %2 = linalg.transpose ins(%1 : tensor<2x2x2x3x1x2x3x1xf32>) outs(%e : tensor<3x2x3x2x2x1x2x1xf32>) permutation = [6, 5, 3, 2, 1, 4, 0, 7]
  %3 = math.exp %2 : tensor<3x2x3x2x2x1x2x1xf32>
  %4 = tensor.collapse_shape %3 [[0, 1, 2, 3], [4, 5, 6, 7]] : tensor<3x2x3x2x2x1x2x1xf32> into tensor<36x4xf32>
  return %4 : tensor<36x4xf32>
}

func.func @outside(%w: tensor<2x3xf32> {te.param = "w"}, %x: tensor<2x1x2x1x2x2x3xf32> {te.input = "x"}) -> (tensor<48xf32> {te.output = "y"}) {
  %e = tensor.empty() : tensor<2x1x2x1x2x2x3xf32>
  %0 = linalg.broadcast ins(%w : tensor<2x3xf32>) outs(%e : tensor<2x1x2x1x2x2x3xf32>) dimensions = [0, 1, 2, 3, 4]
  %1 = arith.mulf %0, %x : tensor<2x1x2x1x2x2x3xf32>
  %2 = tensor.collapse_shape %1 [[0, 1, 2, 3, 4, 5, 6]] : tensor<2x1x2x1x2x2x3xf32> into tensor<48xf32>
  return %2 : tensor<48xf32>
}
