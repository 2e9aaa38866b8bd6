// Rules speak of layers: a module's rule of all of its layers, one with a number
// of that layer, and of a joined layer each part is asked about. A rule with a
// product is about that product alone.
// RUN: te-opt %s --te-partition='policy=shared=high' --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=MODULE
// RUN: te-opt %s --te-partition='policy=shared=high,shared:1=fp8' --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=LAYER
// RUN: not te-opt %s --te-partition='policy=*.q=high,shared:2=high' --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=PART
// RUN: te-opt %s --te-partition='policy=*/fprop=high' --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=FPROP
// RUN: te-opt %s --te-partition='policy=shared:1/wgrad=high,shared/wgrad=high,shared:1/wgrad=fp8' --remarks-filter=te-partition -o /dev/null 2>&1 | FileCheck %s --check-prefix=WGRAD
// RUN: not te-opt %s --te-partition='policy=shared/dgrad=high,*=fp8,b/dgrad=high,q*=high' 2>&1 | FileCheck %s --check-prefix=NOTHING
// NOTHING-NOT: 'shared
// NOTHING: error: the policy's rule 'b/dgrad=high' matches no linear layer; there are 'shared', 'shared:1', 'h.{q,k}'
// NOTHING: error: the policy's rule 'q*=high' matches no linear layer
// FPROP: [Missed] Policy | {{.*}} Reason="the policy's rule '*/fprop=high' keeps it in high precision", Suggestion="add 'shared/fprop=fp8' behind that rule", {{.*}} product=fprop
// FPROP: [Missed] Policy | {{.*}} layer=shared:1, product=fprop
// FPROP: [Passed] FP8 | {{.*}} layer=shared:1, product=wgrad
// FPROP: [Passed] FP8 | {{.*}} layer=shared, product=wgrad
// WGRAD: [Passed] FP8 | {{.*}} layer=shared, product=fprop
// WGRAD: [Passed] FP8 | {{.*}} layer=shared:1, product=wgrad
// WGRAD: [Missed] Policy | {{.*}} layer=shared, product=wgrad
// WGRAD: warning: the policy's rule 'shared:1/wgrad=high' decides nothing: rules behind it decide about all layers that it matches
// MODULE-NOT: warning
// MODULE: [Missed] Policy | {{.*}} layer=shared, product=fprop
// MODULE: [Missed] Policy | {{.*}} Suggestion="add 'shared:1=fp8' behind that rule", {{.*}} layer=shared:1, product=fprop
// MODULE: [Missed] Policy | {{.*}} layer=shared:1, product=wgrad
// MODULE: [Missed] Policy | {{.*}} layer=shared, product=wgrad
// MODULE: [Passed] FP8 | {{.*}} layer="h.{q,k}"
// LAYER: [Missed] Policy | {{.*}} layer=shared, product=fprop
// LAYER: [Passed] FP8 | {{.*}} layer=shared:1, product=fprop
// LAYER: [Passed] FP8 | {{.*}} layer=shared:1, product=wgrad
// LAYER: [Missed] Policy | {{.*}} layer=shared, product=wgrad
// PART: [Passed] FP8 | {{.*}} layer=shared:1, product=fprop
// PART: [Missed] Policy | {{.*}} Reason="the policy's rule '*.q=high' keeps it in high precision", Suggestion="add 'h.{q,k}=fp8' behind that rule", {{.*}} layer="h.{q,k}"
// PART: error: the policy's rule 'shared:2=high' matches no linear layer; there are 'shared', 'shared:1', 'h.{q,k}'
func.func @forward(%x: tensor<16x16xf32>, %g: tensor<16x16xf32>, %w: tensor<16x16xf32> {te.param = "w"}, %qk: tensor<16x16xf32> {te.param = "qk"}) {
  %0 = te.matmul %x, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("shared")
  %1 = te.matmul %0, %w : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("shared")
  %2 = te.matmul %g, %0 {role = #te.role<wgrad>, transpose_a} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("shared")
  %3 = te.matmul %g, %x {role = #te.role<wgrad>, transpose_a} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32> loc("shared")
  %4 = te.matmul %1, %qk {layer = "h.{q,k}"} : tensor<16x16xf32>, tensor<16x16xf32> -> tensor<16x16xf32>
  return
}
