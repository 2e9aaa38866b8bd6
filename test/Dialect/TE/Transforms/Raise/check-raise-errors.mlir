// What the reference evaluator cannot look up is an error of the test.

// RUN: te-test-opt %s --split-input-file --test-te-check-raise --verify-diagnostics

func.func @forward(%ids: tensor<4xi64> {te.input = "ids", test.range = [5.0, 9.0]}, %t: tensor<6x8xf32> {te.param = "t"}) -> (tensor<4x8xf32> {te.output = "y"}) {
  // expected-error @+1 {{'te.embedding' op reads }}
  %y = te.embedding %ids, %t : tensor<4xi64>, tensor<6x8xf32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}

// -----

func.func @forward(%x: tensor<4x8xf32> {te.input = "x"}, %e: tensor<4xi32> {te.input = "e", test.range = [3.0, 9.0]}, %w: tensor<24x8xf32> {te.param = "w"}) -> (tensor<4x8xf32> {te.output = "y"}) {
  // expected-error @+1 {{'te.expert_matmul' op reads }}
  %y = te.expert_matmul %x, %w experts(%e) : tensor<4x8xf32>, tensor<24x8xf32>, tensor<4xi32> -> tensor<4x8xf32>
  return %y : tensor<4x8xf32>
}
