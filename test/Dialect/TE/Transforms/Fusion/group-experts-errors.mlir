// RUN: te-opt %s --pass-pipeline="builtin.module(func.func(te-group-experts{target=sm_1}))" --verify-diagnostics

// expected-error@+1 {{te-group-experts: there is no target 'sm_1'; the targets are cpu, sm_90}}
module {
  func.func @f(%x: tensor<4x4xf32>, %e: tensor<4xi32>, %w: tensor<16x4xf32>) -> tensor<4x4xf32> {
    %h = te.expert_matmul %x, %w experts(%e) : tensor<4x4xf32>, tensor<16x4xf32>, tensor<4xi32> -> tensor<4x4xf32>
    return %h : tensor<4x4xf32>
  }
}
