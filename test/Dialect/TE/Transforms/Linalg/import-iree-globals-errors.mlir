// One name in two files: the message says which they are, and how to tell them apart.

// RUN: not te-opt %s --te-import-linalg='parameters=a::*,b::*' --allow-unregistered-dialect 2>&1 | FileCheck %s
// CHECK: argument 2 ('b::weight') has a name that is used twice: argument 1 ('a::weight') is called 'weight', too; give one another name ('2=NAME' among --parameters of te-compile)

// RUN: te-opt %s --te-import-linalg='parameters=a::*,2=other.weight' --allow-unregistered-dialect | FileCheck %s --check-prefix=NAMED
// NAMED: func.func @forward(%{{.*}}: tensor<4xf32> {te.input = "arg0"}, %{{.*}}: tensor<4xf32> {te.param = "weight"}, %{{.*}}: tensor<4xf32> {te.param = "other.weight"})

"util.global"() <{initial_value = #stream.parameter.named<"a"::"weight"> : tensor<4xf32>, sym_name = "a", type = tensor<4xf32>}> : () -> ()
"util.global"() <{initial_value = #stream.parameter.named<"b"::"weight"> : tensor<4xf32>, sym_name = "b", type = tensor<4xf32>}> : () -> ()
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %a = "util.global.load"() <{global = @a}> : () -> tensor<4xf32>
  %b = "util.global.load"() <{global = @b}> : () -> tensor<4xf32>
  %0 = arith.mulf %x, %a : tensor<4xf32>
  %1 = arith.addf %0, %b : tensor<4xf32>
  return %1 : tensor<4xf32>
}
