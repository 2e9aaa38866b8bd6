// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-schedule-collectives --split-input-file | FileCheck %s
// RUN: te-opt %s --te-schedule-collectives --split-input-file | FileCheck %s --check-prefix=SAME

// Backward: the sum of dx begins before the gradient of a weight that was written
// in front of it, and an older such gradient runs beside it; then there is that
// one for the gather behind the norm.
// CHECK-LABEL: func.func @backward(
// CHECK: %[[DX:.*]] = te.matmul %arg2, %arg3 {
// CHECK-NEXT: %[[PART:.*]] = shard.reduce_scatter %[[DX]]
// CHECK-NEXT: %[[DW1:.*]] = te.matmul %arg0, %arg1 {
// CHECK-NEXT: %[[D:.*]], %{{.*}} = te.rms_norm_grad %[[PART]]
// CHECK-NEXT: %[[ALL:.*]] = shard.all_gather %[[D]]
// CHECK-NEXT: %[[DW2:.*]] = te.matmul %arg2, %arg4 {
// CHECK-NEXT: %[[Y:.*]] = te.matmul %[[ALL]]
// CHECK-NEXT: return %[[DW1]], %[[DW2]], %[[Y]]

// Without costs nothing is known, and nothing moves.
// SAME-LABEL: func.func @backward(
// SAME: te.matmul %arg0, %arg1
// SAME: te.matmul %arg2, %arg3
// SAME: te.matmul %arg2, %arg4
// SAME: shard.reduce_scatter
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @backward(%dy1: tensor<8192x4096xbf16>, %x1: tensor<8192x4096xbf16>, %dy: tensor<8192x4096xbf16>, %w: tensor<4096x4096xbf16>,
                    %x: tensor<8192x4096xbf16>, %h: tensor<4096x4096xbf16>, %g: tensor<4096xf32>, %r: tensor<4096xf32>)
    -> (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<8192x4096xbf16>) attributes {te.entry = "vjp"} {
  %dw1 = te.matmul %dy1, %x1 {transpose_a, role = #te.role<wgrad>} : tensor<8192x4096xbf16>, tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %dx = te.matmul %dy, %w {role = #te.role<dgrad>} : tensor<8192x4096xbf16>, tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %dw2 = te.matmul %dy, %x {transpose_a, role = #te.role<wgrad>} : tensor<8192x4096xbf16>, tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %part = shard.reduce_scatter %dx on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %d, %dg = te.rms_norm_grad %part, %h, %g, %r : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<4096xf32>, tensor<4096xf32> -> dx tensor<4096x4096xbf16> dgamma tensor<4096xf32>
  %all = shard.all_gather %d on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %y = te.matmul %all, %w {role = #te.role<dgrad>} : tensor<8192x4096xbf16>, tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  return %dw1, %dw2, %y : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<8192x4096xbf16>
}

// -----

// Forward: a copy of a weight that is read behind the gather does not wait for it,
// with the view that it reads; small ones stay where they are.
// CHECK-LABEL: func.func @forward(
// CHECK: %[[ALL:.*]] = shard.all_gather
// CHECK-NEXT: %[[SLICE:.*]] = tensor.extract_slice
// CHECK-NEXT: %[[Q:.*]] = te.quantize %[[SLICE]], %{{.*}} : tensor<8192x4096xbf16>
// CHECK-NEXT: %[[Y:.*]] = arith.addf %[[ALL]]
// CHECK-NEXT: te.quantize %{{.*}} : tensor<16x16xbf16>
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @forward(%x: tensor<4096x4096xbf16>, %w: tensor<8192x8192xbf16>, %v: tensor<16x16xbf16>, %s: tensor<f32>)
    -> (tensor<8192x4096xbf16>, tensor<8192x4096xf8E4M3FN>, tensor<16x16xf8E4M3FN>) attributes {te.entry = "forward"} {
  %n = arith.negf %x : tensor<4096x4096xbf16>
  %all = shard.all_gather %n on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %y = arith.addf %all, %all : tensor<8192x4096xbf16>
  %small = te.quantize %v, %s : tensor<16x16xbf16> -> rowwise tensor<16x16xf8E4M3FN>
  %half = tensor.extract_slice %w[0, 0] [8192, 4096] [1, 1] : tensor<8192x8192xbf16> to tensor<8192x4096xbf16>
  %q = te.quantize %half, %s : tensor<8192x4096xbf16> -> rowwise tensor<8192x4096xf8E4M3FN>
  return %y, %q, %small : tensor<8192x4096xbf16>, tensor<8192x4096xf8E4M3FN>, tensor<16x16xf8E4M3FN>
}

// -----

// What the end of the entry alone reads lets the next collective go first. What is
// exchanged along other axes stays where it is.
// CHECK-LABEL: func.func @urgent(
// CHECK: shard.all_reduce
// CHECK: %[[D:.*]] = arith.negf
// CHECK-NEXT: %[[ALL:.*]] = shard.all_gather %[[D]]
// CHECK-NEXT: %[[Y:.*]] = shard.all_gather %arg0
// CHECK-NEXT: %[[VIEW:.*]] = tensor.expand_shape %[[Y]]
// CHECK-NEXT: %[[Z:.*]] = arith.negf %[[ALL]]
// CHECK-NEXT: return %[[VIEW]], %[[Z]]
shard.grid @mesh(shape = 2x2) {te.axes = ["dp", "tp"]}
func.func @urgent(%x: tensor<4096x4096xbf16>, %dy: tensor<4096x4096xbf16>, %g: tensor<4096x4096xbf16>)
    -> (tensor<2x4096x4096xbf16>, tensor<8192x4096xbf16>, tensor<4096x4096xbf16>) attributes {te.entry = "vjp"} {
  %y = shard.all_gather %x on @mesh grid_axes = [1] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %view = tensor.expand_shape %y [[0, 1], [2]] output_shape [2, 4096, 4096] : tensor<8192x4096xbf16> into tensor<2x4096x4096xbf16>
  %sum = shard.all_reduce %g on @mesh grid_axes = [0] : tensor<4096x4096xbf16> -> tensor<4096x4096xbf16>
  %d = arith.negf %dy : tensor<4096x4096xbf16>
  %all = shard.all_gather %d on @mesh grid_axes = [1] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %z = arith.negf %all : tensor<8192x4096xbf16>
  return %view, %z, %sum : tensor<2x4096x4096xbf16>, tensor<8192x4096xbf16>, tensor<4096x4096xbf16>
}

// -----

// A state that is read and then replaced is one place in memory: its reader does
// not move behind its update.
// CHECK-LABEL: func.func @update(
// CHECK: %[[Q:.*]] = te.quantize %arg1
// CHECK-NEXT: %[[NEW:.*]] = arith.addf %arg1
// CHECK-NEXT: arith.truncf
// CHECK-NEXT: shard.all_gather
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @update(%x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xf32> {te.param = "w"}, %s: tensor<f32>)
    -> (tensor<8192x4096xbf16>, tensor<4096x4096xf8E4M3FN>, tensor<4096x4096xf32> {te.param = "w"}) attributes {te.entry = "train"} {
  %q = te.quantize %w, %s : tensor<4096x4096xf32> -> rowwise tensor<4096x4096xf8E4M3FN>
  %new = arith.addf %w, %w : tensor<4096x4096xf32>
  %cast = arith.truncf %new : tensor<4096x4096xf32> to tensor<4096x4096xbf16>
  %all = shard.all_gather %cast on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %y = arith.addf %all, %all : tensor<8192x4096xbf16>
  return %y, %q, %new : tensor<8192x4096xbf16>, tensor<4096x4096xf8E4M3FN>, tensor<4096x4096xf32>
}

// -----

// Ranks that share sequences: the gradients of keys and values are on their way
// while those of weights are computed: one from before, with the sum over ranks
// that it is a term of, and what needs queries alone, in front of the copies that
// put the three together.
// CHECK-LABEL: func.func @sequences(
// CHECK-NEXT: %[[DK:.*]] = te.reduce_scatter_sequence %arg3
// CHECK-NEXT: %[[DV:.*]] = te.reduce_scatter_sequence %arg4
// CHECK-NEXT: %[[DW:.*]] = te.matmul %arg0, %arg1
// CHECK-NEXT: shard.all_reduce %[[DW]]
// CHECK-NEXT: %[[DWQ:.*]] = te.matmul %arg2, %arg1
// CHECK-NEXT: %[[ALL:.*]] = tensor.concat dim(1) %arg2, %[[DK]], %[[DV]]
// CHECK-NEXT: te.matmul %[[ALL]]

// SAME-LABEL: func.func @sequences(
// SAME: te.matmul %arg0, %arg1
// SAME: te.reduce_scatter_sequence
shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
func.func @sequences(%dy: tensor<16384x2048xbf16>, %x: tensor<16384x2048xbf16>, %dq: tensor<16384x2048xbf16>,
                     %dk: tensor<32768x2048xbf16>, %dv: tensor<32768x2048xbf16>, %w: tensor<6144x2048xbf16>)
    -> (tensor<2048x2048xf32>, tensor<16384x2048xbf16>, tensor<2048x2048xf32>) attributes {te.entry = "vjp"} {
  %dw = te.matmul %dy, %x {transpose_a, role = #te.role<wgrad>} : tensor<16384x2048xbf16>, tensor<16384x2048xbf16> -> tensor<2048x2048xf32>
  %sum = shard.all_reduce %dw on @mesh grid_axes = [0] : tensor<2048x2048xf32> -> tensor<2048x2048xf32>
  %k = te.reduce_scatter_sequence %dk on @mesh axes = [0] dim = 0 {balanced} : tensor<32768x2048xbf16> -> tensor<16384x2048xbf16>
  %v = te.reduce_scatter_sequence %dv on @mesh axes = [0] dim = 0 {balanced} : tensor<32768x2048xbf16> -> tensor<16384x2048xbf16>
  %all = tensor.concat dim(1) %dq, %k, %v : (tensor<16384x2048xbf16>, tensor<16384x2048xbf16>, tensor<16384x2048xbf16>) -> tensor<16384x6144xbf16>
  %dx = te.matmul %all, %w {role = #te.role<dgrad>} : tensor<16384x6144xbf16>, tensor<6144x2048xbf16> -> tensor<16384x2048xbf16>
  %dwq = te.matmul %dq, %x {transpose_a, role = #te.role<wgrad>} : tensor<16384x2048xbf16>, tensor<16384x2048xbf16> -> tensor<2048x2048xf32>
  return %sum, %dx, %dwq : tensor<2048x2048xf32>, tensor<16384x2048xbf16>, tensor<2048x2048xf32>
}

// -----

// Of two collectives of what one kernel makes, the one that is waited for goes
// first; the other begins when it is there, and takes no work from it or from
// those before: one gradient of a weight is left for each.
// CHECK-LABEL: func.func @columns(
// CHECK: %[[DX:.*]] = te.matmul %arg2, %arg3 {
// CHECK-NEXT: %[[PART:.*]] = shard.reduce_scatter %[[DX]]
// CHECK-NEXT: te.matmul {{.*}} #te.role<wgrad>
// CHECK-NEXT: %[[Q:.*]], %[[QT:.*]] = te.quantize %[[PART]]
// CHECK-NEXT: %[[ROWS:.*]] = shard.all_gather %[[Q]] {{.*}} gather_axis = 0
// CHECK-NEXT: %[[COLUMNS:.*]] = shard.all_gather %[[QT]] {{.*}} gather_axis = 1
// CHECK-NEXT: te.matmul {{.*}} #te.role<wgrad>
// CHECK-NEXT: %[[Y:.*]] = te.scaled_matmul %[[ROWS]]
// CHECK-NEXT: %[[DW:.*]] = te.scaled_matmul %[[COLUMNS]]
// CHECK-NEXT: return
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @columns(%dy1: tensor<8192x4096xbf16>, %x1: tensor<8192x4096xbf16>, %dy: tensor<8192x4096xbf16>, %w: tensor<4096x4096xbf16>,
                   %x: tensor<8192x4096xbf16>, %wq: tensor<4096x4096xf8E4M3FN>, %xq: tensor<2048x8192xf8E4M3FN>, %s: tensor<f32>)
    -> (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<8192x4096xbf16>, tensor<4096x2048xbf16>) attributes {te.entry = "vjp"} {
  %dw1 = te.matmul %dy1, %x1 {transpose_a, role = #te.role<wgrad>} : tensor<8192x4096xbf16>, tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %dx = te.matmul %dy, %w {role = #te.role<dgrad>} : tensor<8192x4096xbf16>, tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %dw2 = te.matmul %dy, %x {transpose_a, role = #te.role<wgrad>} : tensor<8192x4096xbf16>, tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %part = shard.reduce_scatter %dx on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %q, %qt = te.quantize %part, %s : tensor<4096x4096xbf16> -> rowwise tensor<4096x4096xf8E5M2> columnwise tensor<4096x4096xf8E5M2>
  %rows = shard.all_gather %q on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xf8E5M2> -> tensor<8192x4096xf8E5M2>
  %columns = shard.all_gather %qt on @mesh grid_axes = [0] gather_axis = 1 : tensor<4096x4096xf8E5M2> -> tensor<4096x8192xf8E5M2>
  %y = te.scaled_matmul %rows, %wq scales(%s, %s) {role = #te.role<dgrad>} : tensor<8192x4096xf8E5M2>, tensor<4096x4096xf8E4M3FN> -> tensor<8192x4096xbf16>
  %dw = te.scaled_matmul %columns, %xq scales(%s, %s) {role = #te.role<wgrad>} : tensor<4096x8192xf8E5M2>, tensor<2048x8192xf8E4M3FN> -> tensor<4096x2048xbf16>
  return %dw1, %dw2, %y, %dw : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<8192x4096xbf16>, tensor<4096x2048xbf16>
}

// -----

// A new state that nobody reads comes last. What it is put into with something that
// is made later stays behind both.
// CHECK-LABEL: func.func @joined_state(
// CHECK: shard.all_gather
// CHECK-NEXT: %[[FIRST:.*]] = arith.addf
// CHECK-NEXT: %[[SECOND:.*]] = te.matmul
// CHECK-NEXT: %[[HALF:.*]] = tensor.insert_slice %[[SECOND]]
// CHECK-NEXT: tensor.insert_slice %[[FIRST]] into %[[HALF]]
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @joined_state(%copy: tensor<8192x4096xbf16> {te.state = "copy"}, %x: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16>)
    -> (tensor<8192x4096xbf16> {te.state = "copy"}) attributes {te.entry = "train"} {
  %first = arith.addf %w, %w : tensor<4096x4096xbf16>
  %n = arith.negf %x : tensor<4096x4096xbf16>
  %all = shard.all_gather %n on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %second = te.matmul %all, %all {transpose_a, role = #te.role<wgrad>} : tensor<8192x4096xbf16>, tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %half = tensor.insert_slice %second into %copy[4096, 0] [4096, 4096] [1, 1] : tensor<4096x4096xbf16> into tensor<8192x4096xbf16>
  %whole = tensor.insert_slice %first into %half[0, 0] [4096, 4096] [1, 1] : tensor<4096x4096xbf16> into tensor<8192x4096xbf16>
  return %whole : tensor<8192x4096xbf16>
}
