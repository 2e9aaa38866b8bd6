// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks what is computed in several products or quantized in several pieces:
// a slot has one tensor, or the gradients of all rows of a layer that is
// computed some rows after the other (te-fuse-loss).

#include "Precision/Validation.h"
#include "te/Dialect/TE/IR/Slices.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// Some rows of a matrix, one after the other.
struct Rows {
  Value matrix;
  int64_t first, count;

  int64_t getEnd() const { return first + count; }
};

/// A forward product of a layer in parts, and its rows.
struct Part {
  ScaledProductOpInterface forward;
  StringAttr layer;
  Rows rows;
};

class PartValidator {
public:
  PartValidator(ScalingModule &module, func::FuncOp func,
                const Quantizations &quantizations)
      : module(module), func(func), quantizations(quantizations) {}

  PartSlots run();

private:
  void checkForwards(ArrayRef<ScaledProductOpInterface> products);
  void checkRows(ArrayRef<Part> found);
  bool checkSlot(int64_t slot, ArrayRef<const Quantization *> pieces);
  const Part *findPart(Value gradient) const;
  void checkReaders(ArrayRef<std::pair<const Quantization *, Part>> pieces);
  void checkWgrad(const Quantization &piece, const Part &part,
                  ScaledProductOpInterface wgrad);

  ScalingModule &module;
  func::FuncOp func;
  const Quantizations &quantizations;
  /// The parts of layers, by their forward products.
  llvm::MapVector<Operation *, Part> parts;
};
} // namespace

/// Whether two products compute different columns of one, each of its columns
/// of the weight (te-split-scatters).
static bool areHalves(ScaledProductOpInterface first,
                      ScaledProductOpInterface second) {
  auto a = first.getB().getDefiningOp<tensor::ExtractSliceOp>();
  auto b = second.getB().getDefiningOp<tensor::ExtractSliceOp>();
  return a && b && first.getA() == second.getA() &&
         a.getSource() == b.getSource() &&
         a.getMixedOffsets() != b.getMixedOffsets();
}

/// The rows of which `value` is a copy, which are its dimension `dim`.
static std::optional<Rows> getRows(Value value, int64_t dim) {
  auto slice = value.getDefiningOp<tensor::ExtractSliceOp>();
  if (!slice || getDividedDim(slice) != dim)
    return std::nullopt;
  return Rows{slice.getSource(), slice.getStaticOffset(dim),
              slice.getStaticSize(dim)};
}

/// Forward products of a function belong to different layers, or are parts of
/// one.
void PartValidator::checkForwards(ArrayRef<ScaledProductOpInterface> products) {
  ScaledProductOpInterface first = products.front();
  SmallVector<Part> found;
  for (ScaledProductOpInterface op : products)
    if (std::optional<Rows> rows = getRows(op.getA(), /*dim=*/0))
      found.push_back({op, op.getLayerAttr(), *rows});
  for (ScaledProductOpInterface op : products.drop_front()) {
    std::optional<Rows> rows = getRows(op.getA(), /*dim=*/0);
    if (areHalves(first, op) ||
        (found.size() == products.size() && op.getB() == first.getB() &&
         rows->matrix == found.front().rows.matrix))
      continue;
    InFlightDiagnostic diagnostic = module.error(op);
    diagnostic << "is a second forward product of the layer '"
               << op.getLayerAttr().getValue()
               << "'; expects a name of its own";
    diagnostic.attachNote(first->getLoc()) << "the first is here";
    return;
  }
  if (found.size() == products.size() && !areHalves(first, products.back()))
    checkRows(found);
}

void PartValidator::checkRows(ArrayRef<Part> found) {
  StringAttr layer = found.front().layer;
  int64_t end = 0;
  for (const Part &part : found) {
    if (part.rows.first != end) {
      module.error(part.forward)
          << "computes rows " << part.rows.first << " to " << part.rows.getEnd()
          << " of the layer '" << layer.getValue()
          << "', whose products before it end at row " << end
          << "; expects every row once, in order";
      return;
    }
    end = part.rows.getEnd();
  }
  const int64_t all =
      cast<RankedTensorType>(found.front().rows.matrix.getType()).getDimSize(0);
  if (end != all)
    module.error(found.back().forward)
        << "is the last forward product of the layer '" << layer.getValue()
        << "', and ends at row " << end << " of " << all
        << "; expects every row once, in order";
  for (const Part &part : found)
    parts.insert({part.forward, part});
}

/// The part of a layer whose result a gradient is made of; null if it is made
/// of several, of other products, or of none. Losses of other parts are
/// scalars.
const Part *PartValidator::findPart(Value gradient) const {
  const Part *found = nullptr;
  SmallVector<Value> todo = {gradient};
  llvm::DenseSet<Value> seen;
  while (!todo.empty()) {
    Value value = todo.pop_back_val();
    auto type = dyn_cast<RankedTensorType>(value.getType());
    Operation *op = value.getDefiningOp();
    if (!op || !type || type.getRank() < 2 || !seen.insert(value).second)
      continue;
    if (isa<ScaledProductOpInterface>(op)) {
      auto it = parts.find(op);
      if (it == parts.end() || (found && found != &it->second))
        return nullptr;
      found = &it->second;
      continue;
    }
    llvm::append_range(todo, op->getOperands());
  }
  return found;
}

