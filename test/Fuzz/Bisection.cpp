// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Bisection.h"

#include "mlir/IR/AsmState.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Rewrite/PatternApplicator.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

namespace {

/// Runs a pipeline as far as a cut lets it, as the context's action handler.
class Replay {
public:
  Replay(ModuleOp module, Cut cut) : module(module.clone()), cut(cut) {}

  /// Fails if a pass does.
  LogicalResult run(function_ref<LogicalResult(OpPassManager &)> build);

  /// Called behind each pass, with its number and how many patterns it tried.
  std::function<void(const Pass &, Operation *, Cut)> afterPass;
  /// Called instead of the last pattern that the cut lets through, which it
  /// has to apply.
  std::function<void(function_ref<void()>, Operation *, StringRef)> atLast;

  OwningOpRef<ModuleOp> module;
  Cut cut;

private:
  void handle(function_ref<void()> apply, const tracing::Action &action);
  void handlePass(function_ref<void()> apply,
                  const PassExecutionAction &action);
  void handlePattern(function_ref<void()> apply,
                     const ApplyPatternAction &action);

  /// Of the pass that runs, and of what comes next.
  uint64_t patterns = 0, next = 0;
  bool isInside = false;
};

} // namespace

LogicalResult Replay::run(function_ref<LogicalResult(OpPassManager &)> build) {
  MLIRContext *context = module->getContext();
  PassManager manager(context, ModuleOp::getOperationName(),
                      PassManager::Nesting::Implicit);
  // What a pass makes is verified where it can be told from a failure.
  manager.enableVerifier(false);
  if (failed(build(manager)))
    return failure();
  context->registerActionHandler(
      [this](function_ref<void()> apply, const tracing::Action &action) {
        handle(apply, action);
      });
  llvm::scope_exit unregister([&] { context->registerActionHandler(nullptr); });
  return manager.run(*module);
}

void Replay::handle(function_ref<void()> apply, const tracing::Action &action) {
  if (auto *pass = dyn_cast<PassExecutionAction>(&action))
    handlePass(apply, *pass);
  else if (auto *pattern = dyn_cast<ApplyPatternAction>(&action))
    handlePattern(apply, *pattern);
  else
    apply();
}

void Replay::handlePass(function_ref<void()> apply,
                        const PassExecutionAction &action) {
  // What has no name on a command line only runs others. What a pass runs
  // itself is a part of it, between whose parts nothing needs to be right.
  if (isInside || action.getPass().getArgument().empty())
    return apply();
  uint64_t number = next++;
  if (number > cut.pass)
    return;
  patterns = 0;
  isInside = true;
  apply();
  isInside = false;
  if (afterPass)
    afterPass(action.getPass(), action.getOp(), {number, patterns});
}

void Replay::handlePattern(function_ref<void()> apply,
                           const ApplyPatternAction &action) {
  ++patterns;
  if (next != cut.pass + 1 || patterns < cut.patterns)
    return apply();
  if (patterns > cut.patterns)
    return;
  if (!atLast)
    return apply();
  std::string text;
  llvm::raw_string_ostream os(text);
  action.print(os);
  auto *root = cast<Operation *>(action.getContextIRUnits().front());
  atLast(apply, root, StringRef(text).split(": ").second);
}

//===----------------------------------------------------------------------===//
// What a pattern changed
//===----------------------------------------------------------------------===//

namespace {

/// The text of a function and of each op in it.
class Snapshot {
public:
  explicit Snapshot(Operation *function) : function(function) {
    OpPrintingFlags flags;
    flags.elideLargeElementsAttrs();
    AsmState state(function, flags);
    llvm::raw_string_ostream os(whole);
    function->print(os, state);
    function->walk<WalkOrder::PreOrder>([&](Operation *op) {
      std::string text;
      llvm::raw_string_ostream os(text);
      op->print(os, state);
      ops.insert({op,
                  {OperationFingerPrint(op, /*includeNested=*/false),
                   op->getParentOp(), std::move(text)}});
    });
  }

  /// Prints ops that the other does not have, each with `sign`.
  void printMissing(llvm::raw_ostream &os, const Snapshot &other,
                    StringRef sign) const {
    llvm::SmallPtrSet<Operation *, 8> shown;
    for (const auto &[op, entry] : ops) {
      auto known = other.ops.find(op);
      bool isShown = shown.contains(entry.parent);
      bool isNew =
          known == other.ops.end() || known->second.print != entry.print;
      if (op == function || (!isNew && !isShown))
        continue;
      // With it what it contains.
      shown.insert(op);
      if (isShown)
        continue;
      SmallVector<StringRef> lines;
      StringRef(entry.text).split(lines, '\n');
      for (StringRef line : lines)
        os << sign << line << "\n";
    }
  }

