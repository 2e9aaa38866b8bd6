// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-gather-quantized --split-input-file | FileCheck %s
// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-gather-quantized --te-validate-spmd --split-input-file -o /dev/null
// RUN: te-opt %s --te-gather-quantized --split-input-file | FileCheck %s --check-prefix=UNKNOWN
// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-gather-quantized --te-fuse --te-schedule-collectives --split-input-file | FileCheck %s --check-prefix=ORDER

// A product is in front of the gradient of the weight: the columnwise copy is
// exchanged beside it, behind the rowwise one, which is waited for.
// CHECK-LABEL: func.func @hidden(
// CHECK: %[[ROWS:.*]], %[[COLUMNS:.*]] = te.quantize %{{.*}} : tensor<4096x4096xbf16> -> rowwise tensor<4096x4096xf8E4M3FN> columnwise tensor<4096x4096xf8E4M3FN>
// CHECK: %[[Q:.*]] = shard.all_gather %[[ROWS]] on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xf8E4M3FN> -> tensor<8192x4096xf8E4M3FN>
// CHECK: %[[QT:.*]] = shard.all_gather %[[COLUMNS]] on @mesh grid_axes = [0] gather_axis = 1 : tensor<4096x4096xf8E4M3FN> -> tensor<4096x8192xf8E4M3FN>
// CHECK-NOT: linalg.transpose
// CHECK: te.scaled_matmul %[[Q]]
// CHECK: te.scaled_matmul %{{.*}}, %[[QT]]

// The kernel that computes the rows writes both copies.
// ORDER-LABEL: func.func @hidden(
// ORDER: te.layer_norm {{.*}} rowwise tensor<4096x4096xf8E4M3FN> columnwise tensor<4096x4096xf8E4M3FN>
// ORDER-NEXT: shard.all_gather {{.*}} gather_axis = 0
// ORDER-NEXT: shard.all_gather {{.*}} gather_axis = 1

// UNKNOWN-LABEL: func.func @hidden(
// UNKNOWN: linalg.transpose
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @hidden(%x: tensor<4096x4096xbf16>, %g: tensor<4096xf32>, %b: tensor<4096xf32>, %s: tensor<f32>, %si: tensor<f32>,
                  %w: tensor<6144x4096xf8E4M3FN>, %dyt: tensor<6144x8192xf8E5M2>)
    -> (tensor<8192x6144xbf16>, tensor<6144x4096xbf16>) attributes {te.entry = "vjp"} {
  %n, %m, %r = te.layer_norm %x, %g, %b {eps = 1.0e-5 : f32} : tensor<4096x4096xbf16>, tensor<4096xf32>, tensor<4096xf32> -> y tensor<4096x4096xbf16> stats tensor<4096xf32>, tensor<4096xf32>
  %all = shard.all_gather %n on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %q, %qt = te.quantize %all, %s : tensor<8192x4096xbf16> -> rowwise tensor<8192x4096xf8E4M3FN> columnwise tensor<4096x8192xf8E4M3FN>
  %y = te.scaled_matmul %q, %w scales(%si, %si) {accumulate = #te.accumulate<fast>} : tensor<8192x4096xf8E4M3FN>, tensor<6144x4096xf8E4M3FN> -> tensor<8192x6144xbf16>
  %dw = te.scaled_matmul %dyt, %qt scales(%si, %si) {role = #te.role<wgrad>} : tensor<6144x8192xf8E5M2>, tensor<4096x8192xf8E4M3FN> -> tensor<6144x4096xbf16>
  return %y, %dw : tensor<8192x6144xbf16>, tensor<6144x4096xbf16>
}

// -----

// Nothing is in front of the first reader: it would wait for the collective.
// CHECK-LABEL: func.func @exposed(
// CHECK: shard.all_gather {{.*}} gather_axis = 0
// CHECK: linalg.transpose
// CHECK-NOT: shard.all_gather
// CHECK: return
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @exposed(%x: tensor<4096x4096xbf16>, %s: tensor<f32>, %si: tensor<f32>, %dyt: tensor<6144x8192xf8E5M2>) -> tensor<6144x4096xbf16> {
  %all = shard.all_gather %x on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %qt = te.quantize %all, %s : tensor<8192x4096xbf16> -> columnwise tensor<4096x8192xf8E4M3FN>
  %dw = te.scaled_matmul %dyt, %qt scales(%si, %si) {role = #te.role<wgrad>} : tensor<6144x8192xf8E5M2>, tensor<4096x8192xf8E4M3FN> -> tensor<6144x4096xbf16>
  return %dw : tensor<6144x4096xbf16>
}

// -----

// Between hosts, whose links are slow, the product is not long enough.
// CHECK-LABEL: func.func @hosts(
// CHECK: shard.all_gather {{.*}} gather_axis = 0
// CHECK: linalg.transpose
// CHECK-NOT: shard.all_gather
// CHECK: return
shard.grid @mesh(shape = 2x16) {te.axes = ["tp", "dp"]}
func.func @hosts(%x: tensor<4096x4096xbf16>, %s: tensor<f32>, %si: tensor<f32>, %w: tensor<1024x4096xf8E4M3FN>, %dyt: tensor<6144x8192xf8E5M2>)
    -> (tensor<8192x1024xbf16>, tensor<6144x4096xbf16>) {
  %all = shard.all_gather %x on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %q, %qt = te.quantize %all, %s : tensor<8192x4096xbf16> -> rowwise tensor<8192x4096xf8E4M3FN> columnwise tensor<4096x8192xf8E4M3FN>
  %y = te.scaled_matmul %q, %w scales(%si, %si) {accumulate = #te.accumulate<fast>} : tensor<8192x4096xf8E4M3FN>, tensor<1024x4096xf8E4M3FN> -> tensor<8192x1024xbf16>
  %dw = te.scaled_matmul %dyt, %qt scales(%si, %si) {role = #te.role<wgrad>} : tensor<6144x8192xf8E5M2>, tensor<4096x8192xf8E4M3FN> -> tensor<6144x4096xbf16>
  return %y, %dw : tensor<8192x1024xbf16>, tensor<6144x4096xbf16>
}
