// A parameter that is added row by row is a table of positions; one row that is
// added to all is a bias.
// RUN: te-opt %s --te-update-parameters="optimizer=sgd<momentum=0,decay_biases=true>" | FileCheck %s --check-prefix=BIASES
// RUN: te-opt %s --te-update-parameters="optimizer=sgd<momentum=0,decay_embeddings=true>" | FileCheck %s --check-prefix=TABLES

// BIASES-LABEL: func.func @train(
// BIASES: te.update #te.sgd{{.*}} {{.*}}) : tensor<4x16xf32>, tensor<4x16xf32>
// BIASES: te.update #te.sgd{{.*}} {{.*}} {decay} : tensor<1x16xf32>, tensor<1x16xf32>
// TABLES-LABEL: func.func @train(
// TABLES: te.update #te.sgd{{.*}} {{.*}} {decay} : tensor<4x16xf32>, tensor<4x16xf32>
// TABLES: te.update #te.sgd{{.*}} {{.*}}) : tensor<1x16xf32>, tensor<1x16xf32>
func.func @train(%x: tensor<4x16xf32> {te.input = "x"}, %table: tensor<4x16xf32> {te.param = "table"}, %bias: tensor<1x16xf32> {te.param = "bias"})
    -> (tensor<4x16xf32> {te.output = "grad.table", te.gradient = "table"}, tensor<1x16xf32> {te.output = "grad.bias", te.gradient = "bias"}) attributes {te.entry = "train"} {
  %0 = te.add %x, %table : tensor<4x16xf32>, tensor<4x16xf32> -> tensor<4x16xf32>
  %1 = te.add %0, %bias : tensor<4x16xf32>, tensor<1x16xf32> -> tensor<4x16xf32>
  return %table, %bias : tensor<4x16xf32>, tensor<1x16xf32>
}
