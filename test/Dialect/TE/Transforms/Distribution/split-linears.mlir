// RUN: te-opt %s --te-split-linears --split-input-file | FileCheck %s

// Keys and values are gathered, queries are not, though both are rotated: the
// features of keys and values come first, with their weight and bias.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:.*]]: tensor<8x8xf32>, %[[W:.*]]: tensor<24x8xf32>, %[[B:.*]]: tensor<24xf32>
// CHECK: %[[W1:.*]] = tensor.extract_slice %[[W]][8, 0] [8, 8] [1, 1]
// CHECK: %[[B1:.*]] = tensor.extract_slice %[[B]][8] [8] [1]
// CHECK: %[[K:.*]] = te.matmul %[[X]], %[[W1]] bias(%[[B1]] : tensor<8xf32>) {layer = "qkv", transpose_b} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
// CHECK: %[[W2:.*]] = tensor.extract_slice %[[W]][16, 0] [8, 8] [1, 1]
// CHECK: %[[B2:.*]] = tensor.extract_slice %[[B]][16] [8] [1]
// CHECK: %[[V:.*]] = te.matmul %[[X]], %[[W2]] bias(%[[B2]] : tensor<8xf32>) {layer = "qkv", transpose_b} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
// CHECK: %[[W0:.*]] = tensor.extract_slice %[[W]][0, 0] [8, 8] [1, 1]
// CHECK: %[[B0:.*]] = tensor.extract_slice %[[B]][0] [8] [1]
// CHECK: %[[Q:.*]] = te.matmul %[[X]], %[[W0]] bias(%[[B0]] : tensor<8xf32>) {layer = "qkv", transpose_b} : tensor<8x8xf32>, tensor<8x8xf32> -> tensor<8x8xf32>
// CHECK: tensor.expand_shape %[[Q]]
// CHECK: tensor.expand_shape %[[K]]
// CHECK: tensor.expand_shape %[[V]]
shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
func.func @forward(%x: tensor<8x8xf32>, %w: tensor<24x8xf32>, %b: tensor<24xf32>, %t: tensor<8x2xf32>) -> tensor<1x8x2x4xf32> {
  %qkv = te.matmul %x, %w bias(%b : tensor<24xf32>) {layer = "qkv", transpose_b} : tensor<8x8xf32>, tensor<24x8xf32> -> tensor<8x24xf32>
  %q, %k, %v = te.split %qkv axis 1 : tensor<8x24xf32> -> tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
  %q4 = tensor.expand_shape %q [[0, 1], [2, 3]] output_shape [1, 8, 2, 4] : tensor<8x8xf32> into tensor<1x8x2x4xf32>
  %k4 = tensor.expand_shape %k [[0, 1], [2, 3]] output_shape [1, 8, 2, 4] : tensor<8x8xf32> into tensor<1x8x2x4xf32>
  %v4 = tensor.expand_shape %v [[0, 1], [2, 3]] output_shape [1, 8, 2, 4] : tensor<8x8xf32> into tensor<1x8x2x4xf32>
  %qr = te.rope %q4, %t, %t : tensor<1x8x2x4xf32>, tensor<8x2xf32>, tensor<8x2xf32> -> tensor<1x8x2x4xf32>
  %kr = te.rope %k4, %t, %t : tensor<1x8x2x4xf32>, tensor<8x2xf32>, tensor<8x2xf32> -> tensor<1x8x2x4xf32>
  %ka = te.all_gather_sequence %kr on @mesh axes = [0] dim = 1 {balanced} : tensor<1x8x2x4xf32> -> tensor<1x16x2x4xf32>
  %va = te.all_gather_sequence %v4 on @mesh axes = [0] dim = 1 {balanced} : tensor<1x8x2x4xf32> -> tensor<1x16x2x4xf32>
  %o, %lse = te.attention %qr, %ka, %va {balanced, causal, query_axes = 1 : i32, scale = 0.5 : f32}
    : tensor<1x8x2x4xf32>, tensor<1x16x2x4xf32>, tensor<1x16x2x4xf32> -> tensor<1x8x2x4xf32>, tensor<1x2x8xf32>
  return %o : tensor<1x8x2x4xf32>
}

