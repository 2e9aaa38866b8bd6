// RUN: te-opt %s --te-fuse-loss="max-bytes=2048 row-multiple=4 class-multiple=4" --split-input-file | FileCheck %s
// RUN: te-opt %s --te-fuse-loss="max-bytes=2048 row-multiple=4 class-multiple=4" --split-input-file --remarks-filter=te-fuse-loss -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: te-opt %s --te-fuse-loss --split-input-file | FileCheck %s --check-prefix=PADDED

// Losses and gradients of a model stay what they are: three steps of training,
// against central differences, with the batch's rows in parts of four, the 24 classes padded to 25.
// RUN: te-test-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=train,forward optimizer=adamw<weight_decay=0,learning_rate=0.05>" --te-fuse-loss="max-bytes=512 row-multiple=4 class-multiple=5" \
// RUN:   --test-te-check-train=steps=3 | FileCheck %s --check-prefix=TRAIN
// TRAIN: step 1: loss {{.*}} gradients agree
// TRAIN: step 2: {{.*}} gradients agree
// TRAIN: step 3: {{.*}} gradients agree
// TRAIN-COUNT-2: te.cross_entropy_with_grad

// So with smoothed labels and a z-loss, which the parts take along.
// RUN: te-test-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=train,forward loss={causal-lm<label_smoothing = 0.25, z_loss = 0.5>} optimizer=adamw<weight_decay=0,learning_rate=0.05>" --te-fuse-loss="max-bytes=512 row-multiple=4 class-multiple=5" \
// RUN:   --test-te-check-train="steps=2 label-smoothing=0.25 z-loss=0.5" | FileCheck %s --check-prefix=TERMS
// TERMS: step 1: loss {{.*}} gradients agree
// TERMS: step 2: {{.*}} gradients agree
// TERMS-COUNT-2: te.cross_entropy_with_grad {{.*}} {label_smoothing = 2.500000e-01 : f32, z_loss = 5.000000e-01 : f32}
// The check would notice their absence:
// RUN: not te-test-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=train,forward loss={causal-lm<label_smoothing = 0.25, z_loss = 0.5>}" --te-fuse-loss \
// RUN:   --test-te-check-train="steps=1 label-smoothing=0.25" -o /dev/null 2>&1 | FileCheck %s --check-prefix=NOTERM
// NOTERM: error: returns loss = {{.*}}, but the formula gives

// So with classes that ranks share, of a mesh of one rank along tp: what it
// exchanges are sums of its own.
// RUN: te-test-opt %S/../Inputs/gpt.mlir --te-differentiate="entries=train,forward mesh=tp=1 loss={causal-lm<z_loss = 0.5>} optimizer=adamw<weight_decay=0,learning_rate=0.05>" --te-fuse-loss="max-bytes=512 row-multiple=4 class-multiple=5" \
// RUN:   --te-expand-vocabulary --test-te-check-train="steps=2 z-loss=0.5" | FileCheck %s --check-prefix=SHARED
// SHARED: step 1: loss {{.*}} gradients agree
// SHARED: step 2: loss {{.*}} gradients agree
// SHARED-COUNT-2: te.cross_entropy_grad

// 10 rows of 100 classes in bf16 are 2000 bytes, 30 rows 6000: three parts.

