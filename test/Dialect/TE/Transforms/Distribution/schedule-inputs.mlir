// RUN: te-opt %s --te-attach-costs=target=sm_90 --te-schedule-collectives --split-input-file | FileCheck %s
// RUN: te-opt %s --te-schedule-collectives --split-input-file | FileCheck %s --check-prefix=SAME

// What is made of arguments alone is made while an earlier exchange has nothing
// to run beside, and gathered behind the latest one from which on there is work
// for the gathers.
// CHECK-LABEL: func.func @inputs(
// CHECK: %[[T1:.*]] = te.matmul %arg0, %arg1
// CHECK-NEXT: %[[S1:.*]] = shard.reduce_scatter %[[T1]]
// CHECK: %[[PART:.*]] = shard.all_slice %arg4
// CHECK-NEXT: %[[Q:.*]], %[[QT:.*]] = te.quantize %[[PART]]
// CHECK-NEXT: %[[Y1:.*]], %{{.*}} = te.rms_norm %[[S1]]
// CHECK-NEXT: %[[F:.*]] = arith.negf %[[Y1]]
// CHECK-NEXT: %[[ALL:.*]] = shard.all_gather %[[F]]
// CHECK-NEXT: %[[ROWS:.*]] = shard.all_gather %[[Q]] {{.*}} gather_axis = 0
// CHECK-NEXT: %[[COLUMNS:.*]] = shard.all_gather %[[QT]] {{.*}} gather_axis = 1
// CHECK-NEXT: te.matmul %[[ALL]]
// CHECK: %[[S2:.*]] = shard.reduce_scatter
// CHECK-NEXT: te.scaled_matmul %[[ROWS]]
// CHECK-NEXT: te.rms_norm %[[S2]]
// CHECK-NEXT: te.scaled_matmul %[[COLUMNS]]