// -----

// A weight stored the other way round, and its columns; what is gathered may come
// first.
// CHECK-LABEL: func.func @columns(
// CHECK: %[[W0:.*]] = tensor.extract_slice %arg1[0, 0] [8, 6] [1, 1]
// CHECK: %[[K:.*]] = te.matmul %arg0, %[[W0]] : tensor<8x8xf32>, tensor<8x6xf32> -> tensor<8x6xf32>
// CHECK: %[[W1:.*]] = tensor.extract_slice %arg1[0, 6] [8, 10] [1, 1]
// CHECK: %[[REST:.*]] = te.matmul %arg0, %[[W1]] : tensor<8x8xf32>, tensor<8x10xf32> -> tensor<8x10xf32>
// CHECK: %[[OWN:.*]]:2 = te.split %[[REST]] axis 1 : tensor<8x10xf32> -> tensor<8x4xf32>, tensor<8x6xf32>
// CHECK: te.all_gather_sequence %[[K]]
// CHECK: return %{{.*}}, %[[OWN]]#0, %[[OWN]]#1
shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
func.func @columns(%x: tensor<8x8xf32>, %w: tensor<8x16xf32>) -> (tensor<16x6xf32>, tensor<8x4xf32>, tensor<8x6xf32>) {
  %all = te.matmul %x, %w : tensor<8x8xf32>, tensor<8x16xf32> -> tensor<8x16xf32>
  %k, %q, %r = te.split %all axis 1 : tensor<8x16xf32> -> tensor<8x6xf32>, tensor<8x4xf32>, tensor<8x6xf32>
  %ka = te.all_gather_sequence %k on @mesh axes = [0] dim = 0 : tensor<8x6xf32> -> tensor<16x6xf32>
  return %ka, %q, %r : tensor<16x6xf32>, tensor<8x4xf32>, tensor<8x6xf32>
}

// -----

