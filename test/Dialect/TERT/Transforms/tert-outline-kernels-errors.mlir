// RUN: te-opt %s --tert-outline-kernels --split-input-file --verify-diagnostics

#v = affine_map<(d0) -> (d0)>
#wrapped = affine_map<(d0) -> (d0 mod 4)>
// expected-error@below {{no kernel can be generated for some operations (linalg.generic x1, linalg.generic x1, linalg.generic x1, linalg.generic x1, linalg.generic x1)}}
module {
func.func @all_at_once(%x: memref<8xf32>, %y: memref<8xf32>, %h: memref<8xf16>, %s: f32,
                       %d: memref<8xf32, strided<[?]>>) {
  // expected-note@+1 {{linalg.generic x1: its index maps are not linear}}
  linalg.generic {indexing_maps = [#wrapped, #v], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  // expected-note@+1 {{linalg.generic x1: it has an operand of f16; kernels take f32, bf16 and integers}}
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%h : memref<8xf16>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f16, %out: f32):
    %0 = arith.extf %in : f16 to f32
    linalg.yield %0 : f32
  }
  %scale = arith.constant 2.0 : f8E8M0FNU
  // expected-note@+1 {{linalg.generic x1: 'arith.scaling_truncf' in its body is not arithmetic that kernels are made of}}
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %q = arith.scaling_truncf %in, %scale : f32, f8E8M0FNU to f8E4M3FN
    %0 = arith.extf %q : f8E4M3FN to f32
    linalg.yield %0 : f32
  }
  // expected-note@+1 {{linalg.generic x1: its body reads a value that is not an operand}}
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%x : memref<8xf32>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    %0 = arith.mulf %in, %s : f32
    linalg.yield %0 : f32
  }
  // expected-note@+1 {{linalg.generic x1: it has operands that are not memrefs of static layout; tert-bufferize comes before this pass}}
  linalg.generic {indexing_maps = [#v, #v], iterator_types = ["parallel"]}
      ins(%d : memref<8xf32, strided<[?]>>) outs(%y : memref<8xf32>) {
  ^bb0(%in: f32, %out: f32):
    linalg.yield %in : f32
  }
  return
}
}
