// RUN: te-opt %s --te-kernels-to-llvm --split-input-file --verify-diagnostics
// RUN: not te-opt %s --te-kernels-to-llvm=target=sm_70 --split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET
// TARGET: te-kernels-to-llvm: there is no target 'sm_70'; the targets are cpu, sm_90, sm_80, sm_89, sm_120

module {
module @tert_kernels {
  // expected-error@+1 {{is not a kernel; tert-outline-kernels makes functions of one linalg.generic on their arguments}}
  func.func @empty(%x: memref<4xf32>) {
    return
  }
}
}

// -----

#v = affine_map<(d0) -> (d0)>
module {
module @tert_kernels {
  // expected-error@+1 {{is not a kernel; tert-outline-kernels makes functions of one linalg.generic on their arguments}}
  func.func @tensors(%x: tensor<4xf32>) {
    %0 = linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%x : tensor<4xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<4xf32>
    return
  }
}
}

// -----

#v = affine_map<(d0) -> (d0)>
module {
module @tert_kernels {
  func.func @wide(%x: memref<4xf64>) {
    // expected-error@+1 {{cannot become a kernel: it has an operand of f64; kernels take f32, bf16 and integers}}
    linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<4xf64>) outs(%x : memref<4xf64>) {
    ^bb0(%in: f64, %out: f64):
      linalg.yield %in : f64
    }
    return
  }
}
}

// -----

#v = affine_map<(d0) -> (d0)>
module {
module @tert_kernels {
  func.func @rounded(%x: memref<4xf32>, %y: memref<4xbf16>) {
    // expected-error@+1 {{cannot become a kernel: 'arith.truncf' in its body rounds toward_zero; only to_nearest_even is computed}}
    linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]} ins(%x : memref<4xf32>) outs(%y : memref<4xbf16>) {
    ^bb0(%in: f32, %out: bf16):
      %0 = arith.truncf %in toward_zero : f32 to bf16
      linalg.yield %0 : bf16
    }
    return
  }
}
}
