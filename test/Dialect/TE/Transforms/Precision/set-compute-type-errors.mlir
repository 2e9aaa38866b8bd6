// RUN: te-opt %s --te-set-compute-type --verify-diagnostics
// RUN: not te-opt %s --te-set-compute-type=type=f16 2>&1 | FileCheck %s
// CHECK: error: te-set-compute-type takes the types bf16 and f32, not 'f16'

func.func @late(%x: tensor<32x64xf32>) -> tensor<32x64xf32> {
  // expected-error@+1 {{is there already; te-set-compute-type comes before te-partition}}
  %y = te.region high -> (tensor<32x64xf32>) {
    te.yield %x : tensor<32x64xf32>
  }
  return %y : tensor<32x64xf32>
}
