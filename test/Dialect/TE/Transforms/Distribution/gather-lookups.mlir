// RUN: te-opt %s --te-gather-lookups --split-input-file | FileCheck %s
// RUN: te-opt %s --te-gather-lookups --te-shard-states --te-validate-spmd --split-input-file | FileCheck %s --check-prefix=PARTS
// RUN: te-opt %s --te-gather-lookups --te-shard-states=zero=0 --te-validate-spmd --split-input-file | FileCheck %s --check-prefix=WHOLE

// The head's gradient is summed as soon as it is there, the rows as soon as they
// are. Parts are ranges of elements that begin within a row: 1 of 509 * 16 / 2.

// CHECK-LABEL: func.func @train(
// CHECK-SAME:    %[[IDS:[^ ]*]]: tensor<64xi64> {te.input = "ids"}
// CHECK:         %[[HEAD:.*]] = te.matmul {{.*}} -> tensor<509x16xf32>
// CHECK-NEXT:    %[[SUM:.*]] = shard.all_reduce %[[HEAD]] on @mesh grid_axes = [0] : tensor<509x16xf32> -> tensor<509x16xf32>
// CHECK-NEXT:    %[[ALL:.*]] = shard.all_gather %[[IDS]] on @mesh grid_axes = [0] gather_axis = 0 : tensor<64xi64> -> tensor<128xi64>
// CHECK-NEXT:    %[[DY:.*]] = arith.truncf
// CHECK-NEXT:    %[[ROWS:.*]] = shard.all_gather %[[DY]] on @mesh grid_axes = [0] gather_axis = 0 : tensor<64x16xbf16> -> tensor<128x16xbf16>
// CHECK-NEXT:    %[[GRAD:.*]] = te.embedding_grad %[[ALL]], %[[ROWS]] : tensor<128xi64>, tensor<128x16xbf16> -> tensor<509x16xf32>
// CHECK-NEXT:    %[[TABLE:.*]] = te.add %[[SUM]], %[[GRAD]] : tensor<509x16xf32>, tensor<509x16xf32> -> tensor<509x16xf32>
// CHECK-NEXT:    te.global_norm %[[TABLE]] : tensor<509x16xf32>

// PARTS-LABEL: func.func @train(
// PARTS:         %[[SUM:.*]] = shard.reduce_scatter %{{.*}} on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8144xf32> -> tensor<4072xf32>
// PARTS-NOT:     te.embedding_grad
// PARTS:         %[[PART:.*]] = te.add_embedding_part %[[SUM]], %{{.*}}, %{{.*}} rows = 509 on @mesh axes = [0] : tensor<4072xf32>, tensor<128xi64>, tensor<128x16xbf16>
// PARTS:         te.reduce_norm %[[PART]] is_part = [1]
// PARTS:         te.update #te.sgd{{.*}} %{{.*}} gradient(%[[PART]])

// WHOLE-LABEL: func.func @train(
// WHOLE:         %[[TABLE:.*]] = te.add %{{.*}}, %{{.*}} : tensor<509x16xf32>
// WHOLE:         te.reduce_norm %[[TABLE]] is_part = [0]
// WHOLE:         te.update #te.sgd{{.*}} %{{.*}} gradient(%[[TABLE]])
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%ids: tensor<64xi64> {te.input = "ids"}, %x: tensor<64x16xf32> {te.input = "x"}, %dl: tensor<64x509xf32> {te.input = "dl"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"}, %w: tensor<509x16xf32> {te.param = "w"})
    -> (tensor<f32> {te.output = "norm"}, tensor<509x16xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %head = te.matmul %dl, %x {transpose_a} : tensor<64x509xf32>, tensor<64x16xf32> -> tensor<509x16xf32>
  %dy = arith.truncf %x : tensor<64x16xf32> to tensor<64x16xbf16>
  %e = te.embedding_grad %ids, %dy : tensor<64xi64>, tensor<64x16xbf16> -> tensor<509x16xf32>
  %g = te.add %head, %e : tensor<509x16xf32>, tensor<509x16xf32> -> tensor<509x16xf32>
  %r = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<509x16xf32> -> tensor<509x16xf32>
  %norm = te.global_norm %r : tensor<509x16xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%r) coefficient(%s) scalars(%s, %s) step(%step) : tensor<509x16xf32>, tensor<509x16xf32>
  return %norm, %w1 : tensor<f32>, tensor<509x16xf32>
}

// -----

// With a sum over microbatches, which stays with the head's. Level 2 has parts of
// it.

// CHECK-LABEL: func.func @train(
// CHECK-SAME:    %[[ACC:[^ ]*]]: tensor<509x16xf32> {te.kind = "gradient"
// CHECK:         %[[HEAD:.*]] = te.matmul
// CHECK-NEXT:    %[[BOTH:.*]] = te.add %[[ACC]], %[[HEAD]]
// CHECK-NEXT:    %[[SUM:.*]] = shard.all_reduce %[[BOTH]]
// CHECK:         %[[GRAD:.*]] = te.embedding_grad
// CHECK-NEXT:    %[[TABLE:.*]] = te.add %[[SUM]], %[[GRAD]]
// CHECK:         te.update #te.sgd{{.*}} %{{.*}} gradient(%[[TABLE]])

