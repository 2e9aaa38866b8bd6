// RUN: not te-opt %s --te-kernels-to-image=target=sm_90 2>&1 | FileCheck %s
// RUN: not te-opt %s --te-kernels-to-image=target=sm_70 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: te-kernels-to-image: there is no target 'sm_70'; the targets are cpu, sm_90, sm_80, sm_89, sm_120

// Kernels come as te-kernels-to-llvm leaves them.
// CHECK: error: {{.*}}translation to LLVM IR failed
module {
module @tert_kernels {
  func.func @kernel(%x: memref<4xf32>) {
    return
  }
}
}
