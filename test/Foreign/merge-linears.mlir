// Layers of a dialect that the compiler does not know are joined as its own are,
// if they are of one form: here, of one gain.
// RUN: te-compile %s %foreign --entry=forward --precision=f32 --emit=te -o - | FileCheck %s

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %[[X:.*]]: tensor<32x32xf32> {te.input = "x"}, %[[W0:.*]]: tensor<64x32xf32> {{{.*}}te.param = "w0"}, %[[W1:.*]]: tensor<32x32xf32> {{{.*}}te.param = "w1"}
// CHECK-DAG: %[[W:.*]] = tensor.concat dim(0) %[[W0]], %[[W1]] : (tensor<64x32xf32>, tensor<32x32xf32>) -> tensor<96x32xf32>
// CHECK-DAG: %[[D:.*]] = foreign.linear %[[X]], %[[W]] {gain = 5.000000e-01 : f32, te.layer = "{first,second}"} : tensor<32x32xf32>, tensor<96x32xf32> -> tensor<32x96xf32>
// CHECK-DAG: te.split %[[D]] axis 1 : tensor<32x96xf32> -> tensor<32x64xf32>, tensor<32x32xf32>
// CHECK-DAG: foreign.linear %[[X]], %{{.*}} {gain = 7.500000e-01 : f32, te.layer = "third"} : tensor<32x32xf32>, tensor<32x32xf32>
func.func @forward(%x: tensor<32x32xf32> {te.input = "x"}, %w0: tensor<64x32xf32> {te.param = "w0", te.init = "normal:0,0.5"},
                   %w1: tensor<32x32xf32> {te.param = "w1", te.init = "normal:0,0.5"}, %w2: tensor<32x32xf32> {te.param = "w2", te.init = "normal:0,0.5"})
    -> (tensor<32x64xf32> {te.output = "a"}, tensor<32x32xf32> {te.output = "b"}, tensor<32x32xf32> {te.output = "c"}) {
  %a = foreign.linear %x, %w0 {gain = 0.5 : f32} : tensor<32x32xf32>, tensor<64x32xf32> -> tensor<32x64xf32> loc("first")
  %b = foreign.linear %x, %w1 {gain = 0.5 : f32} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("second")
  %c = foreign.linear %x, %w2 {gain = 0.75 : f32} : tensor<32x32xf32>, tensor<32x32xf32> -> tensor<32x32xf32> loc("third")
  return %a, %b, %c : tensor<32x64xf32>, tensor<32x32xf32>, tensor<32x32xf32>
}
