// Layers about which different things are decided stay apart: by the policy, or
// by what is trained. Those about which the same is decided are joined.
// RUN: te-opt %s --te-name-layers --te-merge-linears=policy=attn.q=high --split-input-file | FileCheck %s --check-prefix=POLICY
// RUN: te-opt %s --te-merge-linears --split-input-file | FileCheck %s --check-prefix=BF16
// RUN: te-opt %s --te-name-layers --te-merge-linears='policy=attn.*=fp8' --split-input-file | FileCheck %s --check-prefix=SAME
// RUN: te-opt %s --te-merge-linears=separate-frozen --split-input-file | FileCheck %s
// RUN: te-opt %s --te-name-layers --te-merge-linears='policy=attn.q=high separate-frozen' --split-input-file --remarks-filter=te-merge-linears -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: te-opt %s --te-merge-linears --split-input-file | FileCheck %s --check-prefix=JOINED
// RUN: te-opt %s --te-name-layers --te-merge-linears='policy=frozen.*=high separate-frozen' --split-input-file | FileCheck %s --check-prefix=HIGH
// RUN: not te-opt %s --te-name-layers --te-merge-linears=policy=attn.q=low --split-input-file 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: error: policy:1:8: expected 'fp8' or 'high' after 'attn.q='

// A rule about one of three: the other two are one product.
// POLICY-LABEL: func.func @policy(
// POLICY-SAME: %[[X:[^:]*]]: tensor<64x32xf32> {te.input = "x"}, %[[Q:[^:]*]]: tensor<32x32xf32>
// POLICY-NEXT: te.matmul %[[X]], %[[Q]] {{.*}} -> tensor<64x32xf32>
// POLICY-NEXT: tensor.concat dim(0)
// POLICY-NEXT: te.matmul %[[X]], %{{.*}} {layer = "attn.{k,v}"{{.*}} -> tensor<64x48xf32>
// POLICY-NEXT: te.split
// POLICY-NEXT: return
// Without a policy there is nothing that tells them apart, and without a rule
// that does nothing either.
// BF16-LABEL: func.func @policy(
// BF16: te.matmul {{.*}} -> tensor<64x80xf32>
// BF16-NEXT: te.split
// SAME-LABEL: func.func @policy(
// SAME: te.matmul {{.*}} -> tensor<64x80xf32>
// SAME-NEXT: te.split
// REMARK: [Missed] Joined | {{.*}}Reason="3 layers read one input, but the policy does not say the same about all of them"
// REMARK: [Passed] Joined | {{.*}}2 layers that read one input are one product
func.func @policy(%x: tensor<64x32xf32> {te.input = "x"}, %wq: tensor<32x32xf32> {te.param = "q"},
    %wk: tensor<16x32xf32> {te.param = "k"}, %wv: tensor<32x32xf32> {te.param = "v"})
    -> (tensor<64x32xf32>, tensor<64x16xf32>, tensor<64x32xf32>) {
  %q = te.matmul %x, %wq {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32> loc("attn.q")
  %k = te.matmul %x, %wk {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32> loc("attn.k")
  %v = te.matmul %x, %wv {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32> loc("attn.v")
  return %q, %k, %v : tensor<64x32xf32>, tensor<64x16xf32>, tensor<64x32xf32>
}

// -----

// One weight is frozen, two are trained.
// CHECK-LABEL: func.func @weights(
// CHECK-SAME: %[[X:[^:]*]]: tensor<64x32xf32>, %[[Q:[^:]*]]: tensor<32x32xf32>
// CHECK-NEXT: te.matmul %[[X]], %[[Q]] {{.*}} -> tensor<64x32xf32>
// CHECK-NEXT: tensor.concat dim(0)
// CHECK-NEXT: te.matmul %[[X]], %{{.*}} -> tensor<64x48xf32>
// CHECK-NEXT: te.split
// CHECK-NEXT: return
// REMARK: [Missed] Joined | {{.*}}Reason="3 layers read one input, but only some of their parameters are trained"
func.func @weights(%x: tensor<64x32xf32>, %wq: tensor<32x32xf32> {te.frozen, te.param = "q"},
    %wk: tensor<16x32xf32> {te.param = "k"}, %wv: tensor<32x32xf32> {te.param = "v"})
    -> (tensor<64x32xf32>, tensor<64x16xf32>, tensor<64x32xf32>) {
  %q = te.matmul %x, %wq {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
  %k = te.matmul %x, %wk {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
  %v = te.matmul %x, %wv {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
  return %q, %k, %v : tensor<64x32xf32>, tensor<64x16xf32>, tensor<64x32xf32>
}

// -----

// One bias is frozen, the other is trained.
// CHECK-LABEL: func.func @biases(
// CHECK-COUNT-2: te.matmul {{.*}} -> tensor<64x16xf32>
func.func @biases(%x: tensor<64x32xf32>, %wq: tensor<16x32xf32> {te.param = "q"}, %bq: tensor<16xf32> {te.param = "bq"},
    %wk: tensor<16x32xf32> {te.param = "k"}, %bk: tensor<16xf32> {te.frozen, te.param = "bk"})
    -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %q = te.matmul %x, %wq bias(%bq : tensor<16xf32>) {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
  %k = te.matmul %x, %wk bias(%bk : tensor<16xf32>) {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32>
  return %q, %k : tensor<64x16xf32>, tensor<64x16xf32>
}

// -----

// FP8 copies of frozen parameters are made once: those of a joined weight would
// be made in every step. Where copies are not made, they are joined.
// CHECK-LABEL: func.func @frozen(
// CHECK-COUNT-2: te.matmul {{.*}} -> tensor<64x16xf32>
// JOINED-LABEL: func.func @frozen(
// JOINED: te.matmul {{.*}} -> tensor<64x32xf32>
// HIGH-LABEL: func.func @frozen(
// HIGH: te.matmul {{.*}} -> tensor<64x32xf32>
// REMARK: [Missed] Joined | {{.*}}Reason="frozen, 2 layers that read one input have FP8 weights of their own
func.func @frozen(%x: tensor<64x32xf32>, %wq: tensor<16x32xf32> {te.frozen, te.param = "q"},
    %wk: tensor<16x32xf32> {te.frozen, te.param = "k"})
    -> (tensor<64x16xf32>, tensor<64x16xf32>) {
  %q = te.matmul %x, %wq {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32> loc("frozen.q")
  %k = te.matmul %x, %wk {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32> loc("frozen.k")
  return %q, %k : tensor<64x16xf32>, tensor<64x16xf32>
}

// A rule is about names.
// RUN: not te-opt %s --te-merge-linears=policy=attn.q=high --split-input-file 2>&1 | FileCheck %s --check-prefix=UNNAMED
// UNNAMED: error: 'te.matmul' op has no layer, by which the rules of a policy go; run te-name-layers before te-merge-linears
