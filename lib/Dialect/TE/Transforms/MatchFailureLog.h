// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Logs why patterns do not match.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_MATCHFAILURELOG_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_MATCHFAILURELOG_H

#include "mlir/IR/PatternMatch.h"
#include "llvm/Support/DebugLog.h"

namespace mlir::te {

/// The listener of a pass's pattern drivers, whose own logs only an LLVM with
/// assertions has. Level 2: every pattern fails at most ops.
class MatchFailureLog : public RewriterBase::Listener {
public:
  /// `pass` is a literal.
  explicit MatchFailureLog(const char *pass) : pass(pass) {}

  void notifyMatchFailure(Location loc,
                          function_ref<void(Diagnostic &)> explain) override {
    auto describe = [&] {
      Diagnostic reason(loc, DiagnosticSeverity::Remark);
      explain(reason);
      return reason.str();
    };
    LDBG(pass, 2) << describe() << ", at " << loc;
  }

private:
  [[maybe_unused]] const char *pass;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_MATCHFAILURELOG_H
