// RUN: te-opt %s --verify-diagnostics --split-input-file

func.func @places(%e: tensor<8xi32>) {
  // expected-error@+1 {{has 18 places; expects a multiple of 4, 16 or more: as many as 8 rows of 3 experts may need}}
  %s, %l, %g = te.group_rows %e {count = 3 : i64, alignment = 4 : i64} : tensor<8xi32> -> tensor<18xi32>
  return
}

// -----

func.func @few_places(%e: tensor<8xi32>) {
  // expected-error@+1 {{has 12 places; expects a multiple of 4, 16 or more}}
  %s, %l, %g = te.group_rows %e {count = 3 : i64, alignment = 4 : i64} : tensor<8xi32> -> tensor<12xi32>
  return
}

// -----

func.func @no_experts(%e: tensor<8xi32>) {
  // expected-error@+1 {{expects a count and an alignment of at least 1}}
  %s, %l, %g = te.group_rows %e {count = 0 : i64, alignment = 4 : i64} : tensor<8xi32> -> tensor<8xi32>
  return
}

// -----

func.func @ranks(%e: tensor<8xi32>) {
  // expected-error@+1 {{has 3 experts and 16 places, which 2 ranks cannot share in equal shards of a multiple of 4}}
  %s, %l, %g = te.group_rows %e {count = 3 : i64, alignment = 4 : i64, ranks = 2 : i64} : tensor<8xi32> -> tensor<16xi32>
  return
}

// -----

func.func @shards(%e: tensor<8xi32>) {
  // expected-error@+1 {{has 4 experts and 12 places, which 2 ranks cannot share in equal shards of a multiple of 4}}
  %s, %l, %g = te.group_rows %e {count = 4 : i64, alignment = 4 : i64, ranks = 2 : i64} : tensor<8xi32> -> tensor<12xi32>
  return
}

// -----

func.func @formats(%x: tensor<8x16xf8E4M3FN>, %s: tensor<4xi32>) {
  // expected-error@+1 {{makes 'tensor<4x16xf8E5M2>' of 'tensor<8x16xf8E4M3FN>'; expects one element type, as rows are moved as they are}}
  %y = te.take_rows %x, %s : tensor<8x16xf8E4M3FN>, tensor<4xi32> -> tensor<4x16xf8E5M2>
  return
}

// -----

func.func @places(%x: tensor<8x16xf8E4M3FN>, %s: tensor<4xi32>) {
  // expected-error@+1 {{expects the result to have shape [4, 16], but it is 'tensor<5x16xf8E4M3FN>'}}
  %y = te.take_rows %x, %s : tensor<8x16xf8E4M3FN>, tensor<4xi32> -> tensor<5x16xf8E4M3FN>
  return
}

// -----

func.func @wide_ids(%e: tensor<8xi64>) {
  // expected-error@+1 {{must be vector of i32}}
  %s, %l, %g = te.group_rows %e {count = 3 : i64, alignment = 1 : i64} : tensor<8xi64> -> tensor<8xi32>
  return
}

// -----

func.func @rows(%x: tensor<6x5xf32>, %w: tensor<15x4xf32>, %e: tensor<5xi32>) {
  // expected-error@+1 {{expects the experts of rows to have shape [6], but it is 'tensor<5xi32>'}}
  %y = te.expert_matmul %x, %w experts(%e) : tensor<6x5xf32>, tensor<15x4xf32>, tensor<5xi32> -> tensor<6x4xf32>
  return
}

// -----

func.func @matrices(%x: tensor<6x5xf32>, %w: tensor<12x5xf32>, %e: tensor<6xi32>) {
  // expected-error@+1 {{expects matrices of E experts, one behind the other, that multiply 5 elements of a row to 4 of the result, but the right operand is 'tensor<12x5xf32>' and the result 'tensor<6x4xf32>'; is transpose_b missing?}}
  %y = te.expert_matmul %x, %w experts(%e) : tensor<6x5xf32>, tensor<12x5xf32>, tensor<6xi32> -> tensor<6x4xf32>
  return
}

// -----

func.func @part_of_a_matrix(%x: tensor<6x5xf32>, %w: tensor<13x5xf32>, %e: tensor<6xi32>) {
  // expected-error@+1 {{expects matrices of E experts}}
  %y = te.expert_matmul %x, %w experts(%e) {transpose_b} : tensor<6x5xf32>, tensor<13x5xf32>, tensor<6xi32> -> tensor<6x4xf32>
  return
}

// -----

func.func @blocks(%x: tensor<6x5xf32>, %w: tensor<12x5xf32>, %e: tensor<6xi32>) {
  // expected-error@+1 {{has 6 rows; expects a multiple of the alignment 4}}
  %y = te.expert_matmul %x, %w experts(%e) {alignment = 4 : i64, transpose_b} : tensor<6x5xf32>, tensor<12x5xf32>, tensor<6xi32> -> tensor<6x4xf32>
  return
}

// -----

func.func @no_alignment(%x: tensor<6x5xf32>, %w: tensor<12x5xf32>, %e: tensor<6xi32>) {
  // expected-error@+1 {{expects an alignment of at least 1}}
  %y = te.expert_matmul %x, %w experts(%e) {alignment = 0 : i64, transpose_b} : tensor<6x5xf32>, tensor<12x5xf32>, tensor<6xi32> -> tensor<6x4xf32>
  return
}

// -----