// REMARK: Fused {{.*}}Function=parts | Classes=100, Parts=3, Remark="loss and gradient are computed together", Rows=12
// CHECK-LABEL: func @parts(
// CHECK-SAME:    %[[X:[^ ]*]]: tensor<30x16xbf16>, %[[W:[^ ]*]]: tensor<100x16xbf16>, %[[LABELS:[^ ]*]]: tensor<30xi64>, %[[DLOSS:[^ ]*]]: tensor<f32>
// CHECK:         %[[COUNT:.*]] = te.count_labels %[[LABELS]] {classes = 100 : i64, ignore_index = -1 : i64}
// CHECK:         %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : tensor<f32>
// CHECK-DAG:     %[[L0:.*]] = tensor.extract_slice %[[LABELS]][0] [12] [1]
// CHECK-DAG:     %[[L1:.*]] = tensor.extract_slice %[[LABELS]][12] [12] [1]
// CHECK-DAG:     %[[L2:.*]] = tensor.extract_slice %[[LABELS]][24] [6] [1]
// CHECK-DAG:     %[[X0:.*]] = tensor.extract_slice %[[X]][0, 0] [12, 16] [1, 1]
// CHECK-DAG:     %[[X1:.*]] = tensor.extract_slice %[[X]][12, 0] [12, 16] [1, 1]
// CHECK-DAG:     %[[X2:.*]] = tensor.extract_slice %[[X]][24, 0] [6, 16] [1, 1]
// CHECK:         %[[P0:.*]] = te.matmul %[[X0]], %[[W]] {transpose_b}
// CHECK:         %[[D0:.*]], %[[S0:.*]] = te.cross_entropy_with_grad %[[DLOSS]], %[[L0]], %[[COUNT]], %[[P0]], %[[ZERO]] {ignore_index = -1 : i64, reduction = #te.reduction<sum>}
// CHECK:         %[[DX0:.*]] = te.matmul %[[D0]], %[[W]] {role = #te.role<dgrad>} {{.*}} -> tensor<12x16xbf16>
// CHECK:         %[[DW0:.*]] = te.matmul %[[D0]], %[[X0]] {role = #te.role<wgrad>, transpose_a}
// CHECK:         %[[P1:.*]] = te.matmul %[[X1]], %[[W]] {transpose_b}
// CHECK:         %[[D1:.*]], %[[S1:.*]] = te.cross_entropy_with_grad %[[DLOSS]], %[[L1]], %[[COUNT]], %[[P1]], %[[S0]]
// CHECK:         %[[DX1:.*]] = te.matmul %[[D1]], %[[W]]
// CHECK:         %[[DW1:.*]] = te.matmul %[[D1]], %[[X1]] addend(%[[DW0]] : tensor<100x16xf32>)
// CHECK:         %[[P2:.*]] = te.matmul %[[X2]], %[[W]] {transpose_b} : {{.*}} -> tensor<6x100xbf16>
// CHECK:         %[[D2:.*]], %[[S2:.*]] = te.cross_entropy_with_grad %[[DLOSS]], %[[L2]], %[[COUNT]], %[[P2]], %[[S1]]
// CHECK:         %[[DX2:.*]] = te.matmul %[[D2]], %[[W]]
// CHECK:         %[[DW:.*]] = te.matmul %[[D2]], %[[X2]] addend(%[[DW1]] : tensor<100x16xf32>)
// CHECK:         %[[DX:.*]] = tensor.concat dim(0) %[[DX0]], %[[DX1]], %[[DX2]]
// CHECK:         return %[[S2]], %[[DX]], %[[DW]]

