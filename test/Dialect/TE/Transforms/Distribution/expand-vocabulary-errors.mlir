// RUN: te-opt %s --te-expand-vocabulary --split-input-file --verify-diagnostics

shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @few(%logits: tensor<8x16xf32>, %labels: tensor<8xi64>) -> tensor<f32> {
  // expected-error @+1 {{has 16 classes for each of 2 ranks, which are too few for 33 classes}}
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

shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @gradient(%dloss: tensor<f32>, %logits: tensor<8x16xf32>, %labels: tensor<8xi64>, %lse: tensor<8xf32>) -> tensor<8x16xf32> {
  // expected-error @+1 {{has 15 classes for each of 2 ranks, which are too few for 31 classes}}
  %dl = te.vocabulary_cross_entropy_grad %dloss, %logits, %labels, %lse on @mesh axes = [0] {classes = 31 : i64, rank_classes = 15 : i64}
    : tensor<8x16xf32>, tensor<8xi64>, tensor<8xf32>
  return %dl : tensor<8x16xf32>
}
