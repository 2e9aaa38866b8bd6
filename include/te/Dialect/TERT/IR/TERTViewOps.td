// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Views, which call no function. C++ has them in te/Dialect/TERT/IR/ViewOps.h.

#ifndef TE_DIALECT_TERT_IR_TERTVIEWOPS_TD
#define TE_DIALECT_TERT_IR_TERTVIEWOPS_TD

include "mlir/Interfaces/SideEffectInterfaces.td"
include "mlir/Interfaces/ViewLikeInterface.td"
include "te/Dialect/TERT/IR/TERTBase.td"

def TERT_LocatePartOp
    : Op<TERT_Dialect, "locate_part",
         [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "View of the rank's shard of a replicated tensor";
  let description = [{
    The shards of the ranks along `axes` have one layout and are `distance`
    elements apart. The rank's own offset is known at run time
    (`tert_locate_part`), so that the result, like that of `memref.view`, counts
    its offset from there.

    ```mlir
    %0 = tert.locate_part %x {axes = 2 : i32, distance = 2048 : i64, ranks = 2 : i32}
         : memref<64x64xbf16> to memref<32x64xbf16>
    %1 = tert.locate_part %y {axes = 2 : i32, distance = 32 : i64, ranks = 2 : i32}
         : memref<64x64xf8E4M3FN> to memref<64x32xf8E4M3FN, strided<[64, 1]>>
    ```
  }];
  let arguments = (ins MemRefOf<[AnyType]>:$whole, I32Attr:$axes, I32Attr:$ranks,
                       I64Attr:$distance);
  let results = (outs MemRefOf<[AnyType]>:$part);
  let assemblyFormat = "$whole attr-dict `:` type($whole) `to` type($part)";
  let hasVerifier = 1;
}

def TERT_BytesOp
    : Op<TERT_Dialect, "bytes",
         [Pure, DeclareOpInterfaceMethods<ViewLikeOpInterface>]> {
  let summary = "The memory of a contiguous buffer as bytes";
  let description = [{
    For other tensors in the memory of one whose values are no longer needed:
    `memref.view` places them.

    ```mlir
    %0 = tert.bytes %saved : memref<64x64xbf16> to memref<8192xi8>
    %1 = memref.view %0[%c4096][] : memref<8192xi8> to memref<32x32xf32>
    ```
  }];
  let arguments = (ins MemRefOf<[AnyType]>:$buffer);
  let results = (outs MemRefRankOf<[I8], [1]>:$bytes);
  let assemblyFormat = "$buffer attr-dict `:` type($buffer) `to` type($bytes)";
  let hasVerifier = 1;
}

#endif // TE_DIALECT_TERT_IR_TERTVIEWOPS_TD
