// RUN: te-opt %s --verify-diagnostics --allow-unregistered-dialect

func.func @name(%x: tensor<16x16xf32>) {
  // expected-error@+1 {{expects 'te.layer' to be a string}}
  %y = "test.product"(%x) {te.layer = 1 : i64} : (tensor<16x16xf32>) -> tensor<16x16xf32>
  return
}
