// The log of a pass's decisions, which builds with assertions have.
// REQUIRES: assertions
// RUN: te-opt %s --te-merge-linears --te-fuse --debug-only=te-merge-linears -o /dev/null 2>&1 | FileCheck %s --implicit-check-not=Fuse.cpp
// RUN: te-opt %s --te-merge-linears --te-fuse --debug-only=te-merge-linears,te-fuse -o /dev/null 2>&1 | FileCheck %s --check-prefix=BOTH
// RUN: te-opt %s --te-raise --debug-only=te-raise:1 -o /dev/null 2>&1 | FileCheck %s --check-prefix=ONE --allow-empty
// RUN: te-opt %s --te-raise --debug-only=te-raise -o /dev/null 2>&1 | FileCheck %s --check-prefix=ALL
// RUN: te-opt --help-hidden | FileCheck %s --check-prefix=HELP

// CHECK: [te-merge-linears MergeLinears.cpp:{{[0-9]+}} 1] left, no other layer of this form and these types reads its input: %{{.*}} = te.matmul
// BOTH: [te-merge-linears MergeLinears.cpp
// BOTH: [te-fuse Fuse.cpp:{{[0-9]+}} 1] term 1 comes from an op that cannot add: %{{.*}} = te.add
// Why patterns did not match has level 2.
// ONE-NOT: te-raise
// ALL: [te-raise MatchFailureLog.h:{{[0-9]+}} 2] {{.+}}, at loc("{{.*}}debug-log.mlir":
// HELP: --debug-only
func.func @forward(%x: tensor<64x32xf32>, %w: tensor<32x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %y = te.matmul %x, %w : tensor<64x32xf32>, tensor<32x32xf32> -> tensor<64x32xf32>
  %z = te.add %x, %y : tensor<64x32xf32>, tensor<64x32xf32> -> tensor<64x32xf32>
  %e = math.exp %z : tensor<64x32xf32>
  return %e, %y : tensor<64x32xf32>, tensor<64x32xf32>
}
