// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The policy language: which layers of a model may run in FP8.
//
//   policy  := { rule separator }
//   rule    := GLOB [ "/" product ] "=" ( "fp8" | "high" )
//   product := "fprop" | "dgrad" | "wgrad"
//   separator := "," | newline
//
// GLOB matches names of layers ("transformer.h.0.mlp.c_fc", LayerName.h): `*`
// any characters, dots included, `?` one, `[a-c]` one of a set, `{a,b}` one of
// several globs. A module's glob also matches its further layers ("c_fc:1").
// A rule with a product is about that product alone ("*/dgrad=high"). `#`
// starts a comment that reaches to the end of the line. The last rule that
// matches a product of a layer decides.

#ifndef TE_ANALYSIS_POLICY_H
#define TE_ANALYSIS_POLICY_H

#include "te/Dialect/TE/IR/TE.h"

#include "llvm/Support/Error.h"

namespace mlir::te {

class Policy {
public:
  struct Rule {
    std::string glob;
    /// The product that the rule is about; all of the layer if empty.
    std::optional<MatmulRole> product;
    Precision precision;
    /// The rule's line, from 1.
    unsigned line;
    unsigned column;

    /// The rule without its precision, as it is written: "h.*/dgrad".
    std::string getSubject() const;
    /// Whether the rule's glob matches a layer, or one of those that it is
    /// joined from.
    bool matches(llvm::StringRef layer) const;
    bool covers(MatmulRole role) const { return !product || product == role; }
  };

  /// Parses rules from `text`, or from a file if `text` is "@" and its name. An
  /// error gives the position ("policy:1:8: …").
  static llvm::Expected<Policy> parse(llvm::StringRef text);

  /// The rule that applies to a product of a layer, null if none matches. For a
  /// layer joined from several, one of them that has to stay in high precision
  /// decides for all. `asked`, if given, is called for each rule that matches
  /// one of them.
  const Rule *
  lookup(llvm::StringRef layer, MatmulRole product,
         llvm::function_ref<void(const Rule &)> asked = nullptr) const;

  llvm::ArrayRef<Rule> getRules() const { return rules; }

private:
  llvm::Error parseRules(llvm::StringRef text, llvm::StringRef name);
  llvm::Error addRule(llvm::StringRef text, llvm::StringRef name, unsigned line,
                      unsigned column);

  llvm::SmallVector<Rule> rules;
};

} // namespace mlir::te

#endif // TE_ANALYSIS_POLICY_H
