// RUN: te-opt %s --te-kernels-to-llvm=target=sm_90 --te-kernels-to-image=target=sm_90 | FileCheck %s
// RUN: te-opt %s --te-kernels-to-llvm --te-kernels-to-image | FileCheck %s --check-prefix=CPU

// Neighbouring accesses are joined into 16 bytes, reads past the coherent
// caches; the exponential is arithmetic, not a call.

// CHECK:      module @tert_kernels attributes {tert.image = "
// CHECK-SAME:   .target sm_90
// CHECK-SAME:   .visible .entry exp_0(
// CHECK-SAME:   .maxntid 256
// CHECK-SAME:   ld.global.nc.v4.b32
// CHECK-SAME:   fma.rn.f32
// CHECK-NOT:    call
// CHECK-SAME:   st.global.v4.b32
// CHECK-SAME:   "}
// CHECK-NEXT:   llvm.func @exp_0(!llvm.ptr, !llvm.ptr) attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>, tert.alignments = array<i32: 16, 16>, tert.blocks = 16 : i64, tert.threads = 256 : i64}

// A CPU's kernels become functions of the program.
// CPU-NOT: tert.image
// CPU: llvm.func @exp_0({{.*}}tert.tasks
// CPU: llvm.return
#id = affine_map<(d0, d1) -> (d0, d1)>
module {
module @tert_kernels {
  func.func @exp_0(%x: memref<128x128xf32> {tert.alignment = 16 : i64}, %y: memref<128x128xf32> {tert.alignment = 16 : i64}) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<128x128xf32>) outs(%y : memref<128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
    }
    return
  }
}
}
