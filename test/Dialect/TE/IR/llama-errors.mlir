// RUN: te-opt %s --split-input-file --verify-diagnostics

func.func @rms_gamma(%x: tensor<4x8xf32>, %w: tensor<4xf32>) {
  // expected-error@+1 {{'te.rms_norm' op expects gamma to have shape [8], but it is 'tensor<4xf32>'}}
  %0:2 = te.rms_norm %x, %w {eps = 1.0e-5 : f32} : tensor<4x8xf32>, tensor<4xf32> -> y tensor<4x8xf32> stats tensor<4xf32>
  return
}

// -----

func.func @rms_rstd(%x: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error@+1 {{'te.rms_norm' op expects rstd to have shape [4], but it is 'tensor<8xf32>'}}
  %0:2 = te.rms_norm %x, %v {eps = 1.0e-5 : f32} : tensor<4x8xf32>, tensor<8xf32> -> y tensor<4x8xf32> stats tensor<8xf32>
  return
}

// -----

func.func @rms_result(%x: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error@+1 {{'te.rms_norm' op expects y to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0:2 = te.rms_norm %x, %v {eps = 1.0e-5 : f32} : tensor<4x8xf32>, tensor<8xf32> -> y tensor<8x4xf32> stats tensor<4xf32>
  return
}

// -----

func.func @rms_grad_dy(%x: tensor<4x8xf32>, %t: tensor<8x4xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.rms_norm_grad' op expects dy to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0:2 = te.rms_norm_grad %t, %x, %v, %s : tensor<8x4xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32>
  return
}

// -----

func.func @rms_grad_gamma(%x: tensor<4x8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.rms_norm_grad' op expects gamma to have shape [8], but it is 'tensor<4xf32>'}}
  %0:2 = te.rms_norm_grad %x, %x, %s, %s : tensor<4x8xf32>, tensor<4x8xf32>, tensor<4xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32>
  return
}

// -----

func.func @rms_grad_dgamma(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.rms_norm_grad' op expects dgamma to have shape [8], but it is 'tensor<4xf32>'}}
  %0:2 = te.rms_norm_grad %x, %x, %v, %s : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<4xf32>
  return
}

// -----

func.func @rms_grad_rstd(%x: tensor<4x8xf32>, %v: tensor<8xf32>) {
  // expected-error@+1 {{'te.rms_norm_grad' op expects rstd to have shape [4], but it is 'tensor<8xf32>'}}
  %0:2 = te.rms_norm_grad %x, %x, %v, %v : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<8xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32>
  return
}

// -----

func.func @rms_grad_dx(%x: tensor<4x8xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.rms_norm_grad' op expects dx to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0:2 = te.rms_norm_grad %x, %x, %v, %s : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32> -> dx tensor<8x4xf32> dgamma tensor<8xf32>
  return
}

// -----

func.func @rms_grad_residual(%x: tensor<4x8xf32>, %t: tensor<8x4xf32>, %v: tensor<8xf32>, %s: tensor<4xf32>) {
  // expected-error@+1 {{'te.rms_norm_grad' op expects the residual to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0:2 = te.rms_norm_grad %x, %x, %v, %s residual(%t : tensor<8x4xf32>) : tensor<4x8xf32>, tensor<4x8xf32>, tensor<8xf32>, tensor<4xf32> -> dx tensor<4x8xf32> dgamma tensor<8xf32>
  return
}

// -----

func.func @gate_odd(%x: tensor<4x7xf32>) {
  // expected-error@+1 {{'te.gated_activation' op expects gate and up side by side in x, but x is 'tensor<4x7xf32>'}}
  %0 = te.gated_activation silu %x : tensor<4x7xf32> -> y tensor<4x3xf32>
  return
}

// -----

func.func @gate_up(%x: tensor<4x8xf32>, %t: tensor<8x4xf32>) {
  // expected-error@+1 {{'te.gated_activation' op expects up to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0 = te.gated_activation silu %x up(%t : tensor<8x4xf32>) : tensor<4x8xf32> -> y tensor<4x8xf32>
  return
}

// -----

func.func @gate_up_first(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.gated_activation' op has up_first, which says where up is in x, and up as an operand of its own}}
  %0 = te.gated_activation silu %x up(%x : tensor<4x8xf32>) {up_first} : tensor<4x8xf32> -> y tensor<4x8xf32>
  return
}

// -----

func.func @gate_result(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.gated_activation' op expects y to have shape [4, 4], but it is 'tensor<4x8xf32>'}}
  %0 = te.gated_activation silu %x : tensor<4x8xf32> -> y tensor<4x8xf32>
  return
}

// -----

func.func @gate_grad_dy(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.gated_activation_grad' op expects dy to have shape [4, 4], but it is 'tensor<4x8xf32>'}}
  %0 = te.gated_activation_grad silu %x, %x : tensor<4x8xf32>, tensor<4x8xf32> -> dx tensor<4x8xf32>
  return
}

// -----

func.func @gate_grad_without_dup(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.gated_activation_grad' op has up but not dup}}
  %0 = te.gated_activation_grad silu %x, %x up(%x : tensor<4x8xf32>) : tensor<4x8xf32>, tensor<4x8xf32> -> dx tensor<4x8xf32>
  return
}

// -----

func.func @gate_grad_dup_of_joined(%x: tensor<4x8xf32>, %dy: tensor<4x4xf32>) {
  // expected-error@+1 {{'te.gated_activation_grad' op has dup but not up}}
  %0:2 = te.gated_activation_grad silu %dy, %x : tensor<4x4xf32>, tensor<4x8xf32> -> dx tensor<4x8xf32> dup tensor<4x4xf32>
  return
}

// -----

func.func @gate_grad_quantized_apart(%x: tensor<4x8xf32>, %s: tensor<f32>) {
  // expected-error@+1 {{'te.gated_activation_grad' op with up as an operand of its own has the results dx and dup and no others}}
  %0:3 = te.gated_activation_grad silu %x, %x up(%x : tensor<4x8xf32>) quantize(%s) : tensor<4x8xf32>, tensor<4x8xf32> -> dx tensor<4x8xf32> dup tensor<4x8xf32> amax tensor<f32>
  return
}

// -----

func.func @gate_grad_dx(%x: tensor<4x8xf32>, %dy: tensor<4x4xf32>) {
  // expected-error@+1 {{'te.gated_activation_grad' op expects dx to have shape [4, 8], but it is 'tensor<4x4xf32>'}}
  %0 = te.gated_activation_grad silu %dy, %x : tensor<4x4xf32>, tensor<4x8xf32> -> dx tensor<4x4xf32>
  return
}

// -----

func.func @gate_grad_dup(%x: tensor<4x8xf32>) {
  // expected-error@+1 {{'te.gated_activation_grad' op expects dup to have shape [4, 8], but it is 'tensor<8x4xf32>'}}
  %0:2 = te.gated_activation_grad silu %x, %x up(%x : tensor<4x8xf32>) : tensor<4x8xf32>, tensor<4x8xf32> -> dx tensor<4x8xf32> dup tensor<8x4xf32>
  return
}

// -----

func.func @gate_grad_dbias(%x: tensor<4x8xf32>, %dy: tensor<4x4xf32>) {
  // expected-error@+1 {{'te.gated_activation_grad' op expects dbias to have shape [8], but it is 'tensor<4xf32>'}}
  %0:2 = te.gated_activation_grad silu %dy, %x : tensor<4x4xf32>, tensor<4x8xf32> -> dx tensor<4x8xf32> dbias tensor<4xf32>
  return
}

// -----

func.func @rope_result(%x: tensor<2x4x3x8xf32>, %t: tensor<4x4xf32>) {
  // expected-error@+1 {{'te.rope' op expects y to have shape [2, 4, 3, 8], but it is 'tensor<2x3x4x8xf32>'}}
  %0 = te.rope %x, %t, %t : tensor<2x4x3x8xf32>, tensor<4x4xf32>, tensor<4x4xf32> -> tensor<2x3x4x8xf32>
  return
}

// -----

func.func @rope_sin(%x: tensor<2x4x3x8xf32>, %t: tensor<4x4xf32>, %u: tensor<4x3xf32>) {
  // expected-error@+1 {{'te.rope' op expects sin to have shape [4, 4], but it is 'tensor<4x3xf32>'}}
  %0 = te.rope %x, %t, %u : tensor<2x4x3x8xf32>, tensor<4x4xf32>, tensor<4x3xf32> -> tensor<2x4x3x8xf32>
  return
}

// -----

func.func @rope_rows(%x: tensor<2x4x3x8xf32>, %t: tensor<3x4xf32>) {
  // expected-error@+1 {{'te.rope' op expects a row of its tables per position (4) or per token (8), but there are 3}}
  %0 = te.rope %x, %t, %t : tensor<2x4x3x8xf32>, tensor<3x4xf32>, tensor<3x4xf32> -> tensor<2x4x3x8xf32>
  return
}

// -----

func.func @rope_pairs(%x: tensor<2x4x3x8xf32>, %t: tensor<2x5xf32>) {
  // expected-error@+1 {{'te.rope' op rotates 5 pairs of elements of heads of 8}}
  %0 = te.rope %x, %t, %t {layout = #te.attention_layout<sbhd>} : tensor<2x4x3x8xf32>, tensor<2x5xf32>, tensor<2x5xf32> -> tensor<2x4x3x8xf32>
  return
}
