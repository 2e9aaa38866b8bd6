// RUN: not te-opt %s --te-shard-states=zero=4 2>&1 | FileCheck %s --check-prefix=LEVEL
// RUN: te-opt %s --te-shard-states --remarks-filter=te-shard-states -o /dev/null 2>&1 | FileCheck %s

// LEVEL: error: there is no level 4 of sharded states; it is 0, 1, 2 or 3

// What stays replicated says why.
// CHECK-DAG: Reason="it is small", Remark="parameter 'small' stays replicated"
// CHECK-DAG: Reason="its gradient is not a sum over the ranks", Remark="parameter 'own' stays replicated"
// CHECK-DAG: Reason="its new value is not that of an optimizer's op", Remark="parameter 'computed' stays replicated"
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%g: tensor<64x32xf32> {te.input = "g"}, %h: tensor<16xf32> {te.input = "h"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"},
                 %small: tensor<16xf32> {te.param = "small"}, %own: tensor<64x32xf32> {te.param = "own"},
                 %computed: tensor<32x32xf32> {te.param = "computed"})
    -> (tensor<16xf32> {te.param = "small"}, tensor<64x32xf32> {te.param = "own"}, tensor<32x32xf32> {te.param = "computed"})
    attributes {te.entry = "train"} {
  %dh = shard.all_reduce %h on @mesh grid_axes = [0] : tensor<16xf32> -> tensor<16xf32>
  %small1 = te.update #te.sgd<momentum = 0.0> %small gradient(%dh) coefficient(%s) scalars(%s, %s) step(%step) : tensor<16xf32>, tensor<16xf32>
  %gg = arith.addf %g, %g : tensor<64x32xf32>
  %own1 = te.update #te.sgd<momentum = 0.0> %own gradient(%gg) coefficient(%s) scalars(%s, %s) step(%step) : tensor<64x32xf32>, tensor<64x32xf32>
  %computed1 = te.matmul %computed, %computed : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32>
  return %small1, %own1, %computed1 : tensor<16xf32>, tensor<64x32xf32>, tensor<32x32xf32>
}
