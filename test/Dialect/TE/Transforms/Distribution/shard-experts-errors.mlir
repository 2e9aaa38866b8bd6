// RUN: split-file %s %t
// RUN: not te-opt %t/dense.mlir --te-shard-experts=mesh=ep=2 2>&1 | FileCheck %s --check-prefix=DENSE
// RUN: not te-opt %t/experts.mlir --te-shard-experts=mesh=ep=3 2>&1 | FileCheck %s --check-prefix=THREE
// RUN: not te-opt %t/experts.mlir --te-shard-experts="mesh=ep=2 capacity=0.5" 2>&1 | FileCheck %s --check-prefix=CAPACITY
// RUN: not te-opt %t/experts.mlir --te-shard-experts="mesh=ep=2 capacity=nan" 2>&1 | FileCheck %s --check-prefix=NAN
// RUN: te-opt %t/experts.mlir --te-shard-experts="mesh=ep=2 capacity=1e300" | FileCheck %s --check-prefix=ALL
// RUN: not te-opt %t/decode.mlir --te-shard-experts=mesh=ep=2 2>&1 | FileCheck %s --check-prefix=DECODE
// RUN: not te-opt %t/grad.mlir --te-shard-experts=mesh=ep=2 2>&1 | FileCheck %s --check-prefix=GRAD
// RUN: not te-opt %t/experts.mlir --te-parallelize=mesh=dp=2 --te-shard-experts=mesh=ep=2 2>&1 | FileCheck %s --check-prefix=TWICE

// DENSE: error: no mixture of experts that 2 expert parallel ranks could share
// THREE: error: no mixture of experts that 3 expert parallel ranks could share: no product of rows with the matrices of their experts has a parameter of a multiple of 3 experts; use ranks along dp, or a number that divides the experts
// CAPACITY: error: an expert capacity of 0.50 has no space for all rows even if each expert gets as many; use 1 or more, or 0 for any choice of experts
// NAN: error: an expert capacity of nan has no space for all rows
// ALL: te.group_rows {{.*}} : tensor<4xi32> -> tensor<8xi32>
// DECODE: error: --mesh=ep=2 does not go with the entry 'decode': ranks would have to exchange the tokens of all sequences in each step; compile it without ep
// GRAD: error: --mesh=ep=2 does not go with the entry 'grad': it returns the gradients of one rank's batch, but a rank's experts see the batches of all ranks; compile it without ep
// TWICE: error: the module is for a mesh already

//--- dense.mlir
func.func @forward(%x: tensor<4x4xf32> {te.input = "x"}, %w: tensor<4x4xf32> {te.param = "w"}) -> (tensor<4x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %y = te.matmul %x, %w : tensor<4x4xf32>, tensor<4x4xf32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

//--- experts.mlir
func.func @forward(%x: tensor<4x4xf32> {te.input = "x"}, %e: tensor<4xi32> {te.input = "e"}, %w: tensor<16x4xf32> {te.param = "w"}) -> (tensor<4x4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
  %y = te.expert_matmul %x, %w experts(%e) : tensor<4x4xf32>, tensor<16x4xf32>, tensor<4xi32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

//--- decode.mlir
func.func @decode(%x: tensor<4x4xf32> {te.input = "x"}, %e: tensor<4xi32> {te.input = "e"}, %w: tensor<16x4xf32> {te.param = "w"}) -> (tensor<4x4xf32> {te.output = "y"}) attributes {te.entry = "decode"} {
  %y = te.expert_matmul %x, %w experts(%e) : tensor<4x4xf32>, tensor<16x4xf32>, tensor<4xi32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

//--- grad.mlir
func.func @grad(%x: tensor<4x4xf32> {te.input = "x"}, %e: tensor<4xi32> {te.input = "e"}, %w: tensor<16x4xf32> {te.param = "w"}) -> (tensor<4x4xf32> {te.output = "y"}) attributes {te.entry = "grad"} {
  %y = te.expert_matmul %x, %w experts(%e) : tensor<4x4xf32>, tensor<16x4xf32>, tensor<4xi32> -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}
