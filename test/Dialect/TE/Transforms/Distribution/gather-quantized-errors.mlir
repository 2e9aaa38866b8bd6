// RUN: te-opt %s --te-gather-quantized --split-input-file --verify-diagnostics | FileCheck %s
// RUN: not te-opt %s --te-gather-quantized --split-input-file --remarks-filter=te-gather-quantized -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// Nothing below is changed, and why is said once for each.
// CHECK-NOT: xf8E4M3FN> -> tensor<{{[0-9x]+}}xf8E4M3FN>

// REMARK: Function=read_twice | Reason="arith.mulf reads the values, too"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @read_twice(%y: tensor<16x32xbf16>, %s: tensor<f32>) -> (tensor<32x32xf8E4M3FN>, tensor<32x32xbf16>) {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x32xbf16> -> tensor<32x32xbf16>
  %q = te.quantize %all, %s : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  %m = arith.mulf %all, %all : tensor<32x32xbf16>
  return %q, %m : tensor<32x32xf8E4M3FN>, tensor<32x32xbf16>
}

// -----

// REMARK: Function=columns | Reason="its columns are sharded, and are not contiguous in the gathered tensor", Suggestion="share the rows among the ranks"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @columns(%y: tensor<32x16xbf16>, %s: tensor<f32>) -> tensor<32x32xf8E4M3FN> {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 1 : tensor<32x16xbf16> -> tensor<32x32xbf16>
  %q = te.quantize %all, %s : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  return %q : tensor<32x32xf8E4M3FN>
}

// -----

// REMARK: Function=padded | Reason="copies of shards of 8 rows would be padded", Suggestion="give each rank a multiple of 16 tokens"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @padded(%y: tensor<8x32xbf16>, %s: tensor<f32>) -> tensor<16x32xf8E4M3FN> {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<8x32xbf16> -> tensor<16x32xbf16>
  %q = te.quantize %all, %s : tensor<16x32xbf16> -> rowwise tensor<16x32xf8E4M3FN>
  return %q : tensor<16x32xf8E4M3FN>
}

// -----

// REMARK: Function=sums | Reason="the quantization sums the rows of all ranks as well"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @sums(%y: tensor<16x32xbf16>, %s: tensor<f32>) -> (tensor<32x32xf8E4M3FN>, tensor<32xf32>) {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x32xbf16> -> tensor<32x32xbf16>
  %q, %db = te.quantize %all, %s : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN> dbias tensor<32xf32>
  return %q, %db : tensor<32x32xf8E4M3FN>, tensor<32xf32>
}

// -----

// REMARK: Function=scales | Reason="each rank has a scale of its own"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @scales(%y: tensor<16x32xbf16>, %w: tensor<16x16xf32> {te.param = "w", te.shard = #te.shard<shape = [32, 16], dim_axes = 1>}) -> tensor<32x32xf8E4M3FN> {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x32xbf16> -> tensor<32x32xbf16>
  %amax = te.amax %w : tensor<16x16xf32>
  %s, %si = te.compute_scale %amax {format = f8E4M3FN}
  %q = te.quantize %all, %s : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  return %q : tensor<32x32xf8E4M3FN>
}

// -----

// REMARK: Function=many | Reason="its 3 copies are more bytes than the values", Suggestion="let the layers that read it share one quantization"
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @many(%y: tensor<16x32xbf16>, %s0: tensor<f32>, %s1: tensor<f32>, %s2: tensor<f32>) -> (tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>) {
  %all = shard.all_gather %y on @mesh grid_axes = [0] gather_axis = 0 : tensor<16x32xbf16> -> tensor<32x32xbf16>
  %q0 = te.quantize %all, %s0 : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  %q1 = te.quantize %all, %s1 : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  %q2 = te.quantize %all, %s2 : tensor<32x32xbf16> -> rowwise tensor<32x32xf8E4M3FN>
  return %q0, %q1, %q2 : tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>, tensor<32x32xf8E4M3FN>
}

// -----

module {
  // expected-error @+1 {{expects 'te.axes' to be 1 strings, one for each axis}}
  shard.grid @mesh(shape = 2) {te.axes = []}
  func.func private @f()
}
