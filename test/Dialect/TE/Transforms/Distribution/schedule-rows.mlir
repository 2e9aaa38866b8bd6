// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-schedule-collectives --split-input-file | FileCheck %s
// RUN: te-opt %s --te-schedule-collectives --split-input-file | FileCheck %s --check-prefix=SAME

// The gradient of a weight that was made last runs beside the gather of lookups' rows,
// and its sum over the ranks comes behind it; so does the new value of a state that it
// reads. What was made before would be waited for itself, and stays where it is.
// CHECK-LABEL: func.func @train(
// CHECK: %[[EARLY:.*]] = te.matmul %arg0, %arg1 {
// CHECK-NEXT: %[[PART:.*]] = shard.reduce_scatter %[[EARLY]]
// CHECK-NEXT: %[[D:.*]], %{{.*}} = te.rms_norm_grad
// CHECK-NEXT: %[[ALL:.*]] = shard.all_gather %[[D]]
// CHECK-NEXT: %[[LATE:.*]] = te.matmul %arg0, %[[STATE:.*]] {
// CHECK-NEXT: shard.reduce_scatter %[[LATE]]
// CHECK-NEXT: arith.negf %[[STATE]]
// CHECK-NEXT: te.add_embedding_part %{{.*}}, %{{.*}}, %[[ALL]]

// Without costs nothing is known, and nothing moves.
// SAME-LABEL: func.func @train(
// SAME: te.matmul
// SAME: te.matmul
// SAME: arith.negf
// SAME: te.rms_norm_grad
// SAME-NEXT: shard.all_gather
// SAME-NEXT: te.add_embedding_part
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%dy: tensor<8192x4096xbf16> {te.input = "dy"}, %x: tensor<8192x4096xbf16> {te.input = "x"},
                 %g: tensor<4096xf32> {te.param = "g"}, %r: tensor<8192xf32> {te.input = "r"},
                 %ids: tensor<16384xi64> {te.input = "ids"}, %table: tensor<16384x4096xf32> {te.input = "table"},
                 %state: tensor<8192x4096xbf16> {te.state = "state", te.kind = "optimizer"})
    -> (tensor<2048x4096xf32> {te.output = "a"}, tensor<2048x4096xf32> {te.output = "b"}, tensor<16384x4096xf32> {te.output = "c"},
        tensor<8192x4096xbf16> {te.state = "state", te.kind = "optimizer"}) attributes {te.entry = "train"} {
  %early = te.matmul %dy, %x {transpose_a, role = #te.role<wgrad>} : tensor<8192x4096xbf16>, tensor<8192x4096xbf16> -> tensor<4096x4096xf32>
  %a = shard.reduce_scatter %early on @mesh grid_axes = [0] scatter_axis = 0 : tensor<4096x4096xf32> -> tensor<2048x4096xf32>
  %late = te.matmul %dy, %state {transpose_a, role = #te.role<wgrad>} : tensor<8192x4096xbf16>, tensor<8192x4096xbf16> -> tensor<4096x4096xf32>
  %b = shard.reduce_scatter %late on @mesh grid_axes = [0] scatter_axis = 0 : tensor<4096x4096xf32> -> tensor<2048x4096xf32>
  %next = arith.negf %state : tensor<8192x4096xbf16>
  %d, %dg = te.rms_norm_grad %dy, %x, %g, %r : tensor<8192x4096xbf16>, tensor<8192x4096xbf16>, tensor<4096xf32>, tensor<8192xf32> -> dx tensor<8192x4096xbf16> dgamma tensor<4096xf32>
  %all = shard.all_gather %d on @mesh grid_axes = [0] gather_axis = 0 : tensor<8192x4096xbf16> -> tensor<16384x4096xbf16>
  %c = te.add_embedding_part %table, %ids, %all rows = 32768 on @mesh axes = [0] : tensor<16384x4096xf32>, tensor<16384xi64>, tensor<16384x4096xbf16>
  return %a, %b, %c, %next : tensor<2048x4096xf32>, tensor<2048x4096xf32>, tensor<16384x4096xf32>, tensor<8192x4096xbf16>
}

// -----

// A state whose new value is needed before the rows are made keeps what reads the old
// one in front of it; what the rows are made of stays, too.
// CHECK-LABEL: func.func @train(
// CHECK: te.matmul
// CHECK: %[[NEXT:.*]] = arith.negf
// CHECK: %[[DX:.*]] = te.matmul %arg0, %[[NEXT]]
// CHECK: %[[ALL:.*]] = shard.all_gather %[[DX]]
// CHECK-NEXT: te.embedding_grad %{{.*}}, %[[ALL]]
shard.grid @mesh(shape = 2) {te.axes = ["dp"]}
func.func @train(%dy: tensor<8192x4096xbf16> {te.input = "dy"}, %ids: tensor<16384xi64> {te.input = "ids"},
                 %state: tensor<4096x4096xbf16> {te.state = "state", te.kind = "optimizer"})
    -> (tensor<8192x4096xbf16> {te.output = "a"}, tensor<16384x4096xf32> {te.output = "c"},
        tensor<4096x4096xbf16> {te.state = "state", te.kind = "optimizer"}) attributes {te.entry = "train"} {
  %a = te.matmul %dy, %state : tensor<8192x4096xbf16>, tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %next = arith.negf %state : tensor<4096x4096xbf16>
  %dx = te.matmul %dy, %next : tensor<8192x4096xbf16>, tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %all = shard.all_gather %dx on @mesh grid_axes = [0] gather_axis = 0 : tensor<8192x4096xbf16> -> tensor<16384x4096xbf16>
  %c = te.embedding_grad %ids, %all : tensor<16384xi64>, tensor<16384x4096xbf16> -> tensor<16384x4096xf32>
  return %a, %c, %next : tensor<8192x4096xbf16>, tensor<16384x4096xf32>, tensor<4096x4096xbf16>
}
