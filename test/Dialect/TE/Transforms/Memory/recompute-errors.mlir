// RUN: not te-opt %s --te-recompute=bytes=-1 2>&1 | FileCheck %s
// CHECK: te-recompute: bytes must not be negative, got -1

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
