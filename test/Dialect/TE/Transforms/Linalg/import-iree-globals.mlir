// Parameters that IREE keeps in a file of their own are arguments under their names.

// RUN: te-opt %s --te-import-linalg='parameters=model::*,gain' --allow-unregistered-dialect --split-input-file | FileCheck %s

// Those of a file, one without a file's name, and one that nothing reads.
// CHECK-LABEL: func.func @forward(
// CHECK-SAME:    %[[X:.*]]: tensor<4xf32> {te.input = "arg0"}, %[[W:.*]]: tensor<4xf32> {te.param = "norm.weight"}, %[[G:.*]]: tensor<4xf32> {te.param = "gain"}) -> (tensor<4xf32> {te.output = "result"})
// CHECK-NEXT:  %[[Y:.*]] = arith.mulf %[[W]], %[[X]]
// CHECK-NEXT:  %[[S:.*]] = arith.addf %[[Y]], %[[W]]
// CHECK-NEXT:  %[[Z:.*]] = arith.mulf %[[S]], %[[G]]
// CHECK-NEXT:  return %[[Z]]
// CHECK-NOT:   util.global
"util.global"() <{initial_value = #stream.parameter.named<"model"::"norm.weight"> : tensor<4xf32>, sym_name = "w", sym_visibility = "private", type = tensor<4xf32>}> : () -> ()
"util.global"() <{initial_value = #flow.parameter.named<"gain"> : tensor<4xf32>, sym_name = "g", sym_visibility = "private", type = tensor<4xf32>}> : () -> ()
"util.global"() <{initial_value = #stream.parameter.named<"model"::"unused"> : tensor<4xf32>, sym_name = "u", sym_visibility = "private", type = tensor<4xf32>}> : () -> ()
"util.func"() <{function_type = (tensor<4xf32>) -> tensor<4xf32>, sym_name = "main", sym_visibility = "public"}> ({
^bb0(%x: tensor<4xf32>):
  %w = "util.global.load"() <{global = @w}> : () -> tensor<4xf32>
  %y = arith.mulf %w, %x : tensor<4xf32>
  %again = "util.global.load"() <{global = @w}> : () -> tensor<4xf32>
  %s = arith.addf %y, %again : tensor<4xf32>
  %g = "util.global.load"() <{global = @g}> : () -> tensor<4xf32>
  %z = arith.mulf %s, %g : tensor<4xf32>
  "util.return"(%z) : (tensor<4xf32>) -> ()
}) : () -> ()
