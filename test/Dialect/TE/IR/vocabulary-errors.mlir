// RUN: te-opt %s --split-input-file --verify-diagnostics

func.func @labels(%logits: tensor<8x16xf32>, %labels: tensor<7xi64>) {
  // expected-error @+1 {{'te.vocabulary_cross_entropy' op expects labels to have shape [8], but it is 'tensor<7xi64>'}}
  %loss, %lse = te.vocabulary_cross_entropy %logits, %labels on @mesh axes = [0] {classes = 32 : i64}
    : tensor<8x16xf32>, tensor<7xi64> -> tensor<8xf32>
  return
}

// -----

func.func @lse(%logits: tensor<8x16xf32>, %labels: tensor<8xi64>) {
  // expected-error @+1 {{'te.vocabulary_cross_entropy' op expects lse to have shape [8], but it is 'tensor<9xf32>'}}
  %loss, %lse = te.vocabulary_cross_entropy %logits, %labels on @mesh axes = [0] {classes = 32 : i64}
    : tensor<8x16xf32>, tensor<8xi64> -> tensor<9xf32>
  return
}

// -----

func.func @none(%logits: tensor<8x16xf32>, %labels: tensor<8xi64>) {
  // expected-error @+1 {{expects classes}}
  %loss, %lse = te.vocabulary_cross_entropy %logits, %labels on @mesh axes = [0] {classes = 0 : i64}
    : tensor<8x16xf32>, tensor<8xi64> -> tensor<8xf32>
  return
}

// -----

func.func @own(%logits: tensor<8x16xf32>, %labels: tensor<8xi64>) {
  // expected-error @+1 {{expects rank_classes to be some of the 16 columns, not 17}}
  %loss, %lse = te.vocabulary_cross_entropy %logits, %labels on @mesh axes = [0] {classes = 32 : i64, rank_classes = 17 : i64}
    : tensor<8x16xf32>, tensor<8xi64> -> tensor<8xf32>
  return
}

// -----

func.func @gradient(%dloss: tensor<f32>, %logits: tensor<8x16xf32>, %labels: tensor<8xi64>, %lse: tensor<9xf32>) {
  // expected-error @+1 {{'te.vocabulary_cross_entropy_grad' op expects lse to have shape [8], but it is 'tensor<9xf32>'}}
  %dl = te.vocabulary_cross_entropy_grad %dloss, %logits, %labels, %lse on @mesh axes = [0] {classes = 32 : i64}
    : tensor<8x16xf32>, tensor<8xi64>, tensor<9xf32>
  return
}

// -----

func.func @norm(%a: tensor<4xf32>) {
  // expected-error @+1 {{says of 2 gradients whether they are shards, but has 1}}
  %n = te.reduce_norm %a is_part = [1, 0] on @mesh axes = [0] : tensor<4xf32>
  return
}

// -----

func.func @part(%p: tensor<40xf32>, %ids: tensor<4xi64>, %dy: tensor<4x3xf32>) {
  // expected-error @+1 {{has a shard of 40 elements of a table of 10 rows of 3}}
  %0 = te.add_embedding_part %p, %ids, %dy rows = 10 on @mesh axes = [0] : tensor<40xf32>, tensor<4xi64>, tensor<4x3xf32>
  return
}

// -----

func.func @part_type(%p: tensor<4xbf16>, %ids: tensor<4xi64>, %dy: tensor<4x3xf32>) {
  // expected-error @+1 {{takes a shard in f32, but it is 'tensor<4xbf16>'}}
  %0 = te.add_embedding_part %p, %ids, %dy rows = 10 on @mesh axes = [0] : tensor<4xbf16>, tensor<4xi64>, tensor<4x3xf32>
  return
}

// -----

func.func @part_rows(%p: tensor<4xf32>, %ids: tensor<5xi64>, %dy: tensor<4x3xf32>) {
  // expected-error @+1 {{ids}}
  %0 = te.add_embedding_part %p, %ids, %dy rows = 10 on @mesh axes = [0] : tensor<4xf32>, tensor<5xi64>, tensor<4x3xf32>
  return
}
