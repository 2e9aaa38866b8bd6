// RUN: te-opt %s --split-input-file --te-exchange-quantized --remarks-filter=te-exchange-quantized 2>%t.remarks | FileCheck %s
// RUN: FileCheck %s --check-prefix=REMARK --input-file=%t.remarks

// The sender quantizes; the receiver moves codes and transposes them. The
// largest element is that of all ranks' rows.
// REMARK: ranks quantize rows and exchange FP8 bytes
// CHECK-LABEL: func.func @train(
// CHECK-SAME:    %[[Y:.*]]: tensor<64x32xbf16>, %[[E:.*]]: tensor<64xi32>, %[[S:.*]]: tensor<f32>)
// CHECK:         %[[SOURCE:.*]], %{{.*}}, %{{.*}} = te.group_rows %[[E]]
// CHECK:         %[[BEFORE:.*]] = te.amax %[[Y]] : tensor<64x32xbf16>
// CHECK:         %[[C:.*]], %[[AMAX:.*]] = te.quantize %[[Y]], %[[S]] : tensor<64x32xbf16> -> rowwise tensor<64x32xf8E4M3FN> amax tensor<f32>
// CHECK:         %[[A:.*]] = shard.all_to_all %[[C]] on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x32xf8E4M3FN> -> tensor<64x32xf8E4M3FN>
// CHECK:         %[[Q:.*]] = te.take_rows %[[A]], %[[SOURCE]] : tensor<64x32xf8E4M3FN>, tensor<80xi32> -> tensor<80x32xf8E4M3FN>
// CHECK:         %[[QT:.*]] = linalg.transpose ins(%[[Q]] : tensor<80x32xf8E4M3FN>)
// CHECK:         return %[[Q]], %[[QT]], %[[AMAX]], %[[BEFORE]]
shard.grid @mesh(shape = 2) {te.axes = ["ep"]}
func.func @train(%y: tensor<64x32xbf16>, %e: tensor<64xi32>, %s: tensor<f32>)
    -> (tensor<80x32xf8E4M3FN>, tensor<32x80xf8E4M3FN>, tensor<f32>, tensor<f32>) attributes {te.entry = "train"} {
  %source, %slot, %groups = te.group_rows %e {alignment = 16 : i64, count = 2 : i64} : tensor<64xi32> -> tensor<80xi32>
  %a = shard.all_to_all %y on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x32xbf16> -> tensor<64x32xbf16>
  %p = te.permute %a, %source : tensor<64x32xbf16>, tensor<80xi32> -> y tensor<80x32xbf16>
  %before = te.amax %p : tensor<80x32xbf16>
  %q, %qt, %amax = te.quantize %p, %s : tensor<80x32xbf16> -> rowwise tensor<80x32xf8E4M3FN> columnwise tensor<32x80xf8E4M3FN> amax tensor<f32>
  return %q, %qt, %amax, %before : tensor<80x32xf8E4M3FN>, tensor<32x80xf8E4M3FN>, tensor<f32>, tensor<f32>
}

// -----

// Rows that others read, too, that each rank scales, or that would be padded.
// REMARK: te.activation reads the values, too
// REMARK: shard.all_to_all reads the values, too
// REMARK: each rank has a scale of its own
// REMARK: the rows are multiplied or quantized as they are sorted
// REMARK: copies of 24 rows would be padded
// REMARK-NOT: remark
// CHECK-LABEL: func.func @train(
// CHECK-NOT:     te.take_rows
shard.grid @mesh(shape = 2) {te.axes = ["ep"]}
func.func @train(%y: tensor<64x32xbf16> {te.input = "y"}, %e: tensor<64xi32>, %s: tensor<f32>, %w: tensor<64xf32>, %few: tensor<24x32xbf16>, %f: tensor<24xi32>)
    -> (tensor<80x32xf8E4M3FN>, tensor<80x32xbf16>, tensor<80x32xf8E4M3FN>, tensor<64x32xbf16>, tensor<80x32xf8E4M3FN>, tensor<80x32xf8E4M3FN>, tensor<48x32xf8E4M3FN>) attributes {te.entry = "train"} {
  %source, %slot, %groups = te.group_rows %e {alignment = 16 : i64, count = 2 : i64} : tensor<64xi32> -> tensor<80xi32>
  %a0 = shard.all_to_all %y on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x32xbf16> -> tensor<64x32xbf16>
  %p0 = te.permute %a0, %source : tensor<64x32xbf16>, tensor<80xi32> -> y tensor<80x32xbf16>
  %q0 = te.quantize %p0, %s : tensor<80x32xbf16> -> rowwise tensor<80x32xf8E4M3FN>
  %r0 = te.activation gelu_tanh %p0 : tensor<80x32xbf16> -> y tensor<80x32xbf16>
  %a1 = shard.all_to_all %y on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x32xbf16> -> tensor<64x32xbf16>
  %p1 = te.permute %a1, %source : tensor<64x32xbf16>, tensor<80xi32> -> y tensor<80x32xbf16>
  %q1 = te.quantize %p1, %s : tensor<80x32xbf16> -> rowwise tensor<80x32xf8E4M3FN>
  %r1 = shard.all_to_all %a1 on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x32xbf16> -> tensor<64x32xbf16>
  %a2 = shard.all_to_all %y on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x32xbf16> -> tensor<64x32xbf16>
  %p2 = te.permute %a2, %source : tensor<64x32xbf16>, tensor<80xi32> -> y tensor<80x32xbf16>
  %own = te.amax %y : tensor<64x32xbf16>
  %q2 = te.quantize %p2, %own : tensor<80x32xbf16> -> rowwise tensor<80x32xf8E4M3FN>
  %a3 = shard.all_to_all %y on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<64x32xbf16> -> tensor<64x32xbf16>
  %p3 = te.permute %a3, %source weights(%w : tensor<64xf32>) : tensor<64x32xbf16>, tensor<80xi32> -> y tensor<80x32xbf16>
  %q3 = te.quantize %p3, %s : tensor<80x32xbf16> -> rowwise tensor<80x32xf8E4M3FN>
  %source4, %slot4, %groups4 = te.group_rows %f {alignment = 16 : i64, count = 2 : i64} : tensor<24xi32> -> tensor<48xi32>
  %a4 = shard.all_to_all %few on @mesh grid_axes = [0] split_axis = 0 concat_axis = 0 : tensor<24x32xbf16> -> tensor<24x32xbf16>
  %p4 = te.permute %a4, %source4 : tensor<24x32xbf16>, tensor<48xi32> -> y tensor<48x32xbf16>
  %q4 = te.quantize %p4, %s : tensor<48x32xbf16> -> rowwise tensor<48x32xf8E4M3FN>
  return %q0, %r0, %q1, %r1, %q2, %q3, %q4 : tensor<80x32xf8E4M3FN>, tensor<80x32xbf16>, tensor<80x32xf8E4M3FN>, tensor<64x32xbf16>, tensor<80x32xf8E4M3FN>, tensor<80x32xf8E4M3FN>, tensor<48x32xf8E4M3FN>
}
