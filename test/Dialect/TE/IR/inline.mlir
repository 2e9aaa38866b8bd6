// Calls of functions of te ops are inlined by upstream's pass, regions included.
// RUN: te-opt %s --inline | FileCheck %s

// CHECK-NOT: @lin
// CHECK-LABEL: func.func @f(
// CHECK-SAME: %[[Q:[^:]*]]: tensor<64x64xbf16> {te.input = "q"}, %[[K:[^:]*]]: tensor<64x64xbf16> {te.param = "k"})
// CHECK-NEXT: %[[S:.*]] = te.region high -> (tensor<64x64xbf16>) {
// CHECK-NEXT: %[[M:.*]] = te.matmul %[[Q]], %[[K]] {layer = "lin", transpose_b}
// CHECK-NEXT: te.yield %[[M]]
// CHECK: %[[P:.*]] = te.activation tanh %[[S]]
// CHECK-NEXT: return %[[P]]
func.func private @lin(%q: tensor<64x64xbf16>, %k: tensor<64x64xbf16>) -> tensor<64x64xbf16> {
  %s = te.region high -> (tensor<64x64xbf16>) {
    %m = te.matmul %q, %k {layer = "lin", transpose_b} : tensor<64x64xbf16>, tensor<64x64xbf16> -> tensor<64x64xbf16>
    te.yield %m : tensor<64x64xbf16>
  }
  %p = te.activation tanh %s : tensor<64x64xbf16> -> y tensor<64x64xbf16>
  return %p : tensor<64x64xbf16>
}
func.func @f(%q: tensor<64x64xbf16> {te.input = "q"}, %k: tensor<64x64xbf16> {te.param = "k"}) -> (tensor<64x64xbf16> {te.output = "y"}) attributes {te.entry = "forward"} {
  %s = call @lin(%q, %k) : (tensor<64x64xbf16>, tensor<64x64xbf16>) -> tensor<64x64xbf16>
  return %s : tensor<64x64xbf16>
}
