// The losses: what they read, which labels they take, what they count.
// RUN: te-opt %s --te-add-loss="entries=eval loss={#te.masked_lm<label_smoothing = 0.25, z_loss = 0.5>} logits=tokens" | FileCheck %s --check-prefix=MASKED
// RUN: te-opt %s --te-add-loss="entries=eval loss=classification logits=tokens" | FileCheck %s --check-prefix=TOKENS
// RUN: te-opt %s --te-add-loss="entries=eval loss=classification logits=classes" | FileCheck %s --check-prefix=CLASSES
// RUN: te-opt %s --te-add-loss="entries=eval loss=classification logits=flat" | FileCheck %s --check-prefix=FLAT
// RUN: te-opt %s --te-add-loss="entries=eval loss=mse logits=classes" | FileCheck %s --check-prefix=MSE
// RUN: te-opt %s --te-add-loss="entries=eval loss=mse<reduction=sum> logits=tokens" | FileCheck %s --check-prefix=SUM
// RUN: te-opt %s --te-add-loss="entries=eval loss=output:own" | FileCheck %s --check-prefix=OWN
// RUN: te-opt %s --te-add-loss="entries=grad loss=output:loss" | FileCheck %s --check-prefix=LOSS
// RUN: te-opt %s --te-add-loss="entries=eval loss={causal-lm<ignore_index = 7>} logits=tokens" | FileCheck %s --check-prefix=CAUSAL

// MASKED-LABEL: func.func @eval(
// MASKED-SAME:    %[[LABELS:[^ ]*]]: tensor<2x4xi64> {te.input = "labels"}
// MASKED:         %[[ROWS:.*]] = tensor.collapse_shape %[[LABELS]] {{.*}} into tensor<8xi64>
// MASKED:         %[[L:.*]], %{{.*}}, %[[N:.*]] = te.cross_entropy %{{.*}}, %[[ROWS]] {label_smoothing = 2.500000e-01 : f32, z_loss = 5.000000e-01 : f32} : tensor<8x16xf32>
// MASKED:         return %[[L]], %[[N]]

// TOKENS-LABEL: func.func @eval(
// TOKENS-SAME:    tensor<2x4xi64> {te.input = "labels"}
// TOKENS-SAME:    -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count"})
// TOKENS:         te.cross_entropy {{.*}} : tensor<8x16xf32>, tensor<8xi64>

// One label for each sequence, and its scores, which accuracy is told from.
// CLASSES-LABEL: func.func @eval(
// CLASSES-SAME:    %[[LABELS:[^ ]*]]: tensor<2xi64> {te.input = "labels"}
// CLASSES-SAME:    -> (tensor<2x3xf32> {te.output = "classes"}, tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count"})
// CLASSES:         te.cross_entropy %[[SCORES:.*]], %[[LABELS]] : tensor<2x3xf32>, tensor<2xi64>
// CLASSES:         return %[[SCORES]], %{{.*}}, %{{.*}} :

// Rows of tokens are too many to return their scores.
// FLAT-LABEL: func.func @eval(
// FLAT-SAME:    tensor<8xi64> {te.input = "labels"}
// FLAT-SAME:    -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count"})

// Targets of the output's shape, all of which count.
// MSE-LABEL: func.func @eval(
// MSE-SAME:    %[[LABELS:[^ ]*]]: tensor<2x3xf32> {te.input = "labels"}
// MSE-DAG:     %[[N:.*]] = arith.constant dense<6.0{{.*}}> : tensor<f32>
// MSE-DAG:     %[[L:.*]] = te.squared_error %{{.*}}, %[[LABELS]] : tensor<2x3xf32>, tensor<2x3xf32>
// MSE:         return %[[L]], %[[N]]

// SUM-LABEL: func.func @eval(
// SUM-SAME:    %[[LABELS:[^ ]*]]: tensor<2x4x16xf32> {te.input = "labels"}
// SUM:         %[[ROWS:.*]] = tensor.collapse_shape %[[LABELS]] {{.*}} into tensor<8x16xf32>
// SUM:         te.squared_error %{{.*}}, %[[ROWS]] {reduction = #te.reduction<sum>}

