// RUN: not te-opt %s --te-parallelize=mesh=pp=2 2>&1 | FileCheck %s --check-prefix=AXIS
// RUN: not te-opt %s --te-parallelize=mesh=dp=0 2>&1 | FileCheck %s --check-prefix=SIZE
// RUN: not te-opt %s --te-parallelize=mesh=dp=99999999999999999999 2>&1 | FileCheck %s --check-prefix=LARGE
// RUN: not te-opt %s --te-parallelize=mesh=dp=2,dp=2 2>&1 | FileCheck %s --check-prefix=TWICE
// RUN: not te-opt %s --te-parallelize=mesh=dp=2 --te-parallelize=mesh=dp=2 2>&1 | FileCheck %s --check-prefix=AGAIN
// RUN: not te-opt %s --te-parallelize=mesh=, 2>&1 | FileCheck %s --check-prefix=EMPTY

// AXIS: error: 'pp=2' is no mesh: there is no axis 'pp'; write dp=R for R data parallel ranks
// SIZE: error: 'dp=0' is no mesh: the axis 'dp' needs a number of ranks between 1 and 1048576 in all, not '0'
// LARGE: error: {{.*}} not '99999999999999999999'
// TWICE: error: 'dp=2,dp=2' is no mesh: the axis 'dp' is there twice
// AGAIN: error: the module is for a mesh already
// EMPTY: error: ',' is no mesh: there is no axis ''
func.func @train(%w: tensor<4xf32> {te.param = "w"})
    -> (tensor<4xf32> {te.output = "grad.w", te.gradient = "w"}) attributes {te.entry = "train"} {
  return %w : tensor<4xf32>
}
