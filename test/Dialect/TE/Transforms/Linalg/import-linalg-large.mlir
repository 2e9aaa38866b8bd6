// More numbers than a constant should have are counted in a kernel.

// RUN: te-opt %s --te-import-linalg | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK:       linalg.index 0
func.func @main(%x: tensor<4xf32> {te.param = "w"}) -> (tensor<4xf32>, tensor<1xf32>) attributes {te.model} {
  %e = tensor.empty() : tensor<100000000000xf32>
  %0 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]} outs(%e : tensor<100000000000xf32>) {
  ^bb0(%o: f32):
    %i = linalg.index 0 : index
    %k = arith.index_cast %i : index to i64
    %f = arith.sitofp %k : i64 to f32
    linalg.yield %f : f32
  } -> tensor<100000000000xf32>
  %1 = tensor.extract_slice %0[7] [1] [1] : tensor<100000000000xf32> to tensor<1xf32>
  return %x, %1 : tensor<4xf32>, tensor<1xf32>
}
