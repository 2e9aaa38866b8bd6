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

// -----

// expected-error @below {{these ops cannot be lowered to linalg (te.attention x1, te.attention_grad x1)}}
module {
  func.func @part(%q: tensor<1x2x1x4xf32>, %k: tensor<1x4x1x4xf32>, %l: tensor<1x1x2xf32>) -> (tensor<1x2x1x4xf32>, tensor<1x2x1x4xf32>) {
    // expected-note @below {{te.attention x1: its queries are those of one rank of a mesh, which upstream dialects know nothing of}}
    %o, %lse = te.attention %q, %k, %k {query_axes = 1 : i32, scale = 0.5 : f32}
      : tensor<1x2x1x4xf32>, tensor<1x4x1x4xf32>, tensor<1x4x1x4xf32> -> tensor<1x2x1x4xf32>, tensor<1x1x2xf32>
    // expected-note @below {{te.attention_grad x1: its queries are those of one rank of a mesh, which upstream dialects know nothing of}}
    %dq, %dk, %dv = te.attention_grad %q, %q, %k, %k, %q, %l {query_axes = 1 : i32, scale = 0.5 : f32}
      : tensor<1x2x1x4xf32>, tensor<1x2x1x4xf32>, tensor<1x4x1x4xf32>, tensor<1x4x1x4xf32>, tensor<1x2x1x4xf32>, tensor<1x1x2xf32>
      -> tensor<1x2x1x4xf32>, tensor<1x4x1x4xf32>, tensor<1x4x1x4xf32>
    return %o, %dq : tensor<1x2x1x4xf32>, tensor<1x2x1x4xf32>
  }
}

// -----

// expected-error @below {{these ops cannot be lowered to linalg (te.all_slice_sequence x1)}}
module {
  shard.grid @mesh(shape = 2) {te.axes = ["cp"]}
  func.func @rank(%ids: tensor<2x16xi64>) -> tensor<2x8xi64> {
    // expected-note @below {{te.all_slice_sequence x1: it belongs to one rank of a mesh; write the program of one rank}}
    %own = te.all_slice_sequence %ids on @mesh axes = [0] dim = 1 : tensor<2x16xi64> -> tensor<2x8xi64>
    return %own : tensor<2x8xi64>
  }
}

// -----

// expected-error @below {{these ops cannot be lowered to linalg (te.update x1)}}
module {
  func.func @step(%p: tensor<8x16xf32>, %b: tensor<8x16xbf16>, %s: tensor<f32>, %t: tensor<i64>) -> tensor<8x16xf32> {
    // expected-note @below {{te.update x1: it keeps states in bf16 or FP8, whose stochastic rounding has no form there; use an optimizer with float32 states}}
    %p1, %b1, %b2 = te.update #te.adamw %p states(%b, %b) gradient(%p) coefficient(%s) scalars(%s, %s, %s, %s, %s) step(%t)
      : tensor<8x16xf32>, tensor<8x16xf32> states(bf16, bf16)
    return %p1 : tensor<8x16xf32>
  }
}
