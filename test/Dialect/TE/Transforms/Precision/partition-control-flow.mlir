// Products in loops and branches stay in high precision, by name, and the ones
// beside them are FP8.
// RUN: te-opt %s --te-partition='policy=*=fp8' --remarks-filter=te-partition -o %t.mlir 2>&1 | FileCheck %s
// RUN: FileCheck %s --check-prefix=IR --input-file=%t.mlir

// CHECK: remark: loc("before"): [Passed] FP8
// CHECK: remark: loc("inner"): [Missed] Place | {{.*}} Reason="it stands in a region of 'scf.for', which may run it any number of times while a scale is updated once", Suggestion="move it out of the region, or unroll the loop (te-import-linalg unrolls those with known bounds)"
// CHECK: remark: loc("yes"): [Missed] Place | {{.*}} Reason="it stands in a branch of 'scf.if', which some steps do not take, and scales enter and amaxes leave through the arguments and results of entries", Suggestion="compute both branches and choose with arith.select"
// CHECK: remark: loc("repeated"): [Missed] Place | {{.*}} Reason="it stands in a region of 'scf.while'
// CHECK: remark: loc("both"): [Missed] Place | {{.*}} Reason="it stands in a region of 'scf.if', which may run it any number of times
// CHECK: remark: loc("after"): [Passed] FP8

// IR-LABEL: func.func @control
// IR:         te.region fp8
// IR:           layer = "before"
// IR:         te.region high
// IR:           scf.for
// IR:           scf.if
// IR:           scf.while
// IR:         te.region fp8
// IR-NOT:     te.region
// IR:           layer = "after"
func.func @control(%x: tensor<32x32xf32> {te.input = "x"}, %n: index {te.input = "n"}, %p: i1 {te.input = "p"},
                   %u: tensor<32x32xf32> {te.param = "u"}, %v: tensor<32x32xf32> {te.param = "v"}, %w: tensor<32x32xf32> {te.param = "w"}) -> (tensor<32x32xf32> {te.output = "y"}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %0 = te.matmul %x, %u {layer = "before"} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("before")
  %1 = scf.for %i = %c0 to %n step %c1 iter_args(%h = %0) -> tensor<32x32xf32> {
    %a = te.matmul %h, %v {layer = "inner"} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("inner")
    scf.yield %a : tensor<32x32xf32>
  }
  %2 = scf.if %p -> tensor<32x32xf32> {
    %a = te.matmul %1, %w {layer = "yes"} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("yes")
    scf.yield %a : tensor<32x32xf32>
  } else {
    scf.yield %1 : tensor<32x32xf32>
  }
  %m, %3 = scf.while (%i = %c0, %h = %2) : (index, tensor<32x32xf32>) -> (index, tensor<32x32xf32>) {
    %goes = arith.cmpi slt, %i, %n : index
    scf.condition(%goes) %i, %h : index, tensor<32x32xf32>
  } do {
  ^bb0(%i: index, %h: tensor<32x32xf32>):
    %a = te.matmul %h, %v {layer = "repeated"} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("repeated")
    %b = scf.if %p -> tensor<32x32xf32> {
      %c = te.matmul %a, %v {layer = "both"} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("both")
      scf.yield %c : tensor<32x32xf32>
    } else {
      scf.yield %a : tensor<32x32xf32>
    }
    %next = arith.addi %i, %c1 : index
    scf.yield %next, %b : index, tensor<32x32xf32>
  }
  %4 = te.matmul %3, %w {layer = "after"} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("after")
  return %4 : tensor<32x32xf32>
}