func.func @wgrad(%x: tensor<6x5xf32>, %dy: tensor<6x4xf32>, %e: tensor<6xi32>) {
  // expected-error@+1 {{expects a result [E * 5, 4] of E experts, but it is 'tensor<12x4xf32>'}}
  %dw = te.expert_matmul %x, %dy experts(%e) {role = #te.role<wgrad>} : tensor<6x5xf32>, tensor<6x4xf32>, tensor<6xi32> -> tensor<12x4xf32>
  return
}

// -----

func.func @wgrad_rows(%x: tensor<6x5xf32>, %dy: tensor<7x4xf32>, %e: tensor<6xi32>) {
  // expected-error@+1 {{sums 6 rows of the left operand with 7 of the right one}}
  %dw = te.expert_matmul %x, %dy experts(%e) {role = #te.role<wgrad>} : tensor<6x5xf32>, tensor<7x4xf32>, tensor<6xi32> -> tensor<15x4xf32>
  return
}

// -----

func.func @transposed_wgrad(%x: tensor<6x5xf32>, %dy: tensor<6x4xf32>, %e: tensor<6xi32>) {
  // expected-error@+1 {{has transpose_b, which wgrad does not take}}
  %dw = te.expert_matmul %x, %dy experts(%e) {role = #te.role<wgrad>, transpose_b} : tensor<6x5xf32>, tensor<6x4xf32>, tensor<6xi32> -> tensor<15x4xf32>
  return
}

// -----

func.func @input_first(%x: tensor<6x5xf32>, %w: tensor<12x5xf32>, %e: tensor<6xi32>) {
  // expected-error@+1 {{has input_first, which only wgrad takes}}
  %y = te.expert_matmul %x, %w experts(%e) {input_first, transpose_b} : tensor<6x5xf32>, tensor<12x5xf32>, tensor<6xi32> -> tensor<6x4xf32>
  return
}

// -----

func.func @two_gradients(%x: tensor<16x16xf8E5M2>, %w: tensor<32x16xf8E5M2>, %s: tensor<f32>, %e: tensor<16xi32>) {
  // expected-error@+1 {{has two f8E5M2 operands; FP8 GEMMs take at most one}}
  %y = te.scaled_expert_matmul %x, %w scales(%s, %s) experts(%e) {transpose_b} : tensor<16x16xf8E5M2>, tensor<32x16xf8E5M2>, tensor<16xi32> -> tensor<16x16xf32>
  return
}

// -----

func.func @no_role(%x: tensor<16x16xf8E5M2>, %w: tensor<32x16xf8E4M3FN>, %s: tensor<f32>, %e: tensor<16xi32>) {
  // expected-error@+1 {{expects the role of a linear layer's product}}
  %y = te.scaled_expert_matmul %x, %w scales(%s, %s) experts(%e) {role = #te.role<other>, transpose_b} : tensor<16x16xf8E5M2>, tensor<32x16xf8E4M3FN>, tensor<16xi32> -> tensor<16x16xf32>
  return
}

// -----

func.func @permuted_rows(%x: tensor<4x5xf32>, %s: tensor<8xi32>) {
  // expected-error@+1 {{'te.permute' op expects the result to have shape [8, 5], but it is 'tensor<8x4xf32>'}}
  %y = te.permute %x, %s : tensor<4x5xf32>, tensor<8xi32> -> y tensor<8x4xf32>
  return
}

// -----

func.func @weights(%x: tensor<4x5xf32>, %s: tensor<8xi32>, %w: tensor<7xf32>) {
  // expected-error@+1 {{expects the weights to have shape [8], but it is 'tensor<7xf32>'}}
  %y = te.permute %x, %s weights(%w : tensor<7xf32>) {repeat = 2 : i64} : tensor<4x5xf32>, tensor<8xi32> -> y tensor<8x5xf32>
  return
}

// -----

func.func @repeat(%x: tensor<4x5xf32>, %s: tensor<8xi32>) {
  // expected-error@+1 {{expects to repeat rows at least once}}
  %y = te.permute %x, %s {repeat = 0 : i64} : tensor<4x5xf32>, tensor<8xi32> -> y tensor<8x5xf32>
  return
}

// -----

func.func @slots(%x: tensor<8x5xf32>, %s: tensor<7xi32>) {
  // expected-error@+1 {{'te.unpermute' op expects the places to have shape [8], but it is 'tensor<7xi32>'}}
  %y = te.unpermute %x, %s {repeat = 2 : i64} : tensor<8x5xf32>, tensor<7xi32> -> tensor<4x5xf32>
  return
}

// -----

func.func @columns(%x: tensor<8x5xf32>, %s: tensor<8xi32>) {
  // expected-error@+1 {{'te.unpermute' op expects the result to have shape [4, 5], but it is 'tensor<4x4xf32>'}}
  %y = te.unpermute %x, %s {repeat = 2 : i64} : tensor<8x5xf32>, tensor<8xi32> -> tensor<4x4xf32>
  return
}

// -----

func.func @tokens(%x: tensor<8x5xf32>, %s: tensor<8xi32>, %t: tensor<4x6xf32>) {
  // expected-error@+1 {{expects the tokens to have shape [4, 5], but it is 'tensor<4x6xf32>'}}
  %y = te.permute_weights_grad %x, %s, %t {repeat = 2 : i64} : tensor<8x5xf32>, tensor<8xi32>, tensor<4x6xf32> -> tensor<8xf32>
  return
}
