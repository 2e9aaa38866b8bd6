// RUN: te-opt %s --te-shard-states --te-validate-spmd --split-input-file | FileCheck %s
// RUN: te-opt %s --te-shard-states --te-to-tert --split-input-file | FileCheck %s --check-prefix=TERT

// Lookups of few rows, of all ranks together, are exchanged as rows; what reads all of the table has a gathered copy.

// CHECK-LABEL: func.func @train(
// CHECK-SAME:    %[[IDS:[^ ]*]]: tensor<64xi64> {te.input = "ids"}
// CHECK-SAME:    %[[W:[^ ]*]]: tensor<4072xf32> {te.param = "w"
// CHECK:         te.shared_embedding %[[IDS]], %[[W]] rows = 509 on @mesh axes = [0] : tensor<64xi64>, tensor<4072xf32> -> tensor<64x16xbf16>
// CHECK:         %[[PART:.*]] = arith.truncf %[[W]] : tensor<4072xf32> to tensor<4072xbf16>
// CHECK:         shard.all_gather %[[PART]]
// CHECK:         te.matmul

// TERT-LABEL: func.func @train(
// TERT:         %[[ALL:.*]] = tert.collective all_gather x(%{{.*}} : tensor<64xi64>) -> y(%{{.*}} : tensor<128xi64>) {axes = 1 : i32}
// TERT:         %[[ROWS:.*]] = tert.embedding_part ids(%[[ALL]] : tensor<128xi64>) table(%{{.*}} : tensor<4072xf32>) -> y(%{{.*}} : tensor<128x16xbf16>) {axes = 1 : i32, num_rows = 509 : i64}
// TERT:         tert.collective reduce_scatter x(%[[ROWS]] : tensor<128x16xbf16>) -> y(%{{.*}} : tensor<64x16xbf16>) {axes = 1 : i32}
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%ids: tensor<64xi64> {te.input = "ids"}, %x: tensor<64x16xf32> {te.input = "x"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"}, %w: tensor<509x16xf32> {te.param = "w"})
    -> (tensor<64x509xbf16> {te.output = "y"}, tensor<509x16xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %y = te.embedding %ids, %w : tensor<64xi64>, tensor<509x16xf32> -> tensor<64x16xbf16>
  %wb = arith.truncf %w : tensor<509x16xf32> to tensor<509x16xbf16>
  %l = te.matmul %y, %wb {transpose_b} : tensor<64x16xbf16>, tensor<509x16xbf16> -> tensor<64x509xbf16>
  %e = te.embedding_grad %ids, %x : tensor<64xi64>, tensor<64x16xf32> -> tensor<509x16xf32>
  %r = shard.all_reduce %e on @mesh grid_axes = [0] : tensor<509x16xf32> -> tensor<509x16xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%r) coefficient(%s) scalars(%s, %s) step(%step) : tensor<509x16xf32>, tensor<509x16xf32>
  return %l, %w1 : tensor<64x509xbf16>, tensor<509x16xf32>
}

// -----

// Of more than half as many rows as the table has: it is gathered, for the next step.

// CHECK-LABEL: func.func @train(
// CHECK-SAME:    %[[TABLE:[^ ]*]]: tensor<255x16xbf16> {te.init = "derived"
// CHECK-NOT:     te.shared_embedding
// CHECK:         te.embedding %{{.*}}, %[[TABLE]]
// CHECK:         te.update #te.sgd{{.*}}
// CHECK:         %[[ALL:.*]] = shard.all_gather {{.*}} -> tensor<4080xbf16>
// CHECK-NEXT:    %[[NEXT:.*]] = tensor.expand_shape %[[ALL]] {{.*}} into tensor<255x16xbf16>
// CHECK-NEXT:    return %{{.*}}, %{{.*}}, %[[NEXT]]
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%ids: tensor<64xi64> {te.input = "ids"}, %x: tensor<64x16xf32> {te.input = "x"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"}, %w: tensor<255x16xf32> {te.param = "w"})
    -> (tensor<64x16xbf16> {te.output = "y"}, tensor<255x16xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %y = te.embedding %ids, %w : tensor<64xi64>, tensor<255x16xf32> -> tensor<64x16xbf16>
  %e = te.embedding_grad %ids, %x : tensor<64xi64>, tensor<64x16xf32> -> tensor<255x16xf32>
  %r = shard.all_reduce %e on @mesh grid_axes = [0] : tensor<255x16xf32> -> tensor<255x16xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%r) coefficient(%s) scalars(%s, %s) step(%step) : tensor<255x16xf32>, tensor<255x16xf32>
  return %y, %w1 : tensor<64x16xbf16>, tensor<255x16xf32>
}

// -----

// A copy that lookups have left for later begins to be gathered halfway, not where
// they were.

// CHECK-LABEL: func.func @train(
// CHECK:         te.shared_embedding
// CHECK-NEXT:    te.activation relu
// CHECK-NEXT:    te.activation relu
// CHECK-NEXT:    arith.truncf
// CHECK-NEXT:    shard.all_gather
// CHECK:         te.activation relu
// CHECK-NEXT:    te.activation relu
// CHECK-NEXT:    te.matmul
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%ids: tensor<64xi64> {te.input = "ids"}, %x: tensor<64x16xf32> {te.input = "x"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"}, %w: tensor<512x16xf32> {te.param = "w"})
    -> (tensor<64x512xbf16> {te.output = "y"}, tensor<512x16xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %y = te.embedding %ids, %w : tensor<64xi64>, tensor<512x16xf32> -> tensor<64x16xbf16>
  %0 = te.activation relu %y : tensor<64x16xbf16> -> y tensor<64x16xbf16>
  %1 = te.activation relu %0 : tensor<64x16xbf16> -> y tensor<64x16xbf16>
  %2 = te.activation relu %1 : tensor<64x16xbf16> -> y tensor<64x16xbf16>
  %3 = te.activation relu %2 : tensor<64x16xbf16> -> y tensor<64x16xbf16>
  %wb = arith.truncf %w : tensor<512x16xf32> to tensor<512x16xbf16>
  %l = te.matmul %3, %wb {transpose_b} : tensor<64x16xbf16>, tensor<512x16xbf16> -> tensor<64x512xbf16>
  %e = te.embedding_grad %ids, %x : tensor<64xi64>, tensor<64x16xf32> -> tensor<512x16xf32>
  %r = shard.all_reduce %e on @mesh grid_axes = [0] : tensor<512x16xf32> -> tensor<512x16xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%r) coefficient(%s) scalars(%s, %s) step(%step) : tensor<512x16xf32>, tensor<512x16xf32>
  return %l, %w1 : tensor<64x512xbf16>, tensor<512x16xf32>
}
