// RUN: te-opt %s --split-input-file --verify-diagnostics

func.func @attention_v(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x2x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects v to have shape [2, 8, 2, 16], but it is 'tensor<2x8x4x16xf32>'}}
  %0:2 = te.attention %q, %k, %q {scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_o(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x2x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects o to have shape [2, 8, 4, 16], but it is 'tensor<2x8x2x16xf32>'}}
  %0:2 = te.attention %q, %k, %k {scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32> -> tensor<2x8x2x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_lse(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x2x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects lse to have shape [2, 4, 8], but it is 'tensor<2x8x4xf32>'}}
  %0:2 = te.attention %q, %k, %k {scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x8x4xf32>
  return
}

// -----

func.func @attention_batch(%q: tensor<2x8x4x16xf32>, %k: tensor<1x8x2x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects q and k to agree in batch and head dimension, but they are 'tensor<2x8x4x16xf32>' and 'tensor<1x8x2x16xf32>' in layout bshd}}
  %0:2 = te.attention %q, %k, %k {scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<1x8x2x16xf32>, tensor<1x8x2x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_heads(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x3x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects the number of query heads (4) to be a multiple of the number of key heads (3)}}
  %0:2 = te.attention %q, %k, %k {scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x3x16xf32>, tensor<2x8x3x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_bias(%q: tensor<2x8x4x16xf32>, %b: tensor<1x2x8x8xf32>) {
  // expected-error@+1 {{'te.attention' op expects a bias of shape [batch, query heads, queries, keys], [2, 4, 8, 8], with 1 for any of the first three, but it is 'tensor<1x2x8x8xf32>'}}
  %0:2 = te.attention %q, %q, %q bias(%b : tensor<1x2x8x8xf32>) {scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_lengths(%q: tensor<2x8x4x16xf32>, %l: tensor<4xi64>) {
  // expected-error@+1 {{'te.attention' op expects lengths to have shape [2], but it is 'tensor<4xi64>'}}
  %0:2 = te.attention %q, %q, %q lengths(%l : tensor<4xi64>) {scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_sinks(%q: tensor<2x8x4x16xf32>, %s: tensor<2xf32>) {
  // expected-error@+1 {{'te.attention' op expects sinks to have shape [4], but it is 'tensor<2xf32>'}}
  %0:2 = te.attention %q, %q, %q sinks(%s : tensor<2xf32>) {scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_window(%q: tensor<2x8x4x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects a window of at least one key, or 0 for none, but it is -1}}
  %0:2 = te.attention %q, %q, %q {scale = 0.25 : f32, window = -1 : i64} : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_softcap(%q: tensor<2x8x4x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects a softcap that is a positive number, or 0 for none, but it is -}}
  %0:2 = te.attention %q, %q, %q {scale = 0.25 : f32, softcap = -2.0 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_grad_dbias(%q: tensor<2x8x4x16xf32>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'te.attention_grad' op has a gradient of 'bias', which it does not have}}
  %0:4 = te.attention_grad %q, %q, %q, %q, %q, %l {scale = 0.25 : f32}
    : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
    -> tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32> dbias tensor<1x4x8x8xf32>
  return
}

// -----

func.func @attention_grad_dsinks(%q: tensor<2x8x4x16xf32>, %s: tensor<4xf32>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'te.attention_grad' op expects dsinks to have shape [4], but it is 'tensor<2xf32>'}}
  %0:4 = te.attention_grad %q, %q, %q, %q, %q, %l sinks(%s : tensor<4xf32>) {scale = 0.25 : f32}
    : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
    -> tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32> dsinks tensor<2xf32>
  return
}

// -----

func.func @attention_grad_do(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x2x16xf32>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'te.attention_grad' op expects do to have shape [2, 8, 4, 16], but it is 'tensor<2x8x2x16xf32>'}}
  %0:3 = te.attention_grad %k, %q, %k, %k, %q, %l {scale = 0.25 : f32}
    : tensor<2x8x2x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
    -> tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>
  return
}

// -----

