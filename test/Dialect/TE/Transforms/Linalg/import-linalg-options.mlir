// The model and its parameters, as the options of te-import-linalg name them.

// RUN: te-opt %s --te-import-linalg="model=step parameters=0=wte,2-3" | FileCheck %s
// CHECK:     func.func @forward(%{{.*}}: tensor<4xf32> {te.param = "wte"}, %{{.*}}: tensor<4xf32> {te.input = "ids"},
// CHECK-SAME:  %{{.*}}: tensor<4xf32> {te.param = "arg2"}, %{{.*}}: tensor<4xf32> {te.param = "fc.bias"})
// CHECK-NOT: func.func

// RUN: te-opt %s --te-import-linalg="model=step parameters=fc.*" | FileCheck %s --check-prefix=GLOB
// GLOB:      func.func @forward(%{{.*}}: tensor<4xf32> {te.input = "arg0"}, %{{.*}}: tensor<4xf32> {te.input = "ids"},
// GLOB-SAME:   %{{.*}}: tensor<4xf32> {te.input = "arg2"}, %{{.*}}: tensor<4xf32> {te.param = "fc.bias"})

// RUN: not te-opt %s --te-import-linalg="model=nothing" 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: has no function @nothing; its public functions: @step, @other
// RUN: not te-opt %s --te-import-linalg="model=step parameters=2-4" 2>&1 | FileCheck %s --check-prefix=RANGE
// RANGE: the parameters '2-4' are not among arguments 0 to 3
// RUN: not te-opt %s --te-import-linalg="model=step parameters=2-x" 2>&1 | FileCheck %s --check-prefix=END
// END: the parameters '2-x' do not end with a number
// RUN: not te-opt %s --te-import-linalg="model=step parameters=2-3=w" 2>&1 | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: the parameters '2-3=w' give several arguments one name
// RUN: not te-opt %s --te-import-linalg="model=step parameters=w*" 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: the parameters 'w*' match no argument; names are given by te.param or te.input, or are arg0, arg1, ...
// RUN: not te-opt %s --te-import-linalg="model=step parameters=[w" 2>&1 | FileCheck %s --check-prefix=PATTERN
// PATTERN: the parameters '[w' are no pattern
// RUN: not te-opt %s --te-import-linalg="model=step parameters=1" 2>&1 | FileCheck %s --check-prefix=BOTH
// BOTH: argument 1 ('ids') is an input by 'te.input' and a parameter; keep one

func.func @step(%a: tensor<4xf32>, %b: tensor<4xf32> {te.input = "ids"}, %c: tensor<4xf32>, %d: tensor<4xf32> {te.param = "fc.bias"})
    -> tensor<4xf32> {
  %0 = arith.addf %a, %b : tensor<4xf32>
  %1 = arith.addf %c, %d : tensor<4xf32>
  %2 = arith.addf %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @other(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}
