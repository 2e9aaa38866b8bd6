// RUN: not te-opt %s --te-kernels-to-ptx 2>&1 | FileCheck %s

// Kernels come as te-kernels-to-llvm leaves them.
// CHECK: error: {{.*}}translation to LLVM IR failed
module {
module @tert_kernels {
  func.func @kernel(%x: memref<4xf32>) {
    return
  }
}
}
