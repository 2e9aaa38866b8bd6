// RUN: te-opt %s --te-parallelize=mesh=tp=2 --split-input-file --verify-diagnostics

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

shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @few(%logits: tensor<8x16xf32>, %labels: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{has 16 columns for each of 2 ranks, which are too few for 33 classes}}
  %loss, %lse = te.vocabulary_cross_entropy %logits, %labels on @mesh axes = [0] {classes = 33 : i64}
    : tensor<8x16xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss : tensor<f32>
}

// -----

shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @axis(%logits: tensor<8x16xf32>, %labels: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{is on 'mesh', which is no shard.grid with these axes}}
  %loss, %lse = te.vocabulary_cross_entropy %logits, %labels on @mesh axes = [1] {classes = 32 : i64}
    : tensor<8x16xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss : tensor<f32>
}

// -----

func.func @norm(%a: tensor<4xf32>) {
  // expected-error @+1 {{says of 2 gradients whether they are parts, but has 1}}
  %n = te.reduce_norm %a is_part = [1, 0] on @mesh axes = [0] : tensor<4xf32>
  return
}

// -----

func.func @part(%p: tensor<40xf32>, %ids: tensor<4xi64>, %dy: tensor<4x3xf32>) {
  // expected-error @+1 {{has a part of 40 elements of a table of 10 rows of 3}}
  %0 = te.add_embedding_part %p, %ids, %dy rows = 10 on @mesh axes = [0] : tensor<40xf32>, tensor<4xi64>, tensor<4x3xf32>
  return
}

// -----

func.func @part_type(%p: tensor<4xbf16>, %ids: tensor<4xi64>, %dy: tensor<4x3xf32>) {
  // expected-error @+1 {{takes a part in f32, but it is 'tensor<4xbf16>'}}
  %0 = te.add_embedding_part %p, %ids, %dy rows = 10 on @mesh axes = [0] : tensor<4xbf16>, tensor<4xi64>, tensor<4x3xf32>
  return
}

// -----

func.func @part_rows(%p: tensor<4xf32>, %ids: tensor<5xi64>, %dy: tensor<4x3xf32>) {
  // expected-error @+1 {{ids}}
  %0 = te.add_embedding_part %p, %ids, %dy rows = 10 on @mesh axes = [0] : tensor<4xf32>, tensor<5xi64>, tensor<4x3xf32>
  return
}
