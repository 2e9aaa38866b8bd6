// A pass with one wrong rewrite among right ones is found by its number and
// name, and in it the pattern, the op and what became of it.
//
// RUN: not te-bisect %s --te-raise --test-te-planted-rewrite --te-differentiate='entries=vjp loss=none' --cse | FileCheck %s
// RUN: not te-bisect %s --pass-pipeline='builtin.module(te-raise,test-te-planted-rewrite)' --print-functions --seed=3 | FileCheck %s --check-prefix=WHOLE
//
// Without it all passes are compared, the gradients with differences, up to
// where the oracle knows no op.
// RUN: te-bisect %s --te-graph-pipeline='precision=f32 entries=grad,vjp loss=cross-entropy logits=y' | FileCheck %s --check-prefix=RIGHT
// RUN: te-bisect %s --te-graph-pipeline='entries=grad loss=cross-entropy logits=y' | FileCheck %s --check-prefix=RIGHT
// RUN: te-bisect %s --te-graph-pipeline='entries=vjp loss=none' --te-runtime-pipeline | FileCheck %s --check-prefix=LOWERED

// CHECK: 0 passes compared with float64, 1 changed nothing
// CHECK-NEXT: pass 2, test-te-planted-rewrite: result 'te.output y' of @forward is
// CHECK-NEXT: pattern {{[0-9]+}} of {{[0-9]+}} tried: {{.*}}Reassociate
// CHECK-NEXT: on 'arith.subf' at loc("{{.*}}te-bisect.mlir":[[#@LINE+34]]:
// CHECK-NEXT: - %[[X:.*]] = arith.subf %[[AB:.*]], %[[C:.*]] :
// CHECK-NEXT: - %{{.*}} = arith.addf %[[X]], %[[X]] :
// CHECK-NEXT: + %[[Y:.*]] = arith.subf %[[B:.*]], %[[C]] :
// CHECK-NEXT: + %[[Z:.*]] = arith.subf %[[A:.*]], %[[Y]] :
// CHECK-NEXT: + %{{.*}} = arith.addf %[[Z]], %[[Z]] :
// CHECK-NOT: {{^ +[-+]}}

// WHOLE: Reassociate
// WHOLE: // before
// WHOLE-NEXT: func.func @forward
// WHOLE: // after
// WHOLE-NEXT: func.func @forward

// RIGHT: {{[0-9]+}} passes compared with float64, {{[0-9]+}} changed nothing; {{[1-9][0-9]*}} derivatives compared with differences
// RIGHT-NEXT: no difference

// LOWERED: passes compared with float64
// LOWERED-NEXT: pass {{[0-9]+}}, te-to-tert: {{.*}} is unknown to the reference evaluator
// LOWERED-NEXT: no difference before it

func.func @forward(%x: tensor<6x8xf32> {te.input = "x"},
                   %w: tensor<8x8xf32> {te.param = "w"},
                   %b: tensor<6x8xf32> {te.param = "b"})
    -> (tensor<6x8xf32> {te.output = "y"}) {
  %0 = te.matmul %x, %w : tensor<6x8xf32>, tensor<8x8xf32> -> tensor<6x8xf32>
  %y = te.activation silu %0 : tensor<6x8xf32> -> y tensor<6x8xf32>
  // Right rewrites before the wrong one and behind it.
  %n = arith.negf %b : tensor<6x8xf32>
  %1 = arith.subf %y, %n : tensor<6x8xf32>
  %2 = arith.mulf %1, %b : tensor<6x8xf32>
  %3 = arith.mulf %1, %y : tensor<6x8xf32>
  %4 = arith.addf %2, %3 : tensor<6x8xf32>
  %5 = arith.subf %4, %b : tensor<6x8xf32>
  %6 = arith.subf %5, %y : tensor<6x8xf32>
  %m = arith.negf %6 : tensor<6x8xf32>
  %7 = arith.subf %6, %m : tensor<6x8xf32>
  return %7 : tensor<6x8xf32>
}
