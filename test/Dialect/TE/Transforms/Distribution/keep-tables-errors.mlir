// RUN: te-opt %s --te-shard-states --verify-diagnostics --split-input-file

// A program's own function has the name of the entry that makes the first copy.
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%ids: tensor<64xi64> {te.input = "ids"}, %g: tensor<64x16xf32> {te.input = "g"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %t: tensor<64x16xf32> {te.param = "t"})
    -> (tensor<64x16xbf16> {te.output = "x"}, tensor<64x16xf32> {te.param = "t"}) attributes {te.entry = "train"} {
  %x = te.embedding %ids, %t : tensor<64xi64>, tensor<64x16xf32> -> tensor<64x16xbf16>
  %d = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<64x16xf32> -> tensor<64x16xf32>
  %t1 = te.update #te.sgd<momentum = 0.0> %t gradient(%d) coefficient(%s) scalars(%s, %s) step(%step) {decay} : tensor<64x16xf32>, tensor<64x16xf32>
  return %x, %t1 : tensor<64x16xbf16>, tensor<64x16xf32>
}
// expected-error @+1 {{is named 'init', a name that te-shard-states needs for the entry that makes the first copies of tables; rename it}}
func.func @init(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