  std::string whole;

private:
  struct Entry {
    OperationFingerPrint print;
    Operation *parent; ///< by then perhaps erased
    std::string text;
  };
  Operation *function;
  llvm::MapVector<Operation *, Entry> ops;
};

} // namespace

void Bisection::show(llvm::raw_ostream &os, uint64_t pattern,
                     bool printsFunctions) {
  Replay replay(module, {wrong.pass, pattern});
  replay.atLast = [&](function_ref<void()> apply, Operation *root,
                      StringRef name) {
    Operation *function = root;
    while (function->getParentOp() && !isa<func::FuncOp>(function))
      function = function->getParentOp();
    os << "pattern " << pattern << " of " << wrong.patterns
       << " tried: " << name << "\n  on '" << root->getName() << "' at "
       << root->getLoc() << "\n";
    Snapshot before(function);
    apply();
    Snapshot after(function);
    if (printsFunctions) {
      os << "// before\n"
         << before.whole << "\n// after\n"
         << after.whole << "\n";
    } else {
      before.printMissing(os, after, "  - ");
      after.printMissing(os, before, "  + ");
    }
    // The rest of the pass may be wrong about what this has made.
    if (reference->compare(*replay.module))
      os << "Right behind it the result is right still: what is wrong is a "
            "fold, or the pass's own code, that goes on from there.\n";
  };
  ErrorCollector quiet(module.getContext());
  (void)replay.run(build);
}

//===----------------------------------------------------------------------===//
// The search
//===----------------------------------------------------------------------===//

Result Bisection::check(Cut cut) {
  Replay replay(module, cut);
  ErrorCollector errors(module.getContext());
  if (failed(replay.run(build)))
    return {Ending::Refused, "", errors.first()};
  return reference->compare(*replay.module);
}

Result Bisection::findPass(llvm::raw_ostream &os) {
  Replay replay(module, {});
  reference =
      std::make_unique<ModuleReference>(*replay.module, arguments, options);
  Result found;
  uint64_t compared = 0, unchanged = 0;
  Tally tally;
  OperationFingerPrint last(*replay.module);
  replay.afterPass = [&](const Pass &pass, Operation *on, Cut at) {
    OperationFingerPrint now(*replay.module);
    if (now == last) {
      ++unchanged;
      return;
    }
    last = now;
    Result result = reference->compare(*replay.module);
    tally += reference->tally;
    if (result) {
      ++compared;
      reference =
          std::make_unique<ModuleReference>(*replay.module, arguments, options);
      return;
    }
    found = result;
    found.stage = pass.getArgument().str();
    wrong = at;
    // Nothing behind it needs to run.
    replay.cut.pass = at.pass;
  };
  if (failed(replay.run(build)))
    return {Ending::Refused, "", "a pass fails"};
  os << compared << " passes compared with float64, " << unchanged
     << " changed nothing; " << tally.derivatives
     << " derivatives compared with differences\n";
  return found;
}

void Bisection::findPattern(llvm::raw_ostream &os, bool printsFunctions) {
  if (wrong.patterns == 0 || check({wrong.pass, 0}).ending == Ending::Failed) {
    os << (wrong.patterns == 0
               ? "It tries no patterns"
               : "It is wrong without any of the " +
                     std::to_string(wrong.patterns) + " patterns that it tries")
       << ": what is wrong is a fold or its own code\n";
    return;
  }
  // Patterns up to `right` are, or cannot be judged; up to `wrongAt` not.
  uint64_t right = 0, wrongAt = wrong.patterns;
  while (wrongAt - right > 1) {
    uint64_t middle = right + (wrongAt - right) / 2;
    if (check({wrong.pass, middle}).ending == Ending::Failed)
      wrongAt = middle;
    else
      right = middle;
  }
  show(os, wrongAt, printsFunctions);
  if (Result before = check({wrong.pass, right});
      before.ending == Ending::Refused)
    os << "Without this pattern nothing can be compared: " << before.message
       << "\n";
}

Result Bisection::run(llvm::raw_ostream &os, bool printsFunctions) {
  Result found = findPass(os);
  if (found.stage.empty())
    return found;
  os << "pass " << wrong.pass + 1 << ", " << found.stage << ": "
     << found.message << "\n";
  if (found.ending == Ending::Failed)
    findPattern(os, printsFunctions);
  return found;
}