// SAME-LABEL: func.func @inputs(
// SAME: te.rms_norm
// SAME: te.rms_norm
// SAME: shard.all_slice
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @inputs(%a: tensor<8192x4096xbf16>, %b: tensor<4096x4096xbf16>, %c: tensor<8192x16384xbf16>, %d: tensor<16384x4096xbf16>, %dy: tensor<8192x4096xbf16>,
                  %wq: tensor<4096x4096xf8E4M3FN>, %xq: tensor<2048x8192xf8E4M3FN>, %scales: tensor<2xf32>, %g: tensor<4096xf32>)
    -> (tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<8192x4096xbf16>, tensor<4096x2048xbf16>) attributes {te.entry = "vjp"} {
  %zero = arith.constant 0 : index
  %t1 = te.matmul %a, %b : tensor<8192x4096xbf16>, tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %s1 = shard.reduce_scatter %t1 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %y1, %r1 = te.rms_norm %s1, %g {eps = 1.0e-5 : f32} : tensor<4096x4096xbf16>, tensor<4096xf32> -> y tensor<4096x4096xbf16> stats tensor<4096xf32>
  %f = arith.negf %y1 : tensor<4096x4096xbf16>
  %all = shard.all_gather %f on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %t2 = te.matmul %all, %b : tensor<8192x4096xbf16>, tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %t3 = te.matmul %t2, %d {transpose_b} : tensor<8192x4096xbf16>, tensor<16384x4096xbf16> -> tensor<8192x16384xbf16>
  %t4 = te.matmul %t3, %d : tensor<8192x16384xbf16>, tensor<16384x4096xbf16> -> tensor<8192x4096xbf16>
  %s2 = shard.reduce_scatter %t4 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %y2, %r2 = te.rms_norm %s2, %g {eps = 1.0e-5 : f32} : tensor<4096x4096xbf16>, tensor<4096xf32> -> y tensor<4096x4096xbf16> stats tensor<4096xf32>
  %part = shard.all_slice %dy on @mesh grid_axes = [0] slice_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %s = tensor.extract %scales[%zero] : tensor<2xf32>
  %scale = tensor.from_elements %s : tensor<f32>
  %q, %qt = te.quantize %part, %scale : tensor<4096x4096xbf16> -> rowwise tensor<4096x4096xf8E5M2> columnwise tensor<4096x4096xf8E5M2>
  %rows = shard.all_gather %q on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xf8E5M2> -> tensor<8192x4096xf8E5M2>
  %columns = shard.all_gather %qt on @mesh grid_axes = [0] gather_axis = 1 : tensor<4096x4096xf8E5M2> -> tensor<4096x8192xf8E5M2>
  %dx = te.scaled_matmul %rows, %wq scales(%scale, %scale) {role = #te.role<dgrad>} : tensor<8192x4096xf8E5M2>, tensor<4096x4096xf8E4M3FN> -> tensor<8192x4096xbf16>
  %dw = te.scaled_matmul %columns, %xq scales(%scale, %scale) {role = #te.role<wgrad>} : tensor<4096x8192xf8E5M2>, tensor<2048x8192xf8E4M3FN> -> tensor<4096x2048xbf16>
  return %y1, %y2, %dx, %dw : tensor<4096x4096xbf16>, tensor<4096x4096xbf16>, tensor<8192x4096xbf16>, tensor<4096x2048xbf16>
}

// -----

// What a state becomes is made where it is, whatever it is made of.
// CHECK-LABEL: func.func @state(
// CHECK: shard.reduce_scatter
// CHECK-NEXT: te.rms_norm
// CHECK-NEXT: %[[NEW:.*]] = te.matmul %arg2, %arg2
// CHECK-NEXT: shard.all_gather %[[NEW]]
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @state(%a: tensor<8192x4096xbf16>, %b: tensor<4096x4096xbf16>, %w: tensor<4096x4096xbf16> {te.state = "w"}, %g: tensor<4096xf32>)
    -> (tensor<4096x4096xbf16>, tensor<8192x4096xbf16>, tensor<4096x4096xbf16> {te.state = "w"}, tensor<8192x4096xbf16>) attributes {te.entry = "train"} {
  %t1 = te.matmul %a, %b : tensor<8192x4096xbf16>, tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %s1 = shard.reduce_scatter %t1 on @mesh grid_axes = [0] scatter_axis = 0 : tensor<8192x4096xbf16> -> tensor<4096x4096xbf16>
  %y1, %r1 = te.rms_norm %s1, %g {eps = 1.0e-5 : f32} : tensor<4096x4096xbf16>, tensor<4096xf32> -> y tensor<4096x4096xbf16> stats tensor<4096xf32>
  %t2 = te.matmul %a, %y1 : tensor<8192x4096xbf16>, tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %new = te.matmul %w, %w : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> -> tensor<4096x4096xbf16>
  %all = shard.all_gather %new on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %y = arith.negf %all : tensor<8192x4096xbf16>
  return %y1, %t2, %new, %y : tensor<4096x4096xbf16>, tensor<8192x4096xbf16>, tensor<4096x4096xbf16>, tensor<8192x4096xbf16>
}

// -----

// What is made before an earlier exchange begins is exchanged when it is there, as
// it would be in any case.
// CHECK-LABEL: func.func @made_before(
// CHECK: %[[V:.*]] = te.matmul %arg0, %arg2
// CHECK-NEXT: %[[VS:.*]] = shard.all_gather %[[V]]
// CHECK-NEXT: %[[K:.*]] = te.matmul %arg0, %arg1
// CHECK-NEXT: %[[KS:.*]] = shard.all_gather %[[K]]
// CHECK-NEXT: te.matmul %arg0, %arg3
// CHECK-NEXT: te.matmul %[[KS]], %[[VS]]
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @made_before(%x: tensor<4096x4096xbf16>, %wk: tensor<4096x4096xbf16>, %wv: tensor<4096x4096xbf16>, %wq: tensor<4096x16384xbf16>)
    -> (tensor<8192x8192xbf16>, tensor<4096x16384xbf16>) attributes {te.entry = "vjp"} {
  %v = te.matmul %x, %wv : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> -> tensor<4096x4096xbf16>
  %k = te.matmul %x, %wk : tensor<4096x4096xbf16>, tensor<4096x4096xbf16> -> tensor<4096x4096xbf16>
  %ks = shard.all_gather %k on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %q = te.matmul %x, %wq : tensor<4096x4096xbf16>, tensor<4096x16384xbf16> -> tensor<4096x16384xbf16>
  %vs = shard.all_gather %v on @mesh grid_axes = [0] gather_axis = 0 : tensor<4096x4096xbf16> -> tensor<8192x4096xbf16>
  %s = te.matmul %ks, %vs {transpose_b} : tensor<8192x4096xbf16>, tensor<8192x4096xbf16> -> tensor<8192x8192xbf16>
  return %s, %q : tensor<8192x8192xbf16>, tensor<4096x16384xbf16>
}
