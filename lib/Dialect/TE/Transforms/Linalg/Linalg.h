// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The steps of te-import-linalg, one file per idea.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_LINALG_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_LINALG_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/DenseMap.h"

#include <optional>
#include <string>

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace mlir::te {

/// Turns IREE's functions, util.func in the generic form, with or without
/// buffer views in their signature, into func.func on tensors. Ops of unknown
/// dialects stay, to be listed later.
LogicalResult adoptForeignFunctions(ModuleOp module);

/// True if an op has this name and is of a dialect that is not linked.
inline bool isForeign(Operation *op, StringRef name) {
  return !op->isRegistered() && op->getName().getStringRef() == name;
}

/// An attribute of an unregistered op: a property in the generic form, or a
/// discardable attribute.
template <typename AttrTy>
AttrTy getForeignAttr(Operation *op, StringRef name) {
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    if (auto attribute = properties.getAs<AttrTy>(name))
      return attribute;
  return op->getAttrOfType<AttrTy>(name);
}

/// On an argument: the file and name of the global that it replaces.
inline constexpr llvm::StringLiteral kGlobalAttr = "te.global";

/// Turns globals whose values are named parts of files, IREE's external
/// parameters, into arguments of the model of those names. Other globals stay,
/// to be listed as unsupported. Returns the reasons for those that are
/// inconsistent with their file.
llvm::DenseMap<Operation *, std::string> takeForeignGlobals(ModuleOp module,
                                                            func::FuncOp model);

/// The reason to reject an op of TOSA for which upstream's lowering would fail
/// midway.
std::optional<std::string> getTosaProblem(Operation *op);

/// True if the model contains TOSA ops; their lowering to linalg, tensor and
/// arith in the module; and the dialects that it needs.
bool hasTosa(func::FuncOp model);
void addTosaLowering(OpPassManager &pm);
void registerTosaLoweringDialects(DialectRegistry &registry);

/// The options of te-import-linalg that choose the model.
struct ModelChoice {
  StringRef function; ///< its name; empty: determined automatically
  ArrayRef<std::string> parameters; ///< INDEX, FIRST-LAST, INDEX=NAME, GLOB
};

/// The model's function: the one with te.model, of this name, called forward,
/// or the only public one. If there is none, or several, an error suggests a
/// remedy.
FailureOr<func::FuncOp> findModel(ModuleOp module, const ModelChoice &choice);

/// Assigns every argument and result of the model its role and a name.
LogicalResult assignRoles(func::FuncOp model, const ModelChoice &choice);

/// A model with more ops than that is rejected; compiling it would take hours.
inline constexpr int64_t kMostOps = 200000;

/// Adds patterns that rewrite ops of scf, tensor and linalg which need no
/// separate kernel: control flow with known conditions, tensor.generate,
/// linalg.pack and linalg.unpack.
void populateSimplerFormPatterns(RewritePatternSet &patterns);

/// Unrolls loops with known bounds.
LogicalResult unrollLoops(func::FuncOp model);

/// Rewrites linalg.generic and named ops, except contractions, as ops on whole
/// tensors: arithmetic, broadcasts, transposes, lookups, and reductions of one
/// operand.
void writeStructuredOps(func::FuncOp model);

/// Turns insertions and padding into concatenations, and values computed from
/// constants alone into constants.
void populateTensorPatterns(RewritePatternSet &patterns);

/// Turns sums of tensors, and of a tensor and rows, into te.add, unless they
/// are part of a formula.
void populateSumPatterns(RewritePatternSet &patterns);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_LINALG_H
