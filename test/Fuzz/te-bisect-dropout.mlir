// Entries that train have the model's dropout, with a seed; in others it does
// nothing. Neither is a difference.
//
// RUN: te-bisect %s --te-graph-pipeline='precision=f32 entries=forward,grad,eval loss=cross-entropy logits=y' | FileCheck %s
// RUN: te-bisect %s --te-graph-pipeline='precision=f32 entries=eval loss=cross-entropy logits=y' | FileCheck %s
// CHECK: passes compared with float64
// CHECK-NEXT: no difference

// A wrong rewrite beside it is.
// RUN: not te-bisect %s --te-raise --test-te-planted-rewrite --te-build-entries='entries=grad' | FileCheck %s --check-prefix=WRONG
// WRONG: pass 2, test-te-planted-rewrite: result 'te.output y' of @forward is

func.func @forward(%x: tensor<6x8xf32> {te.input = "x"},
                   %w: tensor<8x8xf32> {te.param = "w"},
                   %b: tensor<6x8xf32> {te.param = "b"})
    -> (tensor<6x8xf32> {te.output = "y"}) {
  %p = te.matmul %x, %w : tensor<6x8xf32>, tensor<8x8xf32> -> tensor<6x8xf32>
  %d = te.dropout %p {ratio = 0.25 : f32, stream = 0 : i64} : tensor<6x8xf32> -> tensor<6x8xf32>
  %s = arith.subf %d, %b : tensor<6x8xf32>
  %y = arith.subf %s, %x : tensor<6x8xf32>
  return %y : tensor<6x8xf32>
}
