// RUN: te-opt %s --te-to-linalg --split-input-file --verify-diagnostics

// A region is a decision that te-quantize has yet to carry out.
// expected-error @below {{these ops cannot be lowered to linalg (te.region x1, te.yield x1)}}
module {
  func.func @f(%x: tensor<4x4xf32>, %w: tensor<4x4xf32>) -> tensor<4x4xf32> {
    // expected-note @below {{te.region x1: te-quantize dissolves it; run that first}}
    %u = te.region high -> (tensor<4x4xf32>) {
      %0 = te.matmul %x, %w : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
      // expected-note @below {{te.yield x1: te-quantize dissolves it; run that first}}
      te.yield %0 : tensor<4x4xf32>
    }
    return %u : tensor<4x4xf32>
  }
}
