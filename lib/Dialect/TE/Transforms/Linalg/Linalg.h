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

/// Functions as IREE writes them, util.func in the generic form, with or
/// without buffer views at their boundary, become func.func on tensors. Ops of
/// dialects that are not known stay, for a list of all of them.
LogicalResult adoptForeignFunctions(ModuleOp module);

/// Whether an op is of a dialect that is not linked, and called so.
inline bool isForeign(Operation *op, StringRef name) {
  return !op->isRegistered() && op->getName().getStringRef() == name;
}

/// What an attribute of an op that is not registered is: a property as the
/// generic form writes it, or a discardable attribute.
template <typename AttrTy>
AttrTy getForeignAttr(Operation *op, StringRef name) {
  if (auto properties =
          dyn_cast_or_null<DictionaryAttr>(op->getPropertiesAsAttribute()))
    if (auto attribute = properties.getAs<AttrTy>(name))
      return attribute;
  return op->getAttrOfType<AttrTy>(name);
}

/// On an argument: the file and the name of the global that it was.
inline constexpr llvm::StringLiteral kGlobalAttr = "te.global";

/// Globals whose values are named parts of files, as IREE writes parameters
/// apart from the program, become arguments of the model under those names.
/// Other globals stay, for the list of what is refused. Returns why, for those
/// that have such a value and do not fit it.
llvm::DenseMap<Operation *, std::string> takeForeignGlobals(ModuleOp module,
                                                            func::FuncOp model);

/// Why an op of TOSA is refused before upstream's lowering would fail on a part
/// of it.
std::optional<std::string> whyNotTosa(Operation *op);

/// Whether the model contains ops of TOSA, what lowers them to linalg, tensor
/// and arith in the module, and the dialects that this needs.
bool hasTosa(func::FuncOp model);
void addTosaLowering(OpPassManager &pm);
void registerTosaLoweringDialects(DialectRegistry &registry);

/// What te-import-linalg is told about the model.
struct ModelChoice {
  StringRef function;               ///< its name; empty: find it
  ArrayRef<std::string> parameters; ///< INDEX, FIRST-LAST, INDEX=NAME, GLOB
};

/// The function that is the model: the one with te.model, of this name, called
/// forward, or the only public one. An error says what to do where that is
/// none, or several.
FailureOr<func::FuncOp> findModel(ModuleOp module, const ModelChoice &choice);

/// Gives every argument and result of the model its role and a name.
LogicalResult assignRoles(func::FuncOp model, const ModelChoice &choice);

/// A model with more ops than that is refused; compiling it would take hours.
inline constexpr int64_t kMostOps = 200000;

/// Adds what writes ops of scf, tensor and linalg that need no kernel of their
/// own as others: control flow whose way is known, tensor.generate, linalg.pack
/// and linalg.unpack.
void populateSimplerFormPatterns(RewritePatternSet &patterns);

/// Loops with known bounds are written as often as they run.
LogicalResult unrollLoops(func::FuncOp model);

/// linalg.generic and named ops, contractions apart, become ops on whole
/// tensors: arithmetic, broadcasts, transposes, lookups, and reductions of one
/// operand.
void writeStructuredOps(func::FuncOp model);

/// Insertions and padding become concatenations, and what is computed from
/// constants alone becomes constants.
void populateTensorPatterns(RewritePatternSet &patterns);

/// Sums of tensors, and of a tensor and rows, become te.add, unless they are
/// part of a formula.
void populateSumPatterns(RewritePatternSet &patterns);

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_LINALG_LINALG_H
