// What an artifact says of a generated kernel (tert_kernel of
// runtime/include/tert/types.h), for a CPU and for a GPU.
// RUN: te-opt %s --te-llvm-pipeline | mlir-translate --mlir-to-llvmir | FileCheck %s
// RUN: te-opt %s --te-llvm-pipeline=target=sm_90 | mlir-translate --mlir-to-llvmir | FileCheck %s --check-prefix=GPU

// Name, code, code for newer processors, tasks; no image; what each operand's
// address is a multiple of.

// CHECK-DAG: @[[NEEDS:.*]] = private constant [2 x i32] [i32 2, i32 4]
// CHECK-DAG: @tert_kernel_0 = private constant { ptr, ptr, ptr, i64, ptr, i64, i32, i32, ptr } { ptr {{.*}}, ptr @tert_kernel_widen_0, ptr {{.*}}, i64 1, ptr null, i64 0, i32 0, i32 0, ptr @[[NEEDS]] }

// Three bf16 that start behind the first are no group; 16 bytes of floats are.
// GPU-DAG: @[[NEEDS:.*]] = private constant [2 x i32] [i32 2, i32 4]
// GPU-DAG: @tert_kernel_0 = private constant { ptr, ptr, ptr, i64, ptr, i64, i32, i32, ptr } { ptr {{.*}}, ptr null, ptr null, i64 0, ptr @{{.*}}, i64 {{-?[0-9]+}}, i32 1, i32 256, ptr @[[NEEDS]] }

#id = affine_map<(d0) -> (d0)>
module attributes {te.description = "{}"} {
  func.func @forward(%x: memref<8xbf16> {te.input = "x"}, %y: memref<4xf32> {te.output = "y"}) attributes {te.entry = "forward"} {
    %part = memref.subview %x[1] [4] [1] : memref<8xbf16> to memref<4xbf16, strided<[1], offset: 1>>
    tert.launch inputs(%part : memref<4xbf16, strided<[1], offset: 1>>) -> outputs(%y : memref<4xf32>) {kernel = @tert_kernels::@widen_0}
    return
  }
  module @tert_kernels {
    func.func @widen_0(%x: memref<4xbf16> {tert.alignment = 2 : i64}, %y: memref<4xf32> {tert.alignment = 16 : i64}) {
      linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
          ins(%x : memref<4xbf16>) outs(%y : memref<4xf32>) {
      ^bb0(%in: bf16, %out: f32):
        %0 = arith.extf %in : bf16 to f32
        linalg.yield %0 : f32
      }
      return
    }
  }
}
