// RUN: te-opt %s --te-gather-quantized --split-input-file | FileCheck %s
// RUN: te-opt %s --te-gather-quantized --te-validate-spmd --split-input-file -o /dev/null
// RUN: te-opt %s --te-gather-quantized --split-input-file --remarks-filter=te-gather-quantized -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Bytes of the rowwise copy travel; the columnwise one is made of all of them.
// CHECK-LABEL: func.func @delayed(
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<32x40xbf16>
// CHECK: %[[PART:.*]], %[[AMAX:.*]] = te.quantize %[[Y]], %[[S:.*]] : tensor<32x40xbf16> -> rowwise tensor<32x48xf8E4M3FN> amax tensor<f32>
// CHECK: %[[ALL:.*]] = shard.all_gather %[[PART]] on @mesh grid_axes = [0] gather_axis = 0 : tensor<32x48xf8E4M3FN> -> tensor<64x48xf8E4M3FN>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[ALL]] : tensor<64x48xf8E4M3FN>) outs(%{{.*}} : tensor<48x64xf8E4M3FN>) permutation = [1, 0]
// CHECK-NOT: shard.all_gather
// CHECK: return %[[ALL]], %[[T]], %[[AMAX]]
// REMARK: [Passed] Gather | Category:te-gather-quantized | Function=delayed | Bytes=5.120000e+03, Columnwise=0, Copies=1, Remark="ranks quantize their shards and gather FP8 bytes"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @delayed(%y: tensor<32x40xbf16>, %s: tensor<f32>) -> (tensor<64x48xf8E4M3FN>, tensor<48x64xf8E4M3FN>, tensor<f32>) {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<32x40xbf16> -> tensor<64x40xbf16>
  %q, %qt, %amax = te.quantize %all, %s : tensor<64x40xbf16> -> rowwise tensor<64x48xf8E4M3FN> columnwise tensor<48x64xf8E4M3FN> amax tensor<f32>
  return %q, %qt, %amax : tensor<64x48xf8E4M3FN>, tensor<48x64xf8E4M3FN>, tensor<f32>
}

// -----

// One scale of the amax of all rows: it is exchanged before they are quantized.
// Only the columnwise copy is read, whose shards would not lie in order.
// CHECK-LABEL: func.func @current(
// CHECK-SAME: %[[Y:[a-z0-9]+]]: tensor<16x32xf32>
// CHECK: %[[OWN:.*]] = te.amax %[[Y]] : tensor<16x32xf32>
// CHECK: %[[MAX:.*]] = te.reduce_scalars maxima(%[[OWN]]) on @mesh axes = [1] -> max tensor<1xf32>
// CHECK: %[[OF_ALL:.*]] = tensor.extract_slice %[[MAX]][0] [1] [1]
// CHECK: %[[S:.*]], %{{.*}} = te.compute_scale %[[OF_ALL]]
// CHECK: %[[PART:.*]] = te.quantize %[[Y]], %[[S]] : tensor<16x32xf32> -> rowwise tensor<16x32xf8E5M2>
// CHECK: %[[ALL:.*]] = shard.all_gather %[[PART]] on @mesh grid_axes = [1] gather_axis = 0 : tensor<16x32xf8E5M2> -> tensor<48x32xf8E5M2>
// CHECK: %[[T:.*]] = linalg.transpose ins(%[[ALL]]
// CHECK: return %[[T]]
shard.grid @mesh(shape = 2x3) {te.axes = ["dp", "tp"]}
func.func @current(%y: tensor<16x32xf32> {te.input = "y"}) -> tensor<32x48xf8E5M2> {
  %all = shard.all_gather %y on @mesh grid_axes = [1] gather_axis = 0 : tensor<16x32xf32> -> tensor<48x32xf32>
  %amax = te.amax %all : tensor<48x32xf32>
  %s, %si = te.compute_scale %amax {format = f8E5M2}
  %qt = te.quantize %all, %s : tensor<48x32xf32> -> columnwise tensor<32x48xf8E5M2>
  return %qt : tensor<32x48xf8E5M2>
}

// -----

// Two layers that read one matrix, each with a scale of its own; an amax whose
// copies nobody reads.
// CHECK-LABEL: func.func @several(
// CHECK-COUNT-2: shard.all_gather %{{.*}} : tensor<16x32xf8E4M3FN> -> tensor<32x32xf8E4M3FN>
// CHECK: %[[AMAX:.*]] = te.quantize %{{.*}} : tensor<16x32xbf16> -> amax tensor<f32>
// CHECK: return %{{.*}}, %{{.*}}, %[[AMAX]]
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @several(%y: tensor<16x32xbf16>, %s0: tensor<f32>, %s1: tensor<f32>) -> (tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<f32>) {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x32xbf16> -> tensor<32x32xbf16>
  %q0 = te.quantize %all, %s0 : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  %q1 = te.quantize %all, %s1 : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  %amax = te.quantize %all, %s1 : tensor<32x32xbf16> -> amax tensor<f32>
  return %q0, %q1, %amax : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<f32>
}

// -----

// What is not quantized is none of its business.
// CHECK-LABEL: func.func @whole(
// CHECK-NEXT: shard.all_gather
// CHECK-NEXT: return
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @whole(%y: tensor<16x32xbf16>) -> tensor<32x32xbf16> {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x32xbf16> -> tensor<32x32xbf16>
  return %all : tensor<32x32xbf16>
}

// -----

// What is quantized within a region, to which not all ranks may come, has been
// gathered before.
// CHECK-LABEL: func.func @nested(
// CHECK: %[[ALL:.*]] = shard.all_gather %{{.*}} : tensor<16x32xbf16> -> tensor<32x32xbf16>
// CHECK: scf.if
// CHECK-NOT: shard.all_gather
// CHECK: te.quantize %[[ALL]]
// CHECK: return
// REMARK: [Missed] Gather | Category:te-gather-quantized | Function=nested | Reason="te.quantize reads the values, too"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @nested(%y: tensor<16x32xbf16>, %s: tensor<f32>, %c: i1) -> (tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>) {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x32xbf16> -> tensor<32x32xbf16>
  %q = scf.if %c -> tensor<32x32xf8E4M3FN> {
    %q0 = te.quantize %all, %s : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
    scf.yield %q0 : tensor<32x32xf8E4M3FN>
  } else {
    %e = tensor.empty() : tensor<32x32xf8E4M3FN>
    scf.yield %e : tensor<32x32xf8E4M3FN>
  }
  %q1 = te.quantize %all, %s : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  return %q, %q1 : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>
}
