// RUN: not te-opt %s --te-recompute=bytes=-1 2>&1 | FileCheck %s
// CHECK: te-recompute: bytes must not be negative, got -1
// RUN: not te-opt %s --te-recompute=price=-1e-12 2>&1 | FileCheck %s --check-prefix=PRICE
// PRICE: te-recompute: price must not be negative, got -

func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  return %x : tensor<4xf32>
}
