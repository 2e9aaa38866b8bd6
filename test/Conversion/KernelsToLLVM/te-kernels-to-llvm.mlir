// RUN: te-opt %s --te-kernels-to-llvm --split-input-file | FileCheck %s --check-prefix=CPU
// RUN: te-opt %s --te-kernels-to-llvm=target=sm_90 --split-input-file | FileCheck %s --check-prefix=GPU

// Contiguous operands are one loop: 64 * 100 elements are one task, or 1600
// groups of four floats for a GPU, in 7 blocks of 256 threads.
#id = affine_map<(d0, d1) -> (d0, d1)>
module {
module @tert_kernels {
  // CPU-LABEL: llvm.func @sum_0(
  // CPU-SAME:    %[[OPERANDS:.*]]: !llvm.ptr, %{{.*}}: i64) attributes {tert.alignments = array<i32: 4, 4>, tert.tasks = 1 : i64}
  // CPU:         llvm.load %[[OPERANDS]] : !llvm.ptr -> !llvm.ptr
  // CPU:         %[[X:.*]] = llvm.load %{{.*}} invariant {alias_scopes = [#[[SX:.*]]], alignment = 4 : i64, noalias_scopes = [#[[SY:.*]]]}
  // CPU:         %[[SUM:.*]] = llvm.fadd %[[X]], %[[X]]
  // CPU:         llvm.store %[[SUM]], %{{.*}} {alias_scopes = [#[[SY]]], alignment = 4 : i64, noalias_scopes = [#[[SX]]]}

  // GPU-LABEL: llvm.func @sum_0(
  // GPU-SAME:    attributes {nvvm.kernel, nvvm.maxntid = array<i32: 256, 1, 1>, tert.alignments = array<i32: 16, 16>, tert.blocks = 7 : i64, tert.threads = 256 : i64}
  // GPU:         nvvm.read.ptx.sreg.ctaid.x
  // GPU:         nvvm.read.ptx.sreg.tid.x
  // GPU:         llvm.icmp "ult"
  // GPU-NOT:     llvm.udiv
  // GPU-COUNT-4: llvm.load
  // GPU-COUNT-4: llvm.fadd
  // GPU-COUNT-4: llvm.store
  // GPU-NOT:     llvm.store
  func.func @sum_0(%x: memref<64x100xf32> {tert.alignment = 16 : i64}, %y: memref<64x100xf32> {tert.alignment = 16 : i64}) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<64x100xf32>) outs(%y : memref<64x100xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %in : f32
      linalg.yield %0 : f32
    }
    return
  }
}
}

// -----

// bf16 is computed in float32: eight elements a thread, rounded when they are
// stored, whatever the body says.
#id = affine_map<(d0, d1) -> (d0, d1)>
module {
module @tert_kernels {
  // CPU-LABEL: llvm.func @narrow
  // CPU:         llvm.load {{.*}} -> i16
  // CPU:         llvm.shl {{.*}} : i32
  // CPU:         llvm.fmul {{.*}} : f32
  // CPU-NOT:     llvm.fptrunc
  // CPU:         llvm.store {{.*}} : i16

  // GPU-LABEL: llvm.func @narrow
  // GPU-SAME:    tert.blocks = 4 : i64
  // GPU:         llvm.fpext {{.*}} : bf16 to f32
  // GPU-NOT:     {{fmul.*bf16}}
  // GPU-COUNT-8: llvm.fptrunc {{.*}} : f32 to bf16
  func.func @narrow(%x: memref<64x128xbf16> {tert.alignment = 16 : i64}, %y: memref<64x128xbf16> {tert.alignment = 16 : i64}) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<64x128xbf16>) outs(%y : memref<64x128xbf16>) {
    ^bb0(%in: bf16, %out: bf16):
      %0 = arith.mulf %in, %in : bf16
      %1 = arith.mulf %0, %in : bf16
      linalg.yield %1 : bf16
    }
    return
  }
}
}

// -----

// Rows apart, an operand that repeats, one read across its rows: the innermost
// loop walks the output. A group needs neighbours in every operand.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#swapped = affine_map<(d0, d1) -> (d1, d0)>
module {
module @tert_kernels {
  // GPU-LABEL: llvm.func @repeated
  // GPU-SAME:    tert.blocks = 16 : i64
  // GPU:         llvm.udiv
  // GPU:         llvm.urem
  // One load of the repeated operand and four of the other:
  // GPU-COUNT-5: llvm.load
  // GPU-NOT:     llvm.load
  // GPU-COUNT-4: llvm.store
  func.func @repeated(%x: memref<128x128xf32, strided<[256, 1]>> {tert.alignment = 16 : i64}, %b: memref<128xf32> {tert.alignment = 16 : i64},
                      %y: memref<128x128xf32> {tert.alignment = 16 : i64}) {
    linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x, %b : memref<128x128xf32, strided<[256, 1]>>, memref<128xf32>) outs(%y : memref<128x128xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    }
    return
  }
  // GPU-LABEL: llvm.func @swapped
  // GPU-SAME:    tert.alignments = array<i32: 4, 4>, tert.blocks = 64 : i64
  func.func @swapped(%x: memref<128x128xf32> {tert.alignment = 16 : i64}, %y: memref<128x128xf32> {tert.alignment = 16 : i64}) {
    linalg.generic {indexing_maps = [#swapped, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<128x128xf32>) outs(%y : memref<128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
  // Addresses that are only multiples of 8 bytes: two floats at once.
  // GPU-LABEL: llvm.func @unaligned
  // GPU-SAME:    tert.alignments = array<i32: 8, 8>, tert.blocks = 32 : i64
  func.func @unaligned(%x: memref<128x128xf32> {tert.alignment = 8 : i64}, %y: memref<128x128xf32> {tert.alignment = 16 : i64}) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<128x128xf32>) outs(%y : memref<128x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
}
}

// -----

// Every operand has an alignment of its own: what one access to it moves, never
// what another operand needs. A slice of bf16 may start between two of its
// neighbour's floats; where groups are formed, four bf16 are 8 bytes.
#id = affine_map<(d0) -> (d0)>
module {
module @tert_kernels {
  // CPU-LABEL: llvm.func @between
  // CPU-SAME:    tert.alignments = array<i32: 2, 4>
  // GPU-LABEL: llvm.func @between
  // GPU-SAME:    tert.alignments = array<i32: 2, 4>
  func.func @between(%x: memref<128xbf16> {tert.alignment = 2 : i64}, %y: memref<128xf32> {tert.alignment = 16 : i64}) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : memref<128xbf16>) outs(%y : memref<128xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %0 = arith.extf %in : bf16 to f32
      linalg.yield %0 : f32
    }
    return
  }
  // GPU-LABEL: llvm.func @half
  // GPU-SAME:    tert.alignments = array<i32: 8, 16>
  func.func @half(%x: memref<128xbf16> {tert.alignment = 8 : i64}, %y: memref<128xf32> {tert.alignment = 16 : i64}) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
        ins(%x : memref<128xbf16>) outs(%y : memref<128xf32>) {
    ^bb0(%in: bf16, %out: f32):
      %0 = arith.extf %in : bf16 to f32
      linalg.yield %0 : f32
    }
    return
  }
}
}

