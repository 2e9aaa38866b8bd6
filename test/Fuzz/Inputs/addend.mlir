// te-set-compute-type narrowed the result of a product and not its addend, of
// which te.matmul expects the same type; and the other way round, for wgrad.
func.func @forward(%x: tensor<4x8xf32> {te.input = "x"}, %w: tensor<3x8xf32> {te.param = "w"},
                   %c: tensor<4x3xf32> {te.input = "c"}, %d: tensor<3x8xf32> {te.input = "d"})
    -> (tensor<4x3xf32> {te.output = "y0"}, tensor<3x8xf32> {te.output = "y1"}) {
  %0 = te.matmul %x, %w addend(%c : tensor<4x3xf32>) {transpose_b} : tensor<4x8xf32>, tensor<3x8xf32> -> tensor<4x3xf32>
  %1 = te.activation tanh %d : tensor<3x8xf32> -> y tensor<3x8xf32>
  %2 = te.matmul %0, %x addend(%1 : tensor<3x8xf32>) {role = #te.role<wgrad>, transpose_a} : tensor<4x3xf32>, tensor<4x8xf32> -> tensor<3x8xf32>
  return %0, %2 : tensor<4x3xf32>, tensor<3x8xf32>
}
