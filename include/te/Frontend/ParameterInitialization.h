// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialization of parameters that come without data.

#ifndef TE_FRONTEND_PARAMETERINITIALIZATION_H
#define TE_FRONTEND_PARAMETERINITIALIZATION_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace mlir::te {

/// Initialization of parameters: a list of rules such as
/// "normal:0.02,*.wpe.weight=normal:0.01,*.scale=ones".
///
/// A rule is [GLOB=]KIND, KIND one of normal:STD, normal:MEAN:STD,
/// uniform:LOW:HIGH, constant:VALUE, zeros, ones. Later rules win. A rule
/// without a pattern applies to matrices; vectors follow the convention of
/// frameworks (scales of norms are ones, everything else zeros) unless a
/// pattern names them.
class InitializationRules {
public:
  /// Parses `text`; on failure `error` says what is wrong and where.
  static FailureOr<InitializationRules> parse(llvm::StringRef text,
                                              std::string &error);

  /// Sets te.init on argument `index` of `forward`, a parameter without data.
  /// Fails if no rule matches it.
  LogicalResult apply(func::FuncOp forward, unsigned index) const;

  /// Patterns that match no parameter of `forward`, probably mistyped.
  std::vector<std::string> findUnmatched(func::FuncOp forward) const;

private:
  struct Rule {
    std::string pattern; ///< empty: every matrix
    std::string value;   ///< value of te.init when it is a string
    double constant = 0; ///< value of te.init otherwise
  };
  Attribute attribute(MLIRContext *context, const Rule &rule) const;
  std::vector<Rule> rules;
};

} // namespace mlir::te

#endif // TE_FRONTEND_PARAMETERINITIALIZATION_H
