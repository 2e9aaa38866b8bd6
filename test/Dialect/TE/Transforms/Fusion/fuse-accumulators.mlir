// RUN: te-opt %s --te-fuse-accumulators --split-input-file | FileCheck %s
// RUN: te-opt %s --te-fuse-accumulators --split-input-file --remarks-filter=te-fuse-accumulators -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// REMARK: product adds to the sum over microbatches
// CHECK-LABEL: func.func @accumulate(
// CHECK-SAME: %[[G:[a-z0-9]+]]: tensor<32x16xf32> {te.kind = "gradient"
// CHECK-NEXT: %[[S:.*]] = te.matmul %arg0, %arg1 addend(%[[G]] : tensor<32x16xf32>) {role = #te.role<wgrad>, transpose_a}
// CHECK-NEXT: return %[[S]]
func.func @accumulate(%dy: tensor<8x32xbf16> {te.input = "dy"}, %x: tensor<8x16xbf16> {te.input = "x"},
    %g: tensor<32x16xf32> {te.kind = "gradient", te.state = "grad.w"}) -> (tensor<32x16xf32> {te.state = "grad.w"}) attributes {te.entry = "accumulate"} {
  %dw = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x32xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
  %s = te.add %g, %dw : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<32x16xf32>
  return %s : tensor<32x16xf32>
}

// -----

// Another state is not given away.
// CHECK-LABEL: func.func @other(
// CHECK: te.add
func.func @other(%dy: tensor<8x32xbf16> {te.input = "dy"}, %x: tensor<8x16xbf16> {te.input = "x"},
    %g: tensor<32x16xf32> {te.kind = "optimizer", te.state = "m"}) -> (tensor<32x16xf32> {te.state = "m"}) {
  %dw = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x32xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
  %s = te.add %g, %dw : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<32x16xf32>
  return %s : tensor<32x16xf32>
}

// -----

// The order of a sum over parts stays.
// REMARK: in another order the sum would have other bits
// CHECK-LABEL: func.func @parts(
// CHECK: te.matmul {{.*}} addend(%[[P:[^ ]*]]
// CHECK: te.add
func.func @parts(%dy: tensor<8x32xbf16> {te.input = "dy"}, %x: tensor<8x16xbf16> {te.input = "x"},
    %g: tensor<32x16xf32> {te.kind = "gradient", te.state = "grad.w"}) -> (tensor<32x16xf32> {te.state = "grad.w"}) {
  %p = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x32xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
  %dw = te.matmul %dy, %x addend(%p : tensor<32x16xf32>) {role = #te.role<wgrad>, transpose_a} : tensor<8x32xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
  %s = te.add %g, %dw : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<32x16xf32>
  return %s : tensor<32x16xf32>
}

// -----

// A product that something else reads keeps its result, and a state that
// something else reads its value.
// REMARK: the product is read elsewhere, too
// CHECK-LABEL: func.func @read(
// CHECK-COUNT-2: te.add
func.func @read(%dy: tensor<8x32xbf16> {te.input = "dy"}, %x: tensor<8x16xbf16> {te.input = "x"},
    %g: tensor<32x16xf32> {te.kind = "gradient", te.state = "grad.w"}, %h: tensor<32x16xf32> {te.kind = "gradient", te.state = "grad.v"})
    -> (tensor<32x16xf32> {te.state = "grad.w"}, tensor<32x16xf32> {te.output = "dw"}, tensor<32x16xf32> {te.state = "grad.v"}, tensor<32x16xf32> {te.output = "h"}) {
  %dw = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x32xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
  %s = te.add %g, %dw : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<32x16xf32>
  %dv = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x32xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
  %t = te.add %h, %dv : tensor<32x16xf32>, tensor<32x16xf32> -> tensor<32x16xf32>
  return %s, %dw, %t, %h : tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>, tensor<32x16xf32>
}

// -----

// What is no product as it is: a slice of one, say.
// REMARK: what is added does not come from a product as it is
// CHECK-LABEL: func.func @sliced(
// CHECK: te.add
func.func @sliced(%dy: tensor<8x32xbf16> {te.input = "dy"}, %x: tensor<8x16xbf16> {te.input = "x"},
    %g: tensor<30x16xf32> {te.kind = "gradient", te.state = "grad.w"}) -> (tensor<30x16xf32> {te.state = "grad.w"}) {
  %p = te.matmul %dy, %x {role = #te.role<wgrad>, transpose_a} : tensor<8x32xbf16>, tensor<8x16xbf16> -> tensor<32x16xf32>
  %dw = tensor.extract_slice %p[0, 0] [30, 16] [1, 1] : tensor<32x16xf32> to tensor<30x16xf32>
  %s = te.add %g, %dw : tensor<30x16xf32>, tensor<30x16xf32> -> tensor<30x16xf32>
  return %s : tensor<30x16xf32>
}
