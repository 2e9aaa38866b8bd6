// The sum of what dropout leaves of 65536 ones.
func.func @forward(%s: tensor<i64> {te.scalar = "dropout_seed"})
    -> (tensor<1xf32> {te.output = "tenth"}, tensor<1xf32> {te.output = "half"}) {
  %x = arith.constant dense<1.0> : tensor<65536x1xf32>
  %0 = te.dropout %x seed(%s) {ratio = 0.1 : f32, stream = 0 : i64} : tensor<65536x1xf32> -> tensor<65536x1xf32>
  %1 = te.dropout %x seed(%s) {ratio = 0.5 : f32, stream = 1 : i64} : tensor<65536x1xf32> -> tensor<65536x1xf32>
  %tenth = te.column_sum %0 : tensor<65536x1xf32> -> tensor<1xf32>
  %half = te.column_sum %1 : tensor<65536x1xf32> -> tensor<1xf32>
  return %tenth, %half : tensor<1xf32>, tensor<1xf32>
}
