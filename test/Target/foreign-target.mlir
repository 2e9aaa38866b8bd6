// A target that a program adds is known to every pass that asks for one.
// RUN: te-test-opt %s --te-attach-costs=target=test_gpu --te-kernels-to-llvm=target=test_gpu --te-kernels-to-image=target=test_gpu | FileCheck %s
// RUN: not te-test-opt %s --te-kernels-to-llvm=target=none 2>&1 | FileCheck %s --check-prefix=KNOWN
// KNOWN: there is no target 'none'; the targets are {{.*}}test_gpu

// CHECK:      module attributes {te.costs = #te.measured_costs
// CHECK:      module @tert_kernels attributes {tert.image = "kernels: double_0"}
// CHECK-NEXT:   llvm.func @double_0(!llvm.ptr, !llvm.ptr) attributes {nvvm.kernel, {{.*}}tert.blocks = 1 : i64
#id = affine_map<(d0) -> (d0)>
module {
module @tert_kernels {
  func.func @double_0(%x: memref<8xf32> {tert.alignment = 4 : i64}, %y: memref<8xf32> {tert.alignment = 4 : i64}) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %in : f32
      linalg.yield %0 : f32
    }
    return
  }
}
}