// A loss of the model's own has no labels but those that the model takes, and
// counts once a batch. As an output it stays, beside the loss that it is.
// OWN-LABEL: func.func @eval(
// OWN-NOT:     te.input = "labels"
// OWN-SAME:    -> (tensor<f32> {te.output = "loss"}, tensor<f32> {te.output = "count"})
// OWN-DAG:     %[[WIDE:.*]] = arith.extf %{{.*}} : tensor<bf16> to tensor<f32>
// OWN-DAG:     %[[ONE:.*]] = arith.constant dense<1.0{{.*}}> : tensor<f32>
// OWN:         return %[[WIDE]], %[[ONE]]

// CAUSAL-LABEL: func.func @eval(
// CAUSAL:         te.shift_labels %{{.*}} {ignore_index = 7 : i64}
// CAUSAL:         te.cross_entropy {{.*}} {ignore_index = 7 : i64}
func.func @eval(%ids: tensor<2x4xi64> {te.input = "input_ids"}, %table: tensor<16x8xf32> {te.param = "table"}, %w: tensor<3x32xf32> {te.param = "w"})
    -> (tensor<2x4x16xf32> {te.output = "tokens"}, tensor<2x3xf32> {te.output = "classes"}, tensor<8x16xf32> {te.output = "flat"}, tensor<1x1xbf16> {te.output = "own"}, tensor<1xf32> {te.output = "loss"}) attributes {te.entry = "eval"} {
  %rows = tensor.collapse_shape %ids [[0, 1]] : tensor<2x4xi64> into tensor<8xi64>
  %x = te.embedding %rows, %table : tensor<8xi64>, tensor<16x8xf32> -> tensor<8x8xf32>
  %t = te.matmul %x, %table {transpose_b} : tensor<8x8xf32>, tensor<16x8xf32> -> tensor<8x16xf32>
  %tokens = tensor.expand_shape %t [[0, 1], [2]] output_shape [2, 4, 16] : tensor<8x16xf32> into tensor<2x4x16xf32>
  %s = tensor.expand_shape %x [[0, 1], [2]] output_shape [2, 4, 8] : tensor<8x8xf32> into tensor<2x4x8xf32>
  %f = tensor.collapse_shape %s [[0], [1, 2]] : tensor<2x4x8xf32> into tensor<2x32xf32>
  %classes = te.matmul %f, %w {transpose_b} : tensor<2x32xf32>, tensor<3x32xf32> -> tensor<2x3xf32>
  %first = tensor.extract_slice %classes[0, 0] [1, 1] [1, 1] : tensor<2x3xf32> to tensor<1x1xf32>
  %own = arith.truncf %first : tensor<1x1xf32> to tensor<1x1xbf16>
  %loss = tensor.extract_slice %classes[0, 1] [1, 1] [1, 1] : tensor<2x3xf32> to tensor<1xf32>
  return %tokens, %classes, %t, %own, %loss : tensor<2x4x16xf32>, tensor<2x3xf32>, tensor<8x16xf32>, tensor<1x1xbf16>, tensor<1xf32>
}

// An output called loss that is the loss is not returned twice.
// LOSS-LABEL: func.func @grad(
// LOSS-SAME:    -> (tensor<2x3xf32> {te.output = "y"}, tensor<f32> {te.output = "loss"})
// LOSS:         %[[L:.*]] = tensor.collapse_shape %{{.*}} [] : tensor<1xf32> into tensor<f32>
// LOSS:         return %{{.*}}, %[[L]]
func.func @grad(%w: tensor<2x3xf32> {te.param = "w"}) -> (tensor<1xf32> {te.output = "loss"}, tensor<2x3xf32> {te.output = "y"}) attributes {te.entry = "grad"} {
  %row = tensor.collapse_shape %w [[0, 1]] : tensor<2x3xf32> into tensor<6xf32>
  %loss = tensor.extract_slice %row[4] [1] [1] : tensor<6xf32> to tensor<1xf32>
  return %loss, %w : tensor<1xf32>, tensor<2x3xf32>
}
