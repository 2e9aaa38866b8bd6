// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-split-scatters --split-input-file | FileCheck %s
// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-split-scatters --te-schedule-collectives --split-input-file | FileCheck %s --check-prefix=ORDER
// RUN: te-opt %s --te-split-scatters --split-input-file | FileCheck %s --check-prefix=SAME
// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-split-scatters --split-input-file --remarks-filter=te-split-scatters -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Halves of the features, and of the residual that is added to them.
// CHECK-LABEL: func.func @residual(
// CHECK-SAME: %[[A:[a-z0-9]+]]: tensor<8192x8192xf8E4M3FN>, %[[W:[a-z0-9]+]]: tensor<4096x8192xf8E4M3FN>, %[[R:[a-z0-9]+]]: tensor<4096x4096xbf16>
// CHECK: %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0] [2048, 8192] [1, 1]
// CHECK: %[[D0:.*]] = te.scaled_matmul %[[A]], %[[W0]] scales(%{{.*}}, %{{.*}}) {accumulate = #te.accumulate<fast>, layer = "fc2"} : {{.*}} -> tensor<8192x2048xbf16>
// CHECK: %[[S0:.*]] = shard.reduce_scatter %[[D0]] on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x2048xbf16> -> tensor<4096x2048xbf16>
// CHECK: %[[W1:.*]] = tensor.extract_slice %[[W]][2048, 0] [2048, 8192] [1, 1]
// CHECK: %[[D1:.*]] = te.scaled_matmul %[[A]], %[[W1]]
// CHECK: %[[S1:.*]] = shard.reduce_scatter %[[D1]]
// CHECK: %[[R0:.*]] = tensor.extract_slice %[[R]][0, 0] [4096, 2048] [1, 1]
// CHECK: %[[Y0:.*]] = te.add %[[R0]], %[[S0]]
// CHECK: %[[R1:.*]] = tensor.extract_slice %[[R]][0, 2048] [4096, 2048] [1, 1]
// CHECK: %[[Y1:.*]] = te.add %[[R1]], %[[S1]]
// CHECK: %[[Y:.*]] = tensor.concat dim(1) %[[Y0]], %[[Y1]]
// CHECK: return %[[Y]]

// The order stays: the sum that was begun first is waited for first.
// ORDER-LABEL: func.func @residual(
// ORDER: %[[S0:.*]] = shard.reduce_scatter
// ORDER: te.scaled_matmul
// ORDER: %[[S1:.*]] = shard.reduce_scatter
// ORDER: te.add %{{.*}}, %[[S0]]
// ORDER: te.add %{{.*}}, %[[S1]]

