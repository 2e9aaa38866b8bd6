// RUN: te-opt %s --te-expand-vocabulary | FileCheck %s

// 31 classes: 16 are rank 0's, 15 rank 1's; what is behind them on either is no
// class, and a label of one is refused by the ops below.

// CHECK: shard.grid @mesh
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}

// Columns are told apart by rank_classes, and a label that is no class has a column
// that is not there, 24.
// CHECK-LABEL: func.func @loss
// CHECK-SAME: %[[LOGITS:.*]]: tensor<8x24xf32>, %[[LABELS:.*]]: tensor<8xi64>
// CHECK: %[[RANK:.*]] = shard.all_slice %{{.*}} : tensor<2xi64> -> tensor<1xi64>
// CHECK: %[[OWN:.*]] = linalg.generic {{.*}} ins(%[[LABELS]], %[[RANK]]
// CHECK: arith.constant 16 : i64
// CHECK: arith.divsi
// CHECK: arith.constant 24 : i64
// CHECK: %[[TERM:.*]], %[[OWNLSE:.*]], %{{.*}} = te.cross_entropy %[[LOGITS]], %[[OWN]] {ignore_index = -1 : i64, reduction = #te.reduction<sum>}
// CHECK: %[[ALL:.*]] = shard.all_gather %[[OWNLSE]] on @mesh grid_axes = [0] gather_axis = 0 : tensor<8xf32> -> tensor<16xf32>
// The rank's term: te-shard-model has added them up.
// CHECK: %[[LOSS:.*]] = arith.addf %[[TERM]],
// CHECK-NOT: shard.all_reduce
// CHECK: return %[[LOSS]]
func.func @loss(%logits: tensor<8x24xf32>, %labels: tensor<8xi64>) -> (tensor<f32>, tensor<8xf32>) {
  %loss, %lse = te.vocabulary_cross_entropy %logits, %labels on @mesh axes = [0] {classes = 31 : i64, rank_classes = 16 : i64}
    : tensor<8x24xf32>, tensor<8xi64> -> tensor<8xf32>
  return %loss, %lse : tensor<f32>, tensor<8xf32>
}

// CHECK-LABEL: func.func @gradient
// CHECK-SAME: %[[DLOSS:.*]]: tensor<f32>, %[[LOGITS:.*]]: tensor<8x24xbf16>, %[[LABELS:.*]]: tensor<8xi64>, %[[LSE:.*]]: tensor<8xf32>
// CHECK: %[[BEFORE:.*]] = tensor.extract_slice %[[LOGITS]][0, 0] [8, 1]
// CHECK: %[[ALL:.*]] = te.cross_entropy_grad %[[DLOSS]], %[[LOGITS]], %{{.*}}, %[[LSE]], {{.*}} {ignore_index = -1 : i64, reduction = #te.reduction<sum>}
// CHECK: %[[COLUMN:.*]] = tensor.extract_slice %[[ALL]][0, 0] [8, 1]
// CHECK: %[[NEW:.*]] = linalg.generic {{.*}} ins(%[[COLUMN]], %[[BEFORE]], %[[LSE]], %[[LABELS]]
// CHECK: tensor.insert_slice %[[NEW]] into %[[ALL]][0, 0] [8, 1]
// CHECK-NOT: te.vocabulary
func.func @gradient(%dloss: tensor<f32>, %logits: tensor<8x24xbf16>, %labels: tensor<8xi64>, %lse: tensor<8xf32>) -> tensor<8x24xbf16> {
  %dl = te.vocabulary_cross_entropy_grad %dloss, %logits, %labels, %lse on @mesh axes = [0] {classes = 31 : i64, rank_classes = 16 : i64}
    : tensor<8x24xbf16>, tensor<8xi64>, tensor<8xf32>
  return %dl : tensor<8x24xbf16>
}

// The conversion of a weight that got a row comes before that row.
// CHECK-LABEL: func.func @weight
// CHECK-SAME: %[[W:.*]]: tensor<31x16xf32>, %[[V:.*]]: tensor<31x16xf32>
// CHECK-DAG: %[[BF16:.*]] = arith.truncf %[[W]] : tensor<31x16xf32> to tensor<31x16xbf16>
// CHECK-DAG: %[[ROW:.*]] = arith.constant dense<0.000000e+00> : tensor<1x16xbf16>
// CHECK: %[[PADDED:.*]] = tensor.concat dim(0) %[[BF16]], %[[ROW]]
// CHECK: %[[WIDE:.*]] = tensor.concat dim(0) %[[V]]
// CHECK: %[[OTHER:.*]] = arith.truncf %[[WIDE]]
// CHECK: return %[[PADDED]], %[[OTHER]], %[[WIDE]]
func.func @weight(%w: tensor<31x16xf32>, %v: tensor<31x16xf32>) -> (tensor<32x16xbf16>, tensor<32x16xbf16>, tensor<32x16xf32>) {
  %zeros = arith.constant dense<0.0> : tensor<1x16xf32>
  %0 = tensor.concat dim(0) %w, %zeros : (tensor<31x16xf32>, tensor<1x16xf32>) -> tensor<32x16xf32>
  %1 = arith.truncf %0 : tensor<32x16xf32> to tensor<32x16xbf16>
  // What others read in float32 stays.
  %2 = tensor.concat dim(0) %v, %zeros : (tensor<31x16xf32>, tensor<1x16xf32>) -> tensor<32x16xf32>
  %3 = arith.truncf %2 : tensor<32x16xf32> to tensor<32x16xbf16>
  return %1, %3, %2 : tensor<32x16xbf16>, tensor<32x16xbf16>, tensor<32x16xf32>
}
