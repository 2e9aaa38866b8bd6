// Logits that are the product of a value with itself: te-fuse-loss padded the
// classes of a weight that is the input as well, and made a product of wrong
// shape.
func.func @forward(%x: tensor<3x8xf32> {te.param = "x"}, %labels: tensor<3xi64> {te.input = "labels", fuzz.values = "labels 3 -100 1"})
    -> (tensor<f32> {te.output = "y0"}) {
  %0 = te.matmul %x, %x {transpose_b} : tensor<3x8xf32>, tensor<3x8xf32> -> tensor<3x3xf32>
  %loss, %lse, %count = te.cross_entropy %0, %labels : tensor<3x3xf32>, tensor<3xi64> -> tensor<3xf32>
  return %loss : tensor<f32>
}
