// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The structured ops that become generated kernels, and the access patterns of
// kernels.

#ifndef TE_ANALYSIS_GENERATEDKERNEL_H
#define TE_ANALYSIS_GENERATEDKERNEL_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include <optional>
#include <string>

namespace mlir::te {

/// Module that contains the kernels of a program, and the attributes on it and
/// on its functions.
inline constexpr llvm::StringLiteral kKernelsModule = "tert_kernels";
/// On the module: the kernels as PTX (a string).
inline constexpr llvm::StringLiteral kKernelImageAttr = "tert.image";
/// On a kernel: its launch configuration (i64), see tert_kernel.
inline constexpr llvm::StringLiteral kKernelTasksAttr = "tert.tasks";
inline constexpr llvm::StringLiteral kKernelBlocksAttr = "tert.blocks";
inline constexpr llvm::StringLiteral kKernelThreadsAttr = "tert.threads";
/// On a kernel whose arguments may overlap; those of others never do.
inline constexpr llvm::StringLiteral kKernelOverlapAttr = "tert.overlap";
/// On a kernel's argument: alignment of its address, in bytes (i64).
inline constexpr llvm::StringLiteral kKernelAlignmentAttr = "tert.alignment";
/// On a lowered kernel: the required alignment of each argument's address
/// (array of i32), never more than the argument's alignment.
inline constexpr llvm::StringLiteral kKernelAlignmentsAttr = "tert.alignments";

/// The reason that no kernel can be generated for the op; nullopt if one can.
/// Shapes must be static, operands of types that the runtime supports, index
/// maps linear, and the body made of arithmetic in float32, bf16 and integers.
std::optional<std::string> getKernelProblem(linalg::GenericOp op);

/// True if the op consists of elementwise arith or math ops on tensors, so that
/// linalg.generic can replace it; false if a tensor has an encoding.
bool isElementwiseOnTensors(Operation *op);

/// The access pattern of a kernel: a loop nest with every address a constant
/// plus a sum of constant strides times loop counters.
struct IterationSpace {
  struct Operand {
    int64_t offset = 0; ///< elements
    /// Elements from one iteration to the next, per loop.
    SmallVector<int64_t> parallel, reduction;
  };

  /// For an op on memrefs that getKernelProblem() accepts. Parallel loops are
  /// ordered so that the innermost one walks the first output's memory, and
  /// joined if all operands allow it, unless the body uses loop counters
  /// (linalg.index).
  static IterationSpace get(linalg::GenericOp op);

  /// Iterations of the loops, outermost first; there is at least one parallel
  /// loop.
  SmallVector<int64_t> parallelSizes, reductionSizes;
  /// In the order of the op's operands.
  SmallVector<Operand> operands;
  /// The op's loop for each loop here, if the body uses counters.
  SmallVector<unsigned> parallelLoops, reductionLoops;
};

} // namespace mlir::te

#endif // TE_ANALYSIS_GENERATEDKERNEL_H