// -----

// How work is cut depends on the shape alone: long rows in pieces, short rows
// in bands, sums by what they add up.
#id = affine_map<(d0, d1) -> (d0, d1)>
#row = affine_map<(d0, d1) -> (d0)>
#column = affine_map<(d0, d1) -> (d1)>
module {
module @tert_kernels {
  // CPU-LABEL: llvm.func @long
  // CPU-SAME:    tert.tasks = 7 : i64
  func.func @long(%x: memref<1x100000xf32>, %y: memref<1x100000xf32>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<1x100000xf32>) outs(%y : memref<1x100000xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
  // CPU-LABEL: llvm.func @short
  // CPU-SAME:    tert.tasks = 8 : i64
  func.func @short(%x: memref<1000x128xf32, strided<[256, 1]>>, %y: memref<1000x128xf32>) {
    linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<1000x128xf32, strided<[256, 1]>>) outs(%y : memref<1000x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    }
    return
  }
  // CPU-LABEL: llvm.func @sums
  // CPU-SAME:    tert.tasks = 8 : i64
  // On a GPU a warp adds up a row; the old value counts once.
  // GPU-LABEL: llvm.func @sums
  // GPU-SAME:    tert.blocks = 125 : i64
  // GPU:         %[[LANE:.*]] = llvm.urem
  // GPU:         llvm.load
  // GPU:         llvm.select
  // GPU:         llvm.fadd
  // GPU:         nvvm.shfl.sync bfly
  // GPU-COUNT-4: nvvm.shfl.sync bfly
  // GPU-NOT:     nvvm.shfl
  // GPU:         llvm.store
  func.func @sums(%x: memref<1000x128xf32>, %y: memref<1000xf32>) {
    linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]}
        ins(%x : memref<1000x128xf32>) outs(%y : memref<1000xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    return
  }
  // Columns have a thread each: neighbours read neighbours.
  // GPU-LABEL: llvm.func @columns
  // GPU-SAME:    tert.blocks = 1 : i64
  // GPU-NOT:     nvvm.shfl
  func.func @columns(%x: memref<1000x128xf32>, %y: memref<128xf32>) {
    linalg.generic {indexing_maps = [#id, #column], iterator_types = ["reduction", "parallel"]}
        ins(%x : memref<1000x128xf32>) outs(%y : memref<128xf32>) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    }
    return
  }
}
}

// -----

// What flags allow besides is not computed, and what they promise not relied on.
#v = affine_map<(d0) -> (d0)>
module {
module @tert_kernels {
  // CPU-LABEL: llvm.func @flags
  // CPU-NOT:     {{fastmath|exact|overflow<n.*i32}}
  // CPU:         llvm.fadd
  // CPU-NOT:     {{fastmath|exact|overflow<n.*i32}}
  // CPU:         llvm.lshr {{.*}} : i32
  // CPU-NOT:     {{fastmath|exact|overflow<n.*i32}}
  // CPU:         llvm.add {{.*}} : i32
  // CPU-NOT:     {{fastmath|exact|overflow<n.*i32}}
  // CPU:         llvm.store {{.*}} : i32

  // GPU-LABEL: llvm.func @flags
  // GPU-NOT:     {{fastmath|exact|overflow<n.*i32}}
  // GPU:         llvm.fadd
  // GPU-NOT:     {{fastmath|exact}}
  // GPU:         llvm.store
  func.func @flags(%x: memref<64xf32>, %n: memref<64xi32>, %y: memref<64xf32>, %m: memref<64xi32>) {
    linalg.generic {indexing_maps = [#v, #v, #v, #v], iterator_types = ["parallel"]}
        ins(%x, %n : memref<64xf32>, memref<64xi32>) outs(%y, %m : memref<64xf32>, memref<64xi32>) {
    ^bb0(%a: f32, %b: i32, %o: f32, %p: i32):
      %one = arith.constant 1 : i32
      %0 = arith.addf %a, %a fastmath<fast> : f32
      %1 = arith.shrui %b, %one exact : i32
      %2 = arith.addi %1, %b overflow<nsw, nuw> : i32
      linalg.yield %0, %2 : f32, i32
    }
    return
  }
}
}
