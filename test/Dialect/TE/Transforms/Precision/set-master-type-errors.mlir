// RUN: te-opt %s --te-set-master-type --verify-diagnostics

func.func @train(%g: tensor<8x16xf32> {te.input = "g"}, %c: tensor<f32> {te.scalar = "c"}, %t: tensor<i64> {te.scalar = "t"},
                 %w: tensor<8x16xf32> {te.param = "w"}) -> (tensor<8x16xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%g) coefficient(%c) scalars(%c, %c) step(%t) : tensor<8x16xf32>, tensor<8x16xf32>
  return %w1 : tensor<8x16xf32>
}
func.func @outer(%g: tensor<8x16xf32>, %c: tensor<f32>, %t: tensor<i64>, %w: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-error @+1 {{calls a function whose types te-set-master-type changes; run the pass 'inline' first}}
  %0 = call @train(%g, %c, %t, %w) : (tensor<8x16xf32>, tensor<f32>, tensor<i64>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}
