// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scales of blocks of a matrix. A scale tensor [r, c] divides a matrix
// [rows, columns] into blocks of equal size, of which the last of a row or
// column of blocks may be smaller. The two shapes say how large they are: a
// dimension with one scale is one block, and any other block is a power of two.
// So [rows, 1] has a scale for each row, and of a 256 x 512 matrix [256, 4] has
// one for 1 x 128 elements and [2, 4] one for 128 x 128.

#ifndef TE_DIALECT_TE_IR_SCALESHAPE_H
#define TE_DIALECT_TE_IR_SCALESHAPE_H

#include "mlir/IR/OpImplementation.h"

#include <optional>

namespace mlir::te {

/// The rows and columns of a block.
struct ScaleBlock {
  int64_t rows, columns;
};

/// The blocks into which scales of shape `scales` divide a matrix of shape
/// `matrix`; the matrix itself for a scalar, nothing if they do not.
std::optional<ScaleBlock> getScaleBlock(ArrayRef<int64_t> matrix,
                                        ArrayRef<int64_t> scales);

/// Whether a value is one scale (or amax), and not one for each block.
bool isOneScale(Value scale);

/// The type of a scale in assembly: ` of TYPE`, and nothing for tensor<f32>.
ParseResult parseScaleType(OpAsmParser &parser, Type &type);
void printScaleType(OpAsmPrinter &printer, Operation *op, Type type);

/// The type of a reciprocal: ` -> TYPE`, and nothing for that of its amax.
ParseResult parseScaleInvType(OpAsmParser &parser, Type &type, Type amax);
void printScaleInvType(OpAsmPrinter &printer, Operation *op, Type type,
                       Type amax);

/// The type of an amax: ` -> TYPE`, and nothing for tensor<f32>.
ParseResult parseAmaxType(OpAsmParser &parser, Type &type);
void printAmaxType(OpAsmPrinter &printer, Operation *op, Type type);

} // namespace mlir::te

#endif // TE_DIALECT_TE_IR_SCALESHAPE_H