// The rows of the weight's gradient that are of the queries do not wait for what
// other ranks send; the gradient of the input is one product. Rows, and columns of
// a weight stored the other way round.
// CHECK-LABEL: func.func @backward(
// CHECK-SAME: %[[DQ:.*]]: tensor<8x4xf32>, %[[DK:.*]]: tensor<16x4xf32>, %[[X:.*]]: tensor<8x6xf32>, %[[W:.*]]: tensor<8x6xf32>
// CHECK: %[[OWN:.*]] = te.reduce_scatter_sequence %[[DK]]
// CHECK: %[[ALL:.*]] = tensor.concat dim(1) %[[DQ]], %[[OWN]]
// CHECK: %[[DX:.*]] = te.matmul %[[ALL]], %[[W]]
// CHECK: %[[TOP:.*]] = te.matmul %[[DQ]], %[[X]] {role = #te.role<wgrad>, transpose_a} : tensor<8x4xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
// CHECK: %[[LATER:.*]] = tensor.extract_slice %[[ALL]][0, 4] [8, 4] [1, 1]
// CHECK: %[[BOTTOM:.*]] = te.matmul %[[LATER]], %[[X]] {role = #te.role<wgrad>, transpose_a} : tensor<8x4xf32>, tensor<8x6xf32> -> tensor<4x6xf32>
// CHECK: %[[DW:.*]] = tensor.concat dim(0) %[[TOP]], %[[BOTTOM]]
// CHECK: %[[LEFT:.*]] = te.matmul %[[X]], %[[DQ]] {{.*}} -> tensor<6x4xf32>
// CHECK: %[[RIGHT:.*]] = te.matmul %[[X]], %{{.*}} -> tensor<6x4xf32>
// CHECK: %[[DWT:.*]] = tensor.concat dim(1) %[[LEFT]], %[[RIGHT]]
// CHECK: return %[[DX]], %[[DW]], %[[DWT]]
shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
func.func @backward(%dq: tensor<8x4xf32>, %dk: tensor<16x4xf32>, %x: tensor<8x6xf32>, %w: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>, tensor<6x8xf32>) {
  %own = te.reduce_scatter_sequence %dk on @mesh axes = [0] dim = 0 {balanced} : tensor<16x4xf32> -> tensor<8x4xf32>
  %all = tensor.concat dim(1) %dq, %own : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  %dx = te.matmul %all, %w {role = #te.role<dgrad>} : tensor<8x8xf32>, tensor<8x6xf32> -> tensor<8x6xf32>
  %dw = te.matmul %all, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x8xf32>, tensor<8x6xf32> -> tensor<8x6xf32>
  %dwt = te.matmul %x, %all {input_first, role = #te.role<wgrad>, transpose_a} : tensor<8x6xf32>, tensor<8x8xf32> -> tensor<6x8xf32>
  return %dx, %dw, %dwt : tensor<8x6xf32>, tensor<8x6xf32>, tensor<6x8xf32>
}

// -----

// All or nothing is gathered, or what is gathered lies in between, or another
// reads the whole; and there is an axis to gather along.
// CHECK-LABEL: func.func @same(
// CHECK-COUNT-4: te.matmul
// CHECK-NOT: te.matmul
// CHECK: return
shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
func.func @same(%x: tensor<8x8xf32>, %w: tensor<12x8xf32>) -> (tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<8x12xf32>) {
  %all = te.matmul %x, %w {transpose_b} : tensor<8x8xf32>, tensor<12x8xf32> -> tensor<8x12xf32>
  %a:3 = te.split %all axis 1 : tensor<8x12xf32> -> tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  %a0 = te.all_gather_sequence %a#0 on @mesh axes = [0] dim = 0 : tensor<8x4xf32> -> tensor<16x4xf32>
  %a1 = te.all_gather_sequence %a#1 on @mesh axes = [0] dim = 0 : tensor<8x4xf32> -> tensor<16x4xf32>
  %a2 = te.all_gather_sequence %a#2 on @mesh axes = [0] dim = 0 : tensor<8x4xf32> -> tensor<16x4xf32>
  %as = te.add %a0, %a1 : tensor<16x4xf32>, tensor<16x4xf32> -> tensor<16x4xf32>
  %at = te.add %as, %a2 : tensor<16x4xf32>, tensor<16x4xf32> -> tensor<16x4xf32>
  %none = te.matmul %x, %w {transpose_b} : tensor<8x8xf32>, tensor<12x8xf32> -> tensor<8x12xf32>
  %b:3 = te.split %none axis 1 : tensor<8x12xf32> -> tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  %between = te.matmul %x, %w {transpose_b} : tensor<8x8xf32>, tensor<12x8xf32> -> tensor<8x12xf32>
  %c:3 = te.split %between axis 1 : tensor<8x12xf32> -> tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>
  %cg = te.all_gather_sequence %c#1 on @mesh axes = [0] dim = 0 : tensor<8x4xf32> -> tensor<16x4xf32>
  %d0 = tensor.concat dim(1) %b#0, %b#1, %b#2 : (tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x12xf32>
  %read = te.matmul %x, %w {transpose_b} : tensor<8x8xf32>, tensor<12x8xf32> -> tensor<8x12xf32>
  %e:2 = te.split %read axis 1 : tensor<8x12xf32> -> tensor<8x4xf32>, tensor<8x8xf32>
  %eg = te.all_gather_sequence %e#0 on @mesh axes = [0] dim = 0 : tensor<8x4xf32> -> tensor<16x4xf32>
  %es = te.add %read, %d0 : tensor<8x12xf32>, tensor<8x12xf32> -> tensor<8x12xf32>
  return %at, %cg, %eg, %es : tensor<16x4xf32>, tensor<16x4xf32>, tensor<16x4xf32>, tensor<8x12xf32>
}

// -----

// CHECK-LABEL: func.func @alone(
// CHECK-NEXT: te.matmul
// CHECK-NEXT: te.split
func.func @alone(%x: tensor<8x8xf32>, %w: tensor<12x8xf32>) -> tensor<8x4xf32> {
  %all = te.matmul %x, %w {transpose_b} : tensor<8x8xf32>, tensor<12x8xf32> -> tensor<8x12xf32>
  %a:2 = te.split %all axis 1 : tensor<8x12xf32> -> tensor<8x4xf32>, tensor<8x8xf32>
  return %a#0 : tensor<8x4xf32>
}