// Within the limit: one part, of the same products. 100 classes become 128: the
// weight gets rows of zeros, the loss reads a slice of the logits and writes its
// gradient there, and the gradient of the weight is cut off.
// PADDED-LABEL: func @parts(
// PADDED-SAME:     %[[X:[^ ]*]]: tensor<30x16xbf16>, %[[W:[^ ]*]]: tensor<100x16xbf16>
// PADDED:         %[[ZEROS:.*]] = arith.constant dense<0.0{{.*}}> : tensor<28x16xbf16>
// PADDED:         %[[WP:.*]] = tensor.concat dim(0) %[[W]], %[[ZEROS]]
// PADDED:         %[[LP:.*]] = te.matmul %[[X]], %[[WP]] {transpose_b} : {{.*}} -> tensor<30x128xbf16>
// PADDED:         %[[L:.*]] = tensor.extract_slice %[[LP]][0, 0] [30, 100] [1, 1]
// PADDED:         %[[D:.*]], %[[S:.*]] = te.cross_entropy_with_grad %{{.*}}, %{{.*}}, %{{.*}}, %[[L]],
// PADDED:         %[[DP:.*]] = tensor.insert_slice %[[D]] into %[[LP]][0, 0] [30, 100] [1, 1]
// PADDED:         %[[DX:.*]] = te.matmul %[[DP]], %[[WP]] {role = #te.role<dgrad>} : {{.*}} -> tensor<30x16xbf16>
// PADDED:         %[[DWP:.*]] = te.matmul %[[DP]], %[[X]] {role = #te.role<wgrad>, transpose_a} : {{.*}} -> tensor<128x16xf32>
// PADDED:         %[[DW:.*]] = tensor.extract_slice %[[DWP]][0, 0] [100, 16] [1, 1]
// PADDED:         return %[[S]], %[[DX]], %[[DW]]
func.func @parts(%x: tensor<30x16xbf16>, %w: tensor<100x16xbf16>, %labels: tensor<30xi64>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<30x16xbf16>, tensor<100x16xf32>) {
  %l = te.matmul %x, %w {transpose_b} : tensor<30x16xbf16>, tensor<100x16xbf16> -> tensor<30x100xbf16>
  %loss, %lse, %count = te.cross_entropy %l, %labels {ignore_index = -1 : i64, reduction = #te.reduction<sum>}
    : tensor<30x100xbf16>, tensor<30xi64> -> tensor<30xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count {ignore_index = -1 : i64, reduction = #te.reduction<sum>}
    : tensor<30x100xbf16>, tensor<30xi64>, tensor<30xf32> -> tensor<30x100xbf16>
  %dx = te.matmul %dl, %w {role = #te.role<dgrad>} : tensor<30x100xbf16>, tensor<100x16xbf16> -> tensor<30x16xbf16>
  %dw = te.matmul %dl, %x {role = #te.role<wgrad>, transpose_a} : tensor<30x100xbf16>, tensor<30x16xbf16> -> tensor<100x16xf32>
  return %loss, %dx, %dw : tensor<f32>, tensor<30x16xbf16>, tensor<100x16xf32>
}

// -----

// The gradient goes into an FP8 product: one pass over the logits, whole.

// REMARK: Whole {{.*}}the logits do not come from a linear layer in high precision
// REMARK: Fused {{.*}}Parts=1
// CHECK-LABEL: func @quantized(
// CHECK:         %[[D:.*]], %{{.*}} = te.cross_entropy_with_grad %{{.*}} : tensor<32xi64>, tensor<32x48xbf16>
// CHECK:         te.quantize %[[D]]
func.func @quantized(%l: tensor<32x48xbf16>, %labels: tensor<32xi64>, %dloss: tensor<f32>, %scale: tensor<f32>)
    -> (tensor<f32>, tensor<32x48xf8E5M2>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<32x48xbf16>, tensor<32xi64> -> tensor<32xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count
    : tensor<32x48xbf16>, tensor<32xi64>, tensor<32xf32> -> tensor<32x48xbf16>
  %q, %amax = te.quantize %dl, %scale : tensor<32x48xbf16> -> rowwise tensor<32x48xf8E5M2> amax tensor<f32>
  return %loss, %q : tensor<f32>, tensor<32x48xf8E5M2>
}

// -----

// Somebody else reads the logits, so they must stay.

// REMARK: Apart {{.*}}the logits are needed elsewhere
// CHECK-LABEL: func @logits_needed(
// CHECK:         te.cross_entropy %
// CHECK:         te.cross_entropy_grad
func.func @logits_needed(%l: tensor<32x48xbf16>, %labels: tensor<32xi64>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<32x48xbf16>, tensor<48xf32>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<32x48xbf16>, tensor<32xi64> -> tensor<32xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count
    : tensor<32x48xbf16>, tensor<32xi64>, tensor<32xf32> -> tensor<32x48xbf16>
  %sum = te.column_sum %l : tensor<32x48xbf16> -> tensor<48xf32>
  return %loss, %dl, %sum : tensor<f32>, tensor<32x48xbf16>, tensor<48xf32>
}

// -----

// An evaluation has no gradient.

// REMARK: Apart {{.*}}it has no gradient
// CHECK-LABEL: func @forward_only(
// CHECK:         te.cross_entropy %
func.func @forward_only(%l: tensor<32x48xbf16>, %labels: tensor<32xi64>) -> tensor<f32> {
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<32x48xbf16>, tensor<32xi64> -> tensor<32xf32>
  return %loss : tensor<f32>
}

// -----

// A weight stored [K,N], and its gradient with the input first. Padded, the
// classes are columns of the gradient, which must be contiguous: it is computed
// without the padding.

// PADDED-LABEL: func @input_first(
// PADDED:         tensor.concat dim(1)
// PADDED:         %[[D:.*]], %{{.*}} = te.cross_entropy_with_grad
// PADDED:         %[[DW:.*]] = te.matmul %{{.*}}, %[[D]] {input_first, role = #te.role<wgrad>, transpose_a} : tensor<30x16xbf16>, tensor<30x100xbf16> -> tensor<16x100xf32>
// PADDED:         return %{{.*}}, %[[DW]]

// CHECK-LABEL: func @input_first(
// CHECK:         te.matmul %{{.*}}, %{{.*}} {input_first, role = #te.role<wgrad>, transpose_a} : tensor<12x16xbf16>, tensor<12x100xbf16> -> tensor<16x100xf32>
// CHECK:         te.matmul %{{.*}}, %{{.*}} addend(%{{.*}} : tensor<16x100xf32>) {input_first, role = #te.role<wgrad>, transpose_a} : tensor<12x16xbf16>, tensor<12x100xbf16> -> tensor<16x100xf32>
// CHECK:         te.matmul %{{.*}}, %{{.*}} addend(%{{.*}} : tensor<16x100xf32>) {input_first, role = #te.role<wgrad>, transpose_a} : tensor<6x16xbf16>, tensor<6x100xbf16> -> tensor<16x100xf32>
// CHECK-NOT:     te.cross_entropy_grad
func.func @input_first(%x: tensor<30x16xbf16>, %w: tensor<16x100xbf16>, %labels: tensor<30xi64>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<16x100xf32>) {
  %l = te.matmul %x, %w : tensor<30x16xbf16>, tensor<16x100xbf16> -> tensor<30x100xbf16>
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<30x100xbf16>, tensor<30xi64> -> tensor<30xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count
    : tensor<30x100xbf16>, tensor<30xi64>, tensor<30xf32> -> tensor<30x100xbf16>
  %dw = te.matmul %x, %dl {role = #te.role<wgrad>, transpose_a, input_first} : tensor<30x16xbf16>, tensor<30x100xbf16> -> tensor<16x100xf32>
  return %loss, %dw : tensor<f32>, tensor<16x100xf32>
}

// -----

// A gradient that leaves in bf16 is summed over the parts in float32.
// CHECK-LABEL: func @narrow_gradient(
// CHECK:         %[[DW0:.*]] = te.matmul %{{.*}}, %{{.*}} {role = #te.role<wgrad>, transpose_a} : tensor<12x100xbf16>, tensor<12x16xbf16> -> tensor<100x16xf32>
// CHECK:         %[[DW:.*]] = te.matmul %{{.*}}, %{{.*}} addend(%[[DW0]] : tensor<100x16xf32>) {role = #te.role<wgrad>, transpose_a} : {{.*}} -> tensor<100x16xf32>
// CHECK:         %[[R:.*]] = arith.truncf %[[DW]] : tensor<100x16xf32> to tensor<100x16xbf16>
// CHECK:         return %{{.*}}, %[[R]]
// One part is not summed, so its product rounds.
// PADDED-LABEL: func @narrow_gradient(
// PADDED:         %[[DWP:.*]] = te.matmul %{{.*}}, %{{.*}} {role = #te.role<wgrad>, transpose_a} : {{.*}} -> tensor<128x16xbf16>
// PADDED:         %[[DW:.*]] = tensor.extract_slice %[[DWP]][0, 0] [100, 16] [1, 1]
// PADDED:         return %{{.*}}, %[[DW]]
func.func @narrow_gradient(%x: tensor<20x16xbf16>, %w: tensor<100x16xbf16>, %labels: tensor<20xi64>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<100x16xbf16>) {
  %l = te.matmul %x, %w {transpose_b} : tensor<20x16xbf16>, tensor<100x16xbf16> -> tensor<20x100xbf16>
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<20x100xbf16>, tensor<20xi64> -> tensor<20xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count
    : tensor<20x100xbf16>, tensor<20xi64>, tensor<20xf32> -> tensor<20x100xbf16>
  %dw = te.matmul %dl, %x {role = #te.role<wgrad>, transpose_a} : tensor<20x100xbf16>, tensor<20x16xbf16> -> tensor<100x16xbf16>
  return %loss, %dw : tensor<f32>, tensor<100x16xbf16>
}

// -----

// A gradient of the same logits that is not this loss's own stays what it is.

// REMARK: Apart {{.*}}Function=other_labels {{.*}}the gradient of its logits is taken for other labels
// CHECK-LABEL: func @other_labels(
// CHECK:         te.cross_entropy %
// CHECK:         te.cross_entropy_grad
func.func @other_labels(%l: tensor<32x48xbf16>, %labels: tensor<32xi64>, %others: tensor<32xi64>, %sums: tensor<32xf32>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<32x48xbf16>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels {ignore_index = -100 : i64} : tensor<32x48xbf16>, tensor<32xi64> -> tensor<32xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %others, %lse, %count {ignore_index = -100 : i64}
    : tensor<32x48xbf16>, tensor<32xi64>, tensor<32xf32> -> tensor<32x48xbf16>
  return %loss, %dl : tensor<f32>, tensor<32x48xbf16>
}

// -----

// REMARK: Apart {{.*}}Function=other_ignore_index {{.*}}the gradient of its logits ignores another label
// CHECK-LABEL: func @other_ignore_index(
// CHECK:         te.cross_entropy %
// CHECK:         te.cross_entropy_grad
func.func @other_ignore_index(%l: tensor<32x48xbf16>, %labels: tensor<32xi64>, %others: tensor<32xi64>, %sums: tensor<32xf32>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<32x48xbf16>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels {ignore_index = -100 : i64} : tensor<32x48xbf16>, tensor<32xi64> -> tensor<32xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count {ignore_index = 0 : i64}
    : tensor<32x48xbf16>, tensor<32xi64>, tensor<32xf32> -> tensor<32x48xbf16>
  return %loss, %dl : tensor<f32>, tensor<32x48xbf16>
}

// -----

// REMARK: Apart {{.*}}Function=other_reduction {{.*}}the gradient of its logits is that of another reduction
// CHECK-LABEL: func @other_reduction(
// CHECK:         te.cross_entropy %
// CHECK:         te.cross_entropy_grad
func.func @other_reduction(%l: tensor<32x48xbf16>, %labels: tensor<32xi64>, %others: tensor<32xi64>, %sums: tensor<32xf32>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<32x48xbf16>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels {ignore_index = -100 : i64} : tensor<32x48xbf16>, tensor<32xi64> -> tensor<32xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count {ignore_index = -100 : i64, reduction = #te.reduction<sum>}
    : tensor<32x48xbf16>, tensor<32xi64>, tensor<32xf32> -> tensor<32x48xbf16>
  return %loss, %dl : tensor<f32>, tensor<32x48xbf16>
}

// -----

// REMARK: Apart {{.*}}Function=other_smoothing {{.*}}the gradient of its logits smooths the labels differently
// CHECK-LABEL: func @other_smoothing(
// CHECK:         te.cross_entropy %
// CHECK:         te.cross_entropy_grad
func.func @other_smoothing(%l: tensor<32x48xbf16>, %labels: tensor<32xi64>, %dloss: tensor<f32>) -> (tensor<f32>, tensor<32x48xbf16>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels {label_smoothing = 0.1 : f32} : tensor<32x48xbf16>, tensor<32xi64> -> tensor<32xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count
    : tensor<32x48xbf16>, tensor<32xi64>, tensor<32xf32> -> tensor<32x48xbf16>
  return %loss, %dl : tensor<f32>, tensor<32x48xbf16>
}

// -----

// REMARK: Apart {{.*}}Function=other_z {{.*}}the gradient of its logits has another z_loss
// CHECK-LABEL: func @other_z(
// CHECK:         te.cross_entropy %
// CHECK:         te.cross_entropy_grad
func.func @other_z(%l: tensor<32x48xbf16>, %labels: tensor<32xi64>, %dloss: tensor<f32>) -> (tensor<f32>, tensor<32x48xbf16>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<32x48xbf16>, tensor<32xi64> -> tensor<32xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count {z_loss = 1.0e-4 : f32}
    : tensor<32x48xbf16>, tensor<32xi64>, tensor<32xf32> -> tensor<32x48xbf16>
  return %loss, %dl : tensor<f32>, tensor<32x48xbf16>
}

// -----

// REMARK: Apart {{.*}}Function=other_sums {{.*}}the gradient of its logits takes the sums of another loss
// CHECK-LABEL: func @other_sums(
// CHECK:         te.cross_entropy %
// CHECK:         te.cross_entropy_grad
func.func @other_sums(%l: tensor<32x48xbf16>, %labels: tensor<32xi64>, %others: tensor<32xi64>, %sums: tensor<32xf32>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<32x48xbf16>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels {ignore_index = -100 : i64} : tensor<32x48xbf16>, tensor<32xi64> -> tensor<32xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %sums, %count {ignore_index = -100 : i64}
    : tensor<32x48xbf16>, tensor<32xi64>, tensor<32xf32> -> tensor<32x48xbf16>
  return %loss, %dl : tensor<f32>, tensor<32x48xbf16>
}

// -----

// What is made of the loss in front of its gradient moves behind the sum of all
// parts.
// REMARK: Fused {{.*}}Function=followed
// CHECK-LABEL: func @followed(
// CHECK-NOT:     arith.mulf
// CHECK:         %{{.*}}, %[[SUM:.*]] = te.cross_entropy_with_grad
// CHECK:         %[[SCALED:.*]] = arith.mulf %[[SUM]],
// CHECK:         %[[TWICE:.*]] = arith.addf %[[SCALED]], %[[SCALED]]
// CHECK:         return %[[TWICE]]
func.func @followed(%l: tensor<20x24xbf16>, %labels: tensor<20xi64>, %dloss: tensor<f32>, %s: tensor<f32>) -> (tensor<f32>, tensor<20x24xbf16>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<20x24xbf16>, tensor<20xi64> -> tensor<20xf32>
  %scaled = arith.mulf %loss, %s : tensor<f32>
  %twice = arith.addf %scaled, %scaled : tensor<f32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count : tensor<20x24xbf16>, tensor<20xi64>, tensor<20xf32> -> tensor<20x24xbf16>
  return %twice, %dl : tensor<f32>, tensor<20x24xbf16>
}

// -----

// REMARK: Apart {{.*}}Function=squared {{.*}}its gradient depends on what is computed from it
// CHECK-LABEL: func @squared(
// CHECK:         te.cross_entropy %
// CHECK:         te.cross_entropy_grad
func.func @squared(%l: tensor<20x24xbf16>, %labels: tensor<20xi64>) -> (tensor<f32>, tensor<20x24xbf16>) {
  %loss, %lse, %count = te.cross_entropy %l, %labels : tensor<20x24xbf16>, tensor<20xi64> -> tensor<20xf32>
  %square = arith.mulf %loss, %loss : tensor<f32>
  %slope = arith.addf %loss, %loss : tensor<f32>
  %dl = te.cross_entropy_grad %slope, %l, %labels, %lse, %count : tensor<20x24xbf16>, tensor<20xi64>, tensor<20xf32> -> tensor<20x24xbf16>
  return %square, %dl : tensor<f32>, tensor<20x24xbf16>
}

// -----

// Classes that ranks share: each part has a loss and a gradient of its own, between
// which ranks exchange the sums of its rows; the terms are added up over the ranks
// once.
// REMARK: Fused {{.*}}Function=vocabulary | {{.*}}Parts=2
// CHECK-LABEL: func @vocabulary(
// CHECK-NOT:     shard.all_reduce
// CHECK:         %[[L0:.*]] = te.matmul {{.*}} -> tensor<16x60xbf16>
// CHECK:         %[[T0:.*]], %[[S0:.*]] = te.vocabulary_cross_entropy %[[L0]], {{.*}} {classes = 110 : i64, rank_classes = 55 : i64, z_loss = 1.000000e-01 : f32}
// CHECK:         %[[D0:.*]] = te.vocabulary_cross_entropy_grad %{{.*}}, %[[L0]], %{{.*}}, %[[S0]] {{.*}} rank_classes = 55 : i64, z_loss = 1.000000e-01 : f32}
// CHECK:         %[[A0:.*]] = arith.addf %{{.*}}, %[[T0]]
// CHECK:         %[[DW0:.*]] = te.matmul %[[D0]], {{.*}} -> tensor<60x16xf32>
// CHECK:         %[[L1:.*]] = te.matmul {{.*}} -> tensor<14x60xbf16>
// CHECK:         %[[T1:.*]], %{{.*}} = te.vocabulary_cross_entropy %[[L1]]
// CHECK:         %[[A1:.*]] = arith.addf %[[A0]], %[[T1]]
// CHECK:         te.matmul {{.*}} addend(%[[DW0]] : tensor<60x16xf32>)
// CHECK:         %[[SUM:.*]] = shard.all_reduce %[[A1]]
// CHECK:         return %[[SUM]]
// PADDED-LABEL: func @vocabulary(
// PADDED:         te.vocabulary_cross_entropy {{.*}} rank_classes = 55
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @vocabulary(%x: tensor<30x16xbf16>, %w: tensor<60x16xbf16>, %labels: tensor<30xi64>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<30x16xbf16>, tensor<60x16xf32>) {
  %l = te.matmul %x, %w {transpose_b} : tensor<30x16xbf16>, tensor<60x16xbf16> -> tensor<30x60xbf16>
  %loss, %lse = te.vocabulary_cross_entropy %l, %labels on @mesh axes = [0] {classes = 110 : i64, rank_classes = 55 : i64, z_loss = 0.1 : f32}
    : tensor<30x60xbf16>, tensor<30xi64> -> tensor<30xf32>
  %sum = shard.all_reduce %loss on @mesh grid_axes = [0] : tensor<f32> -> tensor<f32>
  %dl = te.vocabulary_cross_entropy_grad %dloss, %l, %labels, %lse on @mesh axes = [0] {classes = 110 : i64, rank_classes = 55 : i64, z_loss = 0.1 : f32}
    : tensor<30x60xbf16>, tensor<30xi64>, tensor<30xf32>
  %dx = te.matmul %dl, %w {role = #te.role<dgrad>} : tensor<30x60xbf16>, tensor<60x16xbf16> -> tensor<30x16xbf16>
  %dw = te.matmul %dl, %x {role = #te.role<wgrad>, transpose_a} : tensor<30x60xbf16>, tensor<30x16xbf16> -> tensor<60x16xf32>
  return %sum, %dx, %dw : tensor<f32>, tensor<30x16xbf16>, tensor<60x16xf32>
}

// -----

// A gradient that is not that of the loss stays as it is.
// REMARK: Apart {{.*}}Function=vocabulary_differs {{.*}}the gradient of its logits has another z_loss
// CHECK-LABEL: func @vocabulary_differs(
// CHECK:         te.vocabulary_cross_entropy %{{.*}} z_loss = 1.000000e-01 : f32}
// CHECK:         te.vocabulary_cross_entropy_grad %{{.*}} z_loss = 2.000000e-01 : f32}
shard.grid @mesh(shape = 2) {te.axes = ["tp"]}
func.func @vocabulary_differs(%x: tensor<30x16xbf16>, %w: tensor<60x16xbf16>, %labels: tensor<30xi64>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<30x16xbf16>, tensor<60x16xf32>) {
  %l = te.matmul %x, %w {transpose_b} : tensor<30x16xbf16>, tensor<60x16xbf16> -> tensor<30x60xbf16>
  %loss, %lse = te.vocabulary_cross_entropy %l, %labels on @mesh axes = [0] {classes = 110 : i64, rank_classes = 55 : i64, z_loss = 0.1 : f32}
    : tensor<30x60xbf16>, tensor<30xi64> -> tensor<30xf32>
  %dl = te.vocabulary_cross_entropy_grad %dloss, %l, %labels, %lse on @mesh axes = [0] {classes = 110 : i64, rank_classes = 55 : i64, z_loss = 0.2 : f32}
    : tensor<30x60xbf16>, tensor<30xi64>, tensor<30xf32>
  %dx = te.matmul %dl, %w {role = #te.role<dgrad>} : tensor<30x60xbf16>, tensor<60x16xbf16> -> tensor<30x16xbf16>
  %dw = te.matmul %dl, %x {role = #te.role<wgrad>, transpose_a} : tensor<30x60xbf16>, tensor<30x16xbf16> -> tensor<60x16xf32>
  return %loss, %dx, %dw : tensor<f32>, tensor<30x16xbf16>, tensor<60x16xf32>
}

// -----

// A batch of no rows is one part of no rows; the padded gradient has nothing
// that could be inserted.

// CHECK-LABEL: func @no_rows(
// CHECK:         te.cross_entropy_with_grad {{.*}} tensor<0x100xbf16>
// PADDED-LABEL: func @no_rows(
// PADDED:         %[[LP:.*]] = te.matmul {{.*}} -> tensor<0x128xbf16>
// PADDED:         %[[L:.*]] = tensor.empty() : tensor<0x100xbf16>
// PADDED:         te.cross_entropy_with_grad %{{.*}}, %{{.*}}, %{{.*}}, %[[L]],
// PADDED-NOT:     tensor.insert_slice
// PADDED:         te.matmul %[[LP]], %{{.*}} {role = #te.role<dgrad>} : {{.*}} -> tensor<0x16xbf16>
// PADDED:         te.matmul %[[LP]], %{{.*}} {role = #te.role<wgrad>, transpose_a} : {{.*}} -> tensor<128x16xf32>
func.func @no_rows(%x: tensor<0x16xbf16>, %w: tensor<100x16xbf16>, %labels: tensor<0xi64>, %dloss: tensor<f32>)
    -> (tensor<f32>, tensor<0x16xbf16>, tensor<100x16xf32>) {
  %l = te.matmul %x, %w {transpose_b} : tensor<0x16xbf16>, tensor<100x16xbf16> -> tensor<0x100xbf16>
  %loss, %lse, %count = te.cross_entropy %l, %labels {ignore_index = -1 : i64, reduction = #te.reduction<sum>}
    : tensor<0x100xbf16>, tensor<0xi64> -> tensor<0xf32>
  %dl = te.cross_entropy_grad %dloss, %l, %labels, %lse, %count {ignore_index = -1 : i64, reduction = #te.reduction<sum>}
    : tensor<0x100xbf16>, tensor<0xi64>, tensor<0xf32> -> tensor<0x100xbf16>
  %dx = te.matmul %dl, %w {role = #te.role<dgrad>} : tensor<0x100xbf16>, tensor<100x16xbf16> -> tensor<0x16xbf16>
  %dw = te.matmul %dl, %x {role = #te.role<wgrad>, transpose_a} : tensor<0x100xbf16>, tensor<0x16xbf16> -> tensor<100x16xf32>
  return %loss, %dx, %dw : tensor<f32>, tensor<0x16xbf16>, tensor<100x16xf32>
}
