// Ids of two tables, of which the smaller one counts; ids whose range is said;
// numbers that choose nothing.
func.func @forward(%a: tensor<2x3xi64> {te.input = "a"},
                   %b: tensor<6xi64> {te.input = "b", te.range = array<i64: 3, 5>},
                   %n: tensor<6xi64> {te.input = "n"},
                   %t: tensor<8x4xf32> {te.param = "t"},
                   %u: tensor<6x4xf32> {te.param = "u"})
    -> (tensor<6x4xf32> {te.output = "y"}) {
  %ids = tensor.collapse_shape %a [[0, 1]] : tensor<2x3xi64> into tensor<6xi64>
  %0 = te.embedding %ids, %t : tensor<6xi64>, tensor<8x4xf32> -> tensor<6x4xf32>
  %1 = te.embedding %ids, %u : tensor<6xi64>, tensor<6x4xf32> -> tensor<6x4xf32>
  %2 = te.embedding %b, %u : tensor<6xi64>, tensor<6x4xf32> -> tensor<6x4xf32>
  %3 = arith.sitofp %n : tensor<6xi64> to tensor<6xf32>
  %e = tensor.empty() : tensor<6x4xf32>
  %4 = linalg.broadcast ins(%3 : tensor<6xf32>) outs(%e : tensor<6x4xf32>) dimensions = [1]
  %5 = te.add %0, %1 : tensor<6x4xf32>, tensor<6x4xf32> -> tensor<6x4xf32>
  %6 = te.add %2, %5 : tensor<6x4xf32>, tensor<6x4xf32> -> tensor<6x4xf32>
  %7 = te.add %4, %6 : tensor<6x4xf32>, tensor<6x4xf32> -> tensor<6x4xf32>
  return %7 : tensor<6x4xf32>
}