func.func @attention_grad_dq(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x2x16xf32>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'te.attention_grad' op expects dq to have shape [2, 8, 4, 16], but it is 'tensor<2x8x2x16xf32>'}}
  %0:3 = te.attention_grad %q, %q, %k, %k, %q, %l {scale = 0.25 : f32}
    : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
    -> tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>
  return
}

// -----

func.func @attention_grad_dk(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x2x16xf32>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'te.attention_grad' op expects dk to have shape [2, 8, 2, 16], but it is 'tensor<2x8x4x16xf32>'}}
  %0:3 = te.attention_grad %q, %q, %k, %k, %q, %l {scale = 0.25 : f32}
    : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
    -> tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>
  return
}

// -----

func.func @attention_grad_dv(%q: tensor<2x8x4x16xf32>, %k: tensor<2x8x2x16xf32>, %l: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'te.attention_grad' op expects dv to have shape [2, 8, 2, 16], but it is 'tensor<2x8x4x16xf32>'}}
  %0:3 = te.attention_grad %q, %q, %k, %k, %q, %l {scale = 0.25 : f32}
    : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
    -> tensor<2x8x4x16xf32>, tensor<2x8x2x16xf32>, tensor<2x8x4x16xf32>
  return
}

// -----

func.func @attention_part_axes(%q: tensor<2x8x4x16xf32>, %k: tensor<2x16x4x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects query_axes to be a set of axes, bit a for axis a, but it is -1}}
  %0:2 = te.attention %q, %k, %k {query_axes = -1 : i32, scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x16x4x16xf32>, tensor<2x16x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_part(%q: tensor<2x8x4x16xf32>, %k: tensor<2x12x4x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects the queries to be a rank's shard of the 12 tokens that there are keys of, but 8 do not divide them}}
  %0:2 = te.attention %q, %k, %k {query_axes = 1 : i32, scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x12x4x16xf32>, tensor<2x12x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_no_queries(%q: tensor<2x0x4x16xf32>, %k: tensor<2x12x4x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects the queries to be a rank's shard of the 12 tokens that there are keys of, but 0 do not divide them}}
  %0:2 = te.attention %q, %k, %k {query_axes = 1 : i32, scale = 0.25 : f32} : tensor<2x0x4x16xf32>, tensor<2x12x4x16xf32>, tensor<2x12x4x16xf32> -> tensor<2x0x4x16xf32>, tensor<2x4x0xf32>
  return
}

// -----

func.func @attention_balanced(%q: tensor<2x8x4x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects balanced queries to be shards along query_axes, of two pieces each, but there are 8 without query_axes}}
  %0:2 = te.attention %q, %q, %q {balanced, scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32> -> tensor<2x8x4x16xf32>, tensor<2x4x8xf32>
  return
}

// -----

func.func @attention_odd(%q: tensor<2x7x4x16xf32>, %k: tensor<2x14x4x16xf32>) {
  // expected-error@+1 {{'te.attention' op expects balanced queries to be shards along query_axes, of two pieces each, but there are 7}}
  %0:2 = te.attention %q, %k, %k {balanced, query_axes = 1 : i32, scale = 0.25 : f32} : tensor<2x7x4x16xf32>, tensor<2x14x4x16xf32>, tensor<2x14x4x16xf32> -> tensor<2x7x4x16xf32>, tensor<2x4x7xf32>
  return
}

// -----

func.func @attention_grad_part(%q: tensor<2x8x4x16xf32>, %k: tensor<2x12x4x16xf32>, %lse: tensor<2x4x8xf32>) {
  // expected-error@+1 {{'te.attention_grad' op expects the queries to be a rank's shard of the 12 tokens that there are keys of, but 8 do not divide them}}
  %0:3 = te.attention_grad %q, %q, %k, %k, %q, %lse {query_axes = 1 : i32, scale = 0.25 : f32} : tensor<2x8x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x12x4x16xf32>, tensor<2x12x4x16xf32>, tensor<2x8x4x16xf32>, tensor<2x4x8xf32> -> tensor<2x8x4x16xf32>, tensor<2x12x4x16xf32>, tensor<2x12x4x16xf32>
  return
}
