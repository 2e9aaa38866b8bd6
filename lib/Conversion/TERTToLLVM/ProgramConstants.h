// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The constants of a program: layouts, call sites, strings, arrays; and the
// declarations of the functions it calls.

#ifndef TE_LIB_CONVERSION_TERTTOLLVM_PROGRAMCONSTANTS_H
#define TE_LIB_CONVERSION_TERTTOLLVM_PROGRAMCONSTANTS_H

#include "BufferAddress.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringMap.h"

namespace mlir::te {

/// Adds constants to a module, each once, before its functions.
class ProgramConstants {
public:
  explicit ProgramConstants(ModuleOp module);

  /// The index of a tert_layout in the array of all. Fails, with an error at
  /// `user`, if the runtime does not support the element type or rank.
  FailureOr<unsigned> getLayout(Operation *user, const BufferLayout &layout);
  /// The array of layouts, which is complete after finish().
  LLVM::GlobalOp getLayouts();

  /// A table of numbers, filled by setTable().
  LLVM::GlobalOp createTable();
  void setTable(LLVM::GlobalOp table, ArrayRef<int64_t> numbers);

  /// The function that writes frames from tables (CallFrames).
  LLVM::LLVMFuncOp getFrameWriter();
  /// A new name for a function that makes a range of an entry's calls.
  std::string getPartName() {
    return "tert_part_" + std::to_string(numParts++);
  }

  /// A new tert_site with the next index, for the op.
  LLVM::GlobalOp createSite(Operation *op);

  /// A string with a zero behind it.
  LLVM::GlobalOp getString(StringRef text);
  LLVM::GlobalOp getInt32Array(DenseI32ArrayAttr values);

  /// A tert_kernel for the function that `symbol` names in the module of
  /// generated kernels; code for a CPU moves into the program. Fails, with an
  /// error at `user`, if there is no such function ready to run.
  FailureOr<LLVM::GlobalOp> getKernel(Operation *user, SymbolRefAttr symbol);

  /// A tert_constant of the bytes of a constant buffer.
  FailureOr<LLVM::GlobalOp> getData(memref::GetGlobalOp op);

  /// A function of the runtime, declared on first use.
  LLVM::LLVMFuncOp getFunction(StringRef name, LLVM::LLVMFunctionType type);

  /// Completes the arrays.
  void finish();

  /// Adds the artifact's version, description and seal.
  void createArtifactInfo(StringAttr description);

private:
  LLVM::GlobalOp createGlobal(Location loc, StringRef name, Type type,
                              Attribute value,
                              LLVM::Linkage linkage = LLVM::Linkage::Private);
  /// A structure whose fields are values made by `makeFields`: addresses of
  /// other globals cannot be attributes.
  LLVM::GlobalOp
  createStruct(Location loc, StringRef name, Type type,
               function_ref<SmallVector<Value>(OpBuilder &)> makeFields);
  /// Sets the insertion point after earlier new operations, before all
  /// functions: the functions themselves come and go.
  void moveBehindLast();

  ModuleOp module;
  OpBuilder builder;
  Operation *last = nullptr;
  Type pointerType, layoutType, siteType, kernelType, constantType;
  llvm::MapVector<Attribute, unsigned> layouts;
  LLVM::GlobalOp layoutArray;
  LLVM::LLVMFuncOp frameWriter;
  DenseMap<Attribute, LLVM::GlobalOp> arrays;
  DenseMap<Attribute, LLVM::GlobalOp> data;
  DenseMap<Attribute, LLVM::GlobalOp> kernels;
  llvm::StringMap<LLVM::GlobalOp> strings;
  llvm::StringMap<LLVM::LLVMFuncOp> functions;
  int32_t numSites = 0;
  unsigned numTables = 0, numParts = 0;
};

} // namespace mlir::te

#endif // TE_LIB_CONVERSION_TERTTOLLVM_PROGRAMCONSTANTS_H
