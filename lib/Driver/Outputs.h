// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation may write to: never over a file that it reads, nor over
// one that te-compile did not write.

#ifndef TE_LIB_DRIVER_OUTPUTS_H
#define TE_LIB_DRIVER_OUTPUTS_H

#include "mlir/IR/MLIRContext.h"
#include "mlir/Support/LLVM.h"

#include <string>
#include <vector>

namespace mlir::te {

/// The first line of MLIR in files, by which they are known again.
extern const llvm::StringLiteral kTextMark;

/// Whether te-compile wrote the file `path`: a program, an object, weights,
/// marked text or a report. Also true of an empty file, and of none.
bool mayReplace(llvm::StringRef path);
/// Whether it wrote the weights in the file `path`.
bool isOwnWeights(const std::string &path);

/// Files of one compilation, collected, then checked together.
class Outputs {
public:
  explicit Outputs(MLIRContext &context) : context(context) {}

  /// A file that is read; empty and "-" are none. `what`: "a file of the
  /// model".
  void addInput(llvm::StringRef path, llvm::StringRef what);
  /// A file that will be written. `option`: "-o", by which a user chooses
  /// another.
  void add(llvm::StringRef path, llvm::StringRef what, llvm::StringRef option);

  /// Fails, saying what is in the way of which output. With `force`, only if
  /// two outputs are the same file.
  LogicalResult check(bool force) const;

private:
  struct File {
    std::string path, what, option;
  };
  MLIRContext &context;
  std::vector<File> inputs, outputs;
};

} // namespace mlir::te

#endif // TE_LIB_DRIVER_OUTPUTS_H
