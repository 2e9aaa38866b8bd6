// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Graphs as native programs on the CPU runtime, in this process. Many are
// compiled as one module: code generation and linking cost more than they do.

#ifndef TE_TEST_FUZZ_NATIVE_H
#define TE_TEST_FUZZ_NATIVE_H

#include "Checks.h"

#include "llvm/ADT/StringRef.h"

namespace mlir::te::fuzz {

/// Which program of a graph is compiled.
struct ProgramKind {
  StringRef precision; ///< f32, bf16, fp8
  StringRef entry;     ///< vjp, forward, grad, train
  StringRef optimizer; ///< of train
};
/// The kinds that graphs take turns in.
ArrayRef<ProgramKind> getProgramKinds();

class NativeBatch {
public:
  NativeBatch(MLIRContext *context, PassRunner &passes, Tally &tally);
  ~NativeBatch();

  /// Turns @forward of `graph` into a program of te ops, which run() will
  /// compile. `number` names it. A graph that has nothing to train becomes
  /// `vjp` where its kind has a loss.
  Result add(unsigned number, ModuleOp graph, ProgramKind kind);

  struct Ended {
    unsigned number;
    Result result;
  };
  /// Compiles all programs, runs each on its arguments, and compares.
  SmallVector<Ended> run();

  /// Path without extension: run() leaves there, as .so, the programs compiled
  /// for \p packFor ("sm_90" or "cpu") and, as .graphs, what they are run on
  /// (Packed.h).
  std::string packAs, packFor;

private:
  struct Program;
  Result link(ArrayRef<Program *> programs, StringRef target, StringRef path);
  SmallVector<Program *> linkGood(ArrayRef<Program *> programs,
                                  StringRef target, StringRef path,
                                  SmallVectorImpl<Ended> &ended);
  Result pack(ArrayRef<Program *> programs);
  OwningOpRef<ModuleOp> merge(ArrayRef<Program *> programs);
  Result runOne(Program &program, void *entry);

  MLIRContext *context;
  PassRunner &passes;
  Tally &tally;
  SmallVector<std::unique_ptr<Program>> programs;
};

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_NATIVE_H