/// wgrad sums over the rows whose gradient it reads.
void PartValidator::checkWgrad(const Quantization &piece, const Part &part,
                               ScaledProductOpInterface wgrad) {
  Value input = wgrad.getA() == piece.columnwise ? wgrad.getB() : wgrad.getA();
  std::optional<Rows> rows = getRows(input, /*dim=*/1);
  if (rows && rows->first == part.rows.first && rows->count == part.rows.count)
    return;
  InFlightDiagnostic diagnostic = module.error(wgrad);
  diagnostic << "reads the gradient of rows " << part.rows.first << " to "
             << part.rows.getEnd() << " of the layer '"
             << wgrad.getLayerAttr().getValue() << "' and ";
  if (rows)
    diagnostic << "rows " << rows->first << " to " << rows->getEnd();
  else
    diagnostic << "all rows";
  diagnostic << " of its input; expects the same rows";
  diagnostic.attachNote(part.forward->getLoc()) << "the rows are computed here";
}

/// Products that read one part's gradient read all.
void PartValidator::checkReaders(
    ArrayRef<std::pair<const Quantization *, Part>> pieces) {
  using Counts = std::array<unsigned, 3>;
  std::optional<Counts> expected;
  for (auto &[piece, part] : pieces) {
    Counts counts = {};
    for (Operation *user : piece->op->getUsers()) {
      auto product = dyn_cast<ScaledProductOpInterface>(user);
      if (!product) {
        counts[2] += llvm::any_of(
            user->getOperands(), [&, op = piece->op](Value operand) {
              return operand.getDefiningOp() == op && isFp8(operand);
            });
        continue;
      }
      const bool isWgrad = product.getRole() == MatmulRole::Wgrad;
      ++counts[isWgrad];
      if (isWgrad)
        checkWgrad(*piece, part, product);
    }
    if (!expected)
      expected = counts;
    if (counts == *expected && counts[0] <= 1 && counts[1] <= 1)
      continue;
    InFlightDiagnostic diagnostic = module.error(piece->op);
    diagnostic << "quantizes the gradient of rows " << part.rows.first << " to "
               << part.rows.getEnd()
               << ", which is not read once by each product that reads those "
                  "of the other rows";
    diagnostic.attachNote(pieces.front().first->op->getLoc())
        << "the first rows are quantized here";
    return;
  }
}

/// What a step quantizes with the scale that it began with is one tensor for
/// each slot. Returns whether it is one in parts.
bool PartValidator::checkSlot(int64_t slot,
                              ArrayRef<const Quantization *> pieces) {
  SmallVector<std::pair<const Quantization *, Part>> found;
  llvm::DenseSet<Operation *> forwards;
  for (const Quantization *piece : pieces)
    if (const Part *part = findPart(piece->source);
        part && forwards.insert(part->forward).second)
      found.push_back({piece, *part});
  auto isOfLayer = [&](const Part &part) {
    return part.layer == found.front().second.layer;
  };
  if (found.size() == pieces.size() &&
      llvm::all_of(llvm::make_second_range(found), isOfLayer) &&
      size_t(llvm::count_if(llvm::make_second_range(parts), isOfLayer)) ==
          found.size()) {
    checkReaders(found);
    return true;
  }
  InFlightDiagnostic diagnostic = module.error(pieces[1]->op);
  diagnostic << "quantizes a second tensor in " << module.describe(slot)
             << "; a slot has one tensor, and its amax";
  diagnostic.attachNote(pieces[0]->op->getLoc()) << "the first is here";
  return false;
}

PartSlots PartValidator::run() {
  llvm::MapVector<StringAttr, SmallVector<ScaledProductOpInterface>> forwards;
  func.walk([&](ScaledProductOpInterface op) {
    if (op.getLayerAttr() && op.getRole() == MatmulRole::Fprop)
      forwards[op.getLayerAttr()].push_back(op);
  });
  for (auto &[layer, products] : forwards)
    if (products.size() > 1)
      checkForwards(products);
  PartSlots partSlots;
  if (!module.carriesScales())
    return partSlots;
  llvm::MapVector<int64_t, SmallVector<const Quantization *>> bySlot;
  for (auto &[op, quantization] : quantizations) {
    std::optional<ScaleOrigin> scale = module.traceScale(quantization.scale);
    if (scale && scale->version == ScaleVersion::Old)
      bySlot[scale->slot].push_back(&quantization);
  }
  for (auto &[slot, pieces] : bySlot)
    if (pieces.size() > 1 && checkSlot(slot, pieces))
      partSlots.insert(slot);
  return partSlots;
}

PartSlots mlir::te::validateParts(ScalingModule &module, func::FuncOp func,
                                  const Quantizations &quantizations) {
  return PartValidator(module, func, quantizations).run();
}
