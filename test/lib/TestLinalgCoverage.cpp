// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a module, whose functions are compared with what te-to-linalg makes
// of them, has every op of te in all its forms. Ops without a form in upstream
// dialects are printed.

#include "TestPasses.h"
#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"

#include <map>

using namespace mlir;
using namespace mlir::te;

/// What says how something is computed, or who computes it, and not what.
static bool changesNoNumber(StringRef attribute) {
  static constexpr StringLiteral names[] = {
      "role",       "input_first", "layer",  "accumulate",
      "query_axes", "balanced",    "classes"};
  return llvm::is_contained(names, attribute);
}

namespace {
/// All that the ops of one name are seen with.
class Seen {
public:
  explicit Seen(RegisteredOperationName name) : name(name) {}

  void add(Operation *op) {
    ++count;
    operands.insert(op->getNumOperands());
    for (StringAttr attribute : name.getAttributeNames())
      if (!attribute.getValue().ends_with("SegmentSizes"))
        values[attribute].insert(
            op->getInherentAttr(attribute).value_or(Attribute()));
    addSegments(op, "operandSegmentSizes", [](unsigned) { return true; });
    if (!addSegments(op, "resultSegmentSizes", [&](unsigned result) {
          return !op->getResult(result).use_empty();
        }))
      for (OpResult result : op->getResults())
        note("result", result.getResultNumber(), !result.use_empty());
  }

  /// What was not seen, in words.
  SmallVector<std::string> getMissing() const {
    if (count == 0)
      return {"the op"};
    SmallVector<std::string> missing;
    for (const auto &[attribute, set] : values)
      if (set.size() < 2 && !changesNoNumber(attribute.getValue()))
        missing.push_back("another '" + attribute.str() + "'");
    for (const auto &[what, isUsed] : parts)
      if (!isUsed && !hasNoForm(what))
        missing.push_back(what);
    if (name.hasTrait<OpTrait::VariadicOperands>() &&
        !llvm::is_contained(name.getAttributeNames(), "operandSegmentSizes") &&
        // Without a seed it is of no step.
        name.getStringRef() != "te.dropout" && operands.size() < 2)
      missing.push_back("another number of operands");
    return missing;
  }

private:
  /// Scales of FP8 states, which te-to-linalg refuses.
  bool hasNoForm(StringRef what) const {
    return name.getStringRef() == "te.update" &&
           (what == "operandSegmentSizes #7" ||
            what == "resultSegmentSizes #2");
  }

  void note(StringRef kind, unsigned number, bool isUsed) {
    parts[(kind + " #" + Twine(number)).str()] |= isUsed;
  }

  /// Whether the op has this attribute, of the number of values in each group.
  bool addSegments(Operation *op, StringRef attribute,
                   function_ref<bool(unsigned)> isUsed) {
    auto sizes = dyn_cast_or_null<DenseI32ArrayAttr>(
        op->getInherentAttr(attribute).value_or(Attribute()));
    if (!sizes)
      return false;
    unsigned next = 0;
    for (auto [group, size] : llvm::enumerate(sizes.asArrayRef())) {
      bool any = false;
      for (int32_t i = 0; i < size; ++i)
        any |= isUsed(next++);
      note(attribute, group, any);
    }
    return true;
  }

  RegisteredOperationName name;
  int64_t count = 0;
  llvm::SmallSetVector<unsigned, 4> operands;
  llvm::MapVector<StringAttr, llvm::SmallSetVector<Attribute, 4>> values;
  std::map<std::string, bool> parts;
};

struct CheckLinalgCoverage
    : PassWrapper<CheckLinalgCoverage, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(CheckLinalgCoverage)
  StringRef getArgument() const override {
    return "test-te-check-linalg-coverage";
  }
  StringRef getDescription() const override {
    return "Check that a module has every op that te-to-linalg lowers, with "
           "all attributes, operands and results";
  }

  void runOnOperation() override {
    SmallVector<RegisteredOperationName> names;
    for (RegisteredOperationName name : getContext().getRegisteredOperations())
      if (isa<TEDialect>(name.getDialect()))
        names.push_back(name);
    llvm::sort(names, [](RegisteredOperationName a, RegisteredOperationName b) {
      return a.getStringRef() < b.getStringRef();
    });
    for (RegisteredOperationName name : names) {
      if (!name.hasInterface<LinalgFormOpInterface>()) {
        llvm::outs() << name.getStringRef() << " has no form\n";
        continue;
      }
      Seen seen(name);
      getOperation()->walk([&](Operation *op) {
        if (op->getName() == name)
          seen.add(op);
      });
      for (const std::string &missing : seen.getMissing()) {
        getOperation()->emitError()
            << name.getStringRef() << ": no function has " << missing;
        signalPassFailure();
      }
    }
  }
};
} // namespace

void mlir::te::test::registerCheckLinalgCoveragePass() {
  PassRegistration<CheckLinalgCoverage>();
}