// SAME-LABEL: func.func @residual(
// SAME-COUNT-1: te.scaled_matmul
// SAME-NOT: te.scaled_matmul
// SAME: return
// REMARK: [Passed] Split | Category:te-split-scatters | Function=residual | GainMicroseconds={{[1-9][0-9.e+]*}}, Remark="half of the sum is communicated while the other half of its terms is computed"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @residual(%a: tensor<8192x8192xf8E4M3FN>, %w: tensor<4096x8192xf8E4M3FN>, %r: tensor<4096x4096xbf16>, %sa: tensor<f32>, %sw: tensor<f32>)
    -> tensor<4096x4096xbf16> attributes {te.entry = "forward"} {
  %d = te.scaled_matmul %a, %w scales(%sa, %sw) {accumulate = #te.accumulate<fast>, layer = "fc2"} : tensor<8192x8192xf8E4M3FN>, tensor<4096x8192xf8E4M3FN> -> tensor<8192x4096xbf16>
  %s = shard.reduce_scatter %d on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %y = te.add %r, %s : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}

// -----

// A bias has halves, too; a residual that repeats over rows is added to the whole.
// CHECK-LABEL: func.func @bias(
// CHECK: %[[B0:.*]] = tensor.extract_slice %[[B:.*]][0] [2048] [1]
// CHECK: te.scaled_matmul {{.*}} bias(%[[B0]] : tensor<2048xf32>)
// CHECK: %[[B1:.*]] = tensor.extract_slice %[[B]][2048] [2048] [1]
// CHECK: te.scaled_matmul {{.*}} bias(%[[B1]] : tensor<2048xf32>)
// CHECK: %[[S:.*]] = tensor.concat dim(1)
// CHECK: te.add %[[S]], %{{.*}} : tensor<4096x4096xbf16>, tensor<1x4096xf32>
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @bias(%a: tensor<8192x8192xf8E4M3FN>, %w: tensor<4096x8192xf8E4M3FN>, %b: tensor<4096xf32>, %r: tensor<1x4096xf32>, %sa: tensor<f32>, %sw: tensor<f32>)
    -> tensor<4096x4096xbf16> attributes {te.entry = "forward"} {
  %d = te.scaled_matmul %a, %w scales(%sa, %sw) bias(%b : tensor<4096xf32>) {layer = "fc2"} : tensor<8192x8192xf8E4M3FN>, tensor<4096x8192xf8E4M3FN> -> tensor<8192x4096xbf16>
  %s = shard.reduce_scatter %d on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %y = te.add %s, %r : tensor<4096x4096xbf16>, tensor<1x4096xf32> -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}

// -----

// The terms are read besides, the features do not fill tiles, the product is one of
// the backward pass, ranks along another axis add it up: nothing is cut.
// CHECK-LABEL: func.func @whole(
// CHECK-COUNT-4: te.scaled_matmul
// CHECK-NOT: te.scaled_matmul
// CHECK: return
shard.grid @mesh(shape = 2x2) {te.axes = ["tp", "dp"]}
func.func @whole(%a: tensor<8192x8192xf8E4M3FN>, %w: tensor<4096x8192xf8E4M3FN>, %v: tensor<144x8192xf8E4M3FN>, %sa: tensor<f32>, %sw: tensor<f32>)
    -> (tensor<8192x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096x144xbf16>, tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) attributes {te.entry = "forward"} {
  %d0 = te.scaled_matmul %a, %w scales(%sa, %sw) {layer = "a"} : tensor<8192x8192xf8E4M3FN>, tensor<4096x8192xf8E4M3FN> -> tensor<8192x4096xbf16>
  %s0 = shard.reduce_scatter %d0 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %d1 = te.scaled_matmul %a, %v scales(%sa, %sw) {layer = "b"} : tensor<8192x8192xf8E4M3FN>, tensor<144x8192xf8E4M3FN> -> tensor<8192x144xbf16>
  %s1 = shard.reduce_scatter %d1 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x144xbf16> -> tensor<4096x144xbf16>
  %d2 = te.scaled_matmul %a, %w scales(%sa, %sw) {layer = "c", role = #te.role<dgrad>} : tensor<8192x8192xf8E4M3FN>, tensor<4096x8192xf8E4M3FN> -> tensor<8192x4096xbf16>
  %s2 = shard.reduce_scatter %d2 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %d3 = te.scaled_matmul %a, %w scales(%sa, %sw) {layer = "d"} : tensor<8192x8192xf8E4M3FN>, tensor<4096x8192xf8E4M3FN> -> tensor<8192x4096xbf16>
  %s3 = shard.reduce_scatter %d3 on @mesh grid_axes = [1] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  return %d0, %s0, %s1, %s2, %s3 : tensor<8192x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096x144xbf16>, tensor<4096x4096xbf16>, tensor<4096x4096xbf16>
}

// -----

// Small ones lose more than they gain.
// CHECK-LABEL: func.func @small(
// CHECK-COUNT-1: te.scaled_matmul
// CHECK-NOT: te.scaled_matmul
// CHECK: return
// REMARK: [Missed] Split | Category:te-split-scatters | Function=small | LossMicroseconds={{[0-9.e+-]*}}, Reason="two halves take longer than one collective"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @small(%a: tensor<256x256xf8E4M3FN>, %w: tensor<256x256xf8E4M3FN>, %sa: tensor<f32>, %sw: tensor<f32>)
    -> tensor<128x256xbf16> attributes {te.entry = "forward"} {
  %d = te.scaled_matmul %a, %w scales(%sa, %sw) {layer = "fc2"} : tensor<256x256xf8E4M3FN>, tensor<256x256xf8E4M3FN> -> tensor<256x256xbf16>
  %s = shard.reduce_scatter %d on @mesh grid_axes = [0] scatter_axis = 0 : tensor<256x256xbf16> -> tensor<128x256xbf16>
  return %s : tensor<128x256xbf16>
}

// -----

// A bias that had been added to the residual is added in the pass that adds the
// sum, and nothing is rounded between.
// CHECK-LABEL: func.func @bias_apart(
// CHECK-SAME: %[[R:[a-z0-9]+]]: tensor<4096x4096xbf16>, %[[B:[a-z0-9]+]]: tensor<1x4096xf32>
// CHECK: %[[S0:.*]] = shard.reduce_scatter
// CHECK: %[[S1:.*]] = shard.reduce_scatter
// CHECK-NOT: te.add
// CHECK: %[[R0:.*]] = tensor.extract_slice %[[R]][0, 0] [4096, 2048] [1, 1]
// CHECK: %[[B0:.*]] = tensor.extract_slice %[[B]][0, 0] [1, 2048] [1, 1]
// CHECK: %[[Y0:.*]] = linalg.generic {{.*}} ins(%[[R0]], %[[B0]], %[[S0]] : tensor<4096x2048xbf16>, tensor<1x2048xf32>, tensor<4096x2048xbf16>)
// CHECK: ^bb0(%[[R00:.*]]: bf16, %[[B00:.*]]: f32, %[[S00:.*]]: bf16, %{{.*}}: bf16):
// CHECK: %[[R32:.*]] = arith.extf %[[R00]] : bf16 to f32
// CHECK: %[[S32:.*]] = arith.extf %[[S00]] : bf16 to f32
// CHECK: %[[RB:.*]] = arith.addf %[[R32]], %[[B00]] : f32
// CHECK: %[[RBS:.*]] = arith.addf %[[RB]], %[[S32]] : f32
// CHECK: %[[SUM:.*]] = arith.truncf %[[RBS]] : f32 to bf16
// CHECK: linalg.yield %[[SUM]]
// CHECK: %[[R1:.*]] = tensor.extract_slice %[[R]][0, 2048] [4096, 2048] [1, 1]
// CHECK: %[[B1:.*]] = tensor.extract_slice %[[B]][0, 2048] [1, 2048] [1, 1]
// CHECK: %[[Y1:.*]] = linalg.generic {{.*}} ins(%[[R1]], %[[B1]], %[[S1]]
// CHECK: %[[Y:.*]] = tensor.concat dim(1) %[[Y0]], %[[Y1]]
// CHECK: return %[[Y]]
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @bias_apart(%a: tensor<8192x8192xf8E4M3FN>, %w: tensor<4096x8192xf8E4M3FN>, %r: tensor<4096x4096xbf16>, %b: tensor<1x4096xf32>, %sa: tensor<f32>, %sw: tensor<f32>)
    -> tensor<4096x4096xbf16> attributes {te.entry = "forward"} {
  %d = te.scaled_matmul %a, %w scales(%sa, %sw) {accumulate = #te.accumulate<fast>, layer = "fc2"} : tensor<8192x8192xf8E4M3FN>, tensor<4096x8192xf8E4M3FN> -> tensor<8192x4096xbf16>
  %s = shard.reduce_scatter %d on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %rb = te.add %r, %b : tensor<4096x4096xbf16>, tensor<1x4096xf32> -> tensor<4096x4096xbf16>
  %y = te.add %rb, %s : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> -> tensor<4096x4096xbf16>
  return %y : tensor<4096x4096xbf16>
}

// -----

// What else reads the residual with its bias keeps it.
// CHECK-LABEL: func.func @bias_read_twice(
// CHECK: %[[RB:.*]] = te.add
// CHECK: te.add %{{.*}}, %{{.*}} : tensor<4096x2048xbf16>
// CHECK-NOT: linalg.generic
// CHECK: return %{{.*}}, %[[RB]]
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @bias_read_twice(%a: tensor<8192x8192xf8E4M3FN>, %w: tensor<4096x8192xf8E4M3FN>, %r: tensor<4096x4096xbf16>, %b: tensor<1x4096xf32>, %sa: tensor<f32>, %sw: tensor<f32>)
    -> (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>) attributes {te.entry = "forward"} {
  %d = te.scaled_matmul %a, %w scales(%sa, %sw) {accumulate = #te.accumulate<fast>, layer = "fc2"} : tensor<8192x8192xf8E4M3FN>, tensor<4096x8192xf8E4M3FN> -> tensor<8192x4096xbf16>
  %s = shard.reduce_scatter %d on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %rb = te.add %r, %b : tensor<4096x4096xbf16>, tensor<1x4096xf32> -> tensor<4096x4096xbf16>
  %y = te.add %rb, %s : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> -> tensor<4096x4096xbf16>
  return %y, %rb : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>
}
