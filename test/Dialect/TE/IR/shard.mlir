// RUN: te-opt %s | te-opt | FileCheck %s
// RUN: te-opt %s --mlir-print-op-generic | te-opt | FileCheck %s

// Every parameter but the shape may be missing, and all are printed in one order.
// CHECK-LABEL: func.func @f(
// CHECK-SAME: tensor<4xf32> {te.param = "a", te.shard = #te.shard<shape = [7], flat_axes = 1>}
// CHECK-SAME: tensor<8x4xf32> {te.param = "b", te.shard = #te.shard<shape = [16, 4], dim_axes = 2>}
// CHECK-SAME: tensor<24xf32> {te.param = "c", te.shard = #te.shard<shape = [4, 24], dim_axes = 1, dim = 1, blocks = [16, 4, 4], flat_axes = 2>}
// CHECK-SAME: tensor<f32> {te.param = "d", te.shard = #te.shard<shape = []>}
func.func @f(%a: tensor<4xf32> {te.param = "a", te.shard = #te.shard<shape = [7], flat_axes = 1>},
             %b: tensor<8x4xf32> {te.param = "b", te.shard = #te.shard<shape = [16, 4], dim_axes = 2>},
             %c: tensor<24xf32> {te.param = "c", te.shard = #te.shard<shape = [4, 24], flat_axes = 2, blocks = [16, 4, 4], dim = 1, dim_axes = 1>},
             %d: tensor<f32> {te.param = "d", te.shard = #te.shard<shape = []>}) {
  return
}