// PARTS-LABEL: func.func @train(
// PARTS:         te.add_embedding_part
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%ids: tensor<64xi64> {te.input = "ids"}, %x: tensor<64x16xf32> {te.input = "x"}, %dl: tensor<64x509xf32> {te.input = "dl"},
                 %s: tensor<f32> {te.scalar = "s"}, %step: tensor<i64> {te.scalar = "step"}, %w: tensor<509x16xf32> {te.param = "w"},
                 %acc: tensor<509x16xf32> {te.state = "gradient.w", te.kind = "gradient"})
    -> (tensor<509x16xf32> {te.param = "w"}, tensor<509x16xf32> {te.state = "gradient.w", te.kind = "gradient"}) attributes {te.entry = "train"} {
  %head = te.matmul %dl, %x {transpose_a} : tensor<64x509xf32>, tensor<64x16xf32> -> tensor<509x16xf32>
  %e = te.embedding_grad %ids, %x : tensor<64xi64>, tensor<64x16xf32> -> tensor<509x16xf32>
  %g = te.add %head, %e : tensor<509x16xf32>, tensor<509x16xf32> -> tensor<509x16xf32>
  %a = te.add %acc, %g : tensor<509x16xf32>, tensor<509x16xf32> -> tensor<509x16xf32>
  %r = shard.all_reduce %a on @mesh grid_axes = [0] : tensor<509x16xf32> -> tensor<509x16xf32>
  %zero = arith.constant dense<0.0> : tensor<509x16xf32>
  %w1 = te.update #te.sgd<momentum = 0.0> %w gradient(%r) coefficient(%s) scalars(%s, %s) step(%step) : tensor<509x16xf32>, tensor<509x16xf32>
  return %w1, %zero : tensor<509x16xf32>, tensor<509x16xf32>
}

// -----

// As they are: rows that are more than the table, a table that is nobody's weight,
// a gradient that is read otherwise, too.

// CHECK-LABEL: func.func @short(
// CHECK-NOT:     shard.all_gather
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @short(%ids: tensor<64xi64>, %dy: tensor<64x16xf32>, %head: tensor<128x16xf32>) -> tensor<128x16xf32> {
  %e = te.embedding_grad %ids, %dy : tensor<64xi64>, tensor<64x16xf32> -> tensor<128x16xf32>
  %g = te.add %head, %e : tensor<128x16xf32>, tensor<128x16xf32> -> tensor<128x16xf32>
  %r = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<128x16xf32> -> tensor<128x16xf32>
  return %r : tensor<128x16xf32>
}

// CHECK-LABEL: func.func @alone(
// CHECK-NOT:     shard.all_gather
func.func @alone(%ids: tensor<64xi64>, %dy: tensor<64x16xf32>) -> tensor<509x16xf32> {
  %e = te.embedding_grad %ids, %dy : tensor<64xi64>, tensor<64x16xf32> -> tensor<509x16xf32>
  %r = shard.all_reduce %e on @mesh grid_axes = [0] : tensor<509x16xf32> -> tensor<509x16xf32>
  return %r : tensor<509x16xf32>
}

// CHECK-LABEL: func.func @read(
// CHECK-NOT:     shard.all_gather
func.func @read(%ids: tensor<64xi64>, %dy: tensor<64x16xf32>, %head: tensor<509x16xf32>) -> (tensor<509x16xf32>, tensor<509x16xf32>) {
  %e = te.embedding_grad %ids, %dy : tensor<64xi64>, tensor<64x16xf32> -> tensor<509x16xf32>
  %g = te.add %head, %e : tensor<509x16xf32>, tensor<509x16xf32> -> tensor<509x16xf32>
  %r = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<509x16xf32> -> tensor<509x16xf32>
  return %r, %e : tensor<509x16xf32>, tensor<509x16xf32>
}

// -----

// One rank has nothing to exchange.

// CHECK-LABEL: func.func @no_mesh(
// CHECK-NEXT:    te.embedding_grad
func.func @no_mesh(%ids: tensor<64xi64>, %dy: tensor<64x16xf32>) -> tensor<509x16xf32> {
  %e = te.embedding_grad %ids, %dy : tensor<64xi64>, tensor<64x16xf32> -> tensor<509x16xf32>
  return %e : tensor<509x16xf32>
}

// -----

// Where the terms are of several blocks nothing is moved between them.
// CHECK-LABEL: func.func @blocks(
// CHECK-NOT: shard.all_gather
// CHECK: shard.all_reduce %{{.*}} : tensor<509x16xf32>
// CHECK: return
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @blocks(%ids: tensor<64xi64>, %dy: tensor<64x16xbf16>, %x: tensor<64x16xf32>, %dl: tensor<64x509xf32>) -> tensor<509x16xf32> {
  %head = te.matmul %dl, %x {transpose_a} : tensor<64x509xf32>, tensor<64x16xf32> -> tensor<509x16xf32>
  %e = te.embedding_grad %ids, %dy : tensor<64xi64>, tensor<64x16xbf16> -> tensor<509x16xf32>
  cf.br ^next
^next:
  %g = te.add %head, %e : tensor<509x16xf32>, tensor<509x16xf32> -> tensor<509x16xf32>
  %r = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<509x16xf32> -> tensor<509x16xf32>
  return %r : tensor<509x16xf32>
}
