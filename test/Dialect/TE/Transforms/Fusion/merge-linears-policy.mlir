// A policy speaks of the model's modules, also where their layers are one
// product by the time it is asked.
// RUN: te-opt %s --te-merge-linears --te-partition=policy=attn.k=high --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=HIGH
// RUN: te-opt %s --te-merge-linears --te-partition='policy=attn.*=fp8' --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=FP8
// RUN: te-opt %s --te-merge-linears --te-partition --te-quantize | FileCheck %s
// RUN: te-opt %s --te-name-layers --te-merge-linears --te-partition --te-quantize | FileCheck %s
// RUN: te-opt %s --te-name-layers --te-merge-linears --te-partition=policy=attn.k=high --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=HIGH

// HIGH-NOT: warning
// HIGH: remark: {{.*}}[Missed] Policy | {{.*}}Reason="the policy's rule 'attn.k=high' keeps it in high precision", Suggestion="add 'attn.{q,k}=fp8' behind that rule"{{.*}} layer="attn.{q,k}", product=fprop, shape="64x32, 48x32 -> 64x48"
// FP8: remark: {{.*}}[Passed] FP8 | {{.*}} layer="attn.{q,k}"

// One weight, one slot.
// CHECK: module attributes {{.*}}te.slots = ["attn.{q,k}.input", "attn.{q,k}.weight"]
func.func @forward(%x: tensor<64x32xf32> {te.input = "x"}, %wq: tensor<32x32xf32> {te.param = "q"}, %wk: tensor<16x32xf32> {te.param = "k"})
    -> (tensor<64x32xf32>, tensor<64x16xf32>) attributes {te.entry = "forward"} {
  %q = te.matmul %x, %wq {transpose_b} : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32> loc("attn.q")
  %k = te.matmul %x, %wk {transpose_b} : tensor<64x32xf32>, tensor<16x32xf32> -> tensor<64x16xf32> loc("attn.k")
  return %q, %k : tensor<64x32xf32>, tensor<64x16xf32>
}
