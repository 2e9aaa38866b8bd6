// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The operands of te.scan that a recurrence has: what its decays and inputs are
// products of, by the loops along which they vary.

#ifndef TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANFORM_H
#define TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANFORM_H

#include "Raise/ScanChain.h"

namespace mlir::te {

class ScanOp;

/// Groups of a view's loops.
enum Role : unsigned { Tokens, Batch, Channels, Numbers, NumRoles };

/// A piece of a dimension of a state, or of the states of all tokens.
struct StatePiece {
  int64_t size;
  Role role;
};

/// What a recurrence has for all its tokens: elements of one tensor, grouped by
/// role, or an elementwise op of such operands.
struct Expression {
  std::optional<StridedView> view;
  Operation *op = nullptr;
  std::vector<Expression> operands;

  bool operator==(const Expression &other) const {
    return view == other.view && op == other.op && operands == other.operands;
  }
  bool movesIn(Role role) const {
    return view ? view->movesIn(role)
                : llvm::any_of(operands, [&](const Expression &operand) {
                    return operand.movesIn(role);
                  });
  }
  /// Whether the op that computes it is an `Op`; its operands then.
  template <typename Op>
  std::optional<std::vector<Expression>> getOperands() const {
    if (!view)
      return isa<Op>(op) ? std::optional(operands) : std::nullopt;
    auto computed = view->source.getDefiningOp<Op>();
    if (!computed)
      return std::nullopt;
    std::vector<Expression> inner;
    for (Value operand : computed->getOperands()) {
      StridedView before = *view;
      before.source = operand;
      before.goToStart();
      inner.push_back({std::move(before), nullptr, {}});
    }
    return inner;
  }
  /// As a tensor of `shape`, in the order of roles; null if that is impossible.
  Value build(OpBuilder &builder, Location loc, ArrayRef<unsigned> order,
              ArrayRef<int64_t> shape) const;
};

/// A product of expressions, perhaps negated.
struct Factors {
  std::vector<Expression> all;
  bool isNegated = false;
};

/// A recurrence in one of the forms of te.scan.
class ScanForm {
public:
  /// The pieces in row-major order: of a state, if none is of tokens.
  void setPieces(ArrayRef<StatePiece> all, int64_t tokens);
  int64_t getSize(Role role) const { return sizes[role]; }

  /// A view in one group, of all pieces, by role. Without a piece of tokens,
  /// `first` is of the first one, and each other one's is `stride` behind.
  std::optional<StridedView> byRole(const StridedView &first,
                                    int64_t stride = 0) const;
  /// A step's value for all tokens.
  std::optional<Expression> forTokens(const StepValue &value) const;
  /// Some of the pieces, by number, as a view of a tensor in which they have
  /// their place by role.
  StridedView viewOf(Value tensor, ArrayRef<unsigned> wanted,
                     ArrayRef<Role> roles) const;
  /// The numbers of all pieces.
  SmallVector<unsigned> getAll() const;

  /// Whether decays and inputs are such products. Both are expressions for all
  /// tokens.
  bool match(const Expression &decay, const Expression &input);
  /// Whether inputs are, where nothing decays.
  bool matchInputs(const Expression &input);
  /// The scan, before `builder`'s insertion point. `initial` may be null. Null,
  /// with dead ops left behind, if an operand cannot be built.
  ScanOp build(OpBuilder &builder, Location loc, const StridedView &queries,
               Value initial) const;

private:
  bool matchSelective(const Expression &decay);

  SmallVector<StatePiece> pieces;
  bool hasTokens = false;
  int64_t sizes[NumRoles] = {};
  Factors rates, decays, channelInputs, keys;
};

} // namespace mlir::te

#endif // TE_LIB_DIALECT_TE_TRANSFORMS_RAISE_SCANFORM_H
