// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.h"

#include "Derivatives.h"
#include "RangeCheck.h"

#include "te/Analysis/Ranges.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;
using test::HostTensor;

static Result fail(StringRef stage, const Twine &message) {
  return {Ending::Failed, stage.str(), message.str()};
}

static std::string textOf(ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, OpPrintingFlags().enableDebugInfo());
  return text;
}

bool fuzz::hasCalls(ModuleOp graph) {
  return graph->walk([](func::CallOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

/// What a function returns in float64, for all that is made of its module. It
/// is computed when something else must be compared with it.
class GraphChecks::Expected {
public:
  Expected(ModuleOp module, StringRef name, Arguments &arguments)
      : module(module), name(name), arguments(arguments) {}

  Result compare(ModuleOp got, StringRef stage, Tally &tally);

private:
  ModuleOp module;
  StringRef name;
  Arguments &arguments;
  std::optional<Reference> reference;
};

Result GraphChecks::Expected::compare(ModuleOp got, StringRef stage,
                                      Tally &tally) {
  ErrorCollector errors(module.getContext());
  auto oracle = [&] { return fail(stage, "oracle: " + errors.first()); };
  auto first = module.lookupSymbol<func::FuncOp>(name);
  auto second = got.lookupSymbol<func::FuncOp>(name);
  if (!first || !second)
    return fail(stage, "lost @" + name);
  if (!reference) {
    auto values = arguments.get(first);
    if (failed(values))
      return oracle();
    auto computed = Reference::compute(first, *values, {kFloat64Error});
    if (failed(computed))
      return oracle();
    reference = std::move(*computed);
  }
  auto values = arguments.get(second);
  if (failed(values))
    return oracle();
  FailureOr<SmallVector<HostTensor>> results = test::evaluate(second, *values);
  if (failed(results))
    return oracle();
  if (reference->size() > results->size())
    return fail(stage, "lost results");
  reference->judged = 0;
  for (unsigned i = 0; i < reference->size(); ++i) {
    auto difference = reference->compare(i, (*results)[i]);
    if (failed(difference))
      return oracle();
    if (*difference)
      return fail(stage,
                  ("result " + Twine(i) + " of @" + name + " " + **difference));
  }
  ++tally.evaluations;
  tally.judged += reference->judged;
  return {};
}

GraphChecks::GraphChecks(ModuleOp graph, PassRunner &passes, Tally &tally)
    : graph(graph), forward(graph.lookupSymbol<func::FuncOp>("forward")),
      passes(passes), tally(tally), arguments(forward) {}

/// Runs `pass` on `module`. What it leaves as it was computes what it did.
Result GraphChecks::runAndCompare(ModuleOp module, StringRef pass,
                                  StringRef stage, Expected &expected) {
  bool changed = true;
  if (Result result = passes.run(module, pass, &changed); !result)
    return result;
  if (changed)
    return expected.compare(module, stage, tally);
  ++tally.unchanged;
  return {};
}

Result GraphChecks::checkRoundTrip() {
  ErrorCollector errors(graph.getContext());
  if (failed(verify(graph)))
    return fail("generator", errors.first());
  std::string text = textOf(graph);
  OwningOpRef<ModuleOp> read =
      parseSourceString<ModuleOp>(text, graph.getContext());
  if (!read)
    return fail("parser", "refuses what was printed: " + errors.first());
  if (textOf(*read) != text)
    return fail("parser", "reads something else than was printed");
  return {};
}

Result GraphChecks::checkRanges(ModuleOp module, StringRef name,
                                StringRef stage) {
  ErrorCollector errors(module.getContext());
  OwningOpRef<ModuleOp> copy(module.clone());
  auto function = copy->lookupSymbol<func::FuncOp>(name);
  FailureOr<SmallVector<HostTensor>> values = arguments.get(function);
  if (failed(values))
    return fail(stage, "oracle: " + errors.first());
  declareMaxAbs(function, *values);
  RangeAnalysis ranges(*copy);
  auto found = findOutOfRange(
      function, *values, [&](Value value) { return ranges.get(value); },
      tally.bounded);
  if (failed(found))
    return fail(stage, "oracle: " + errors.first());
  return *found ? fail(stage, **found) : Result();
}

Result GraphChecks::checkForward() {
  if (Result result = checkRanges(graph, "forward", "ranges"); !result)
    return result;
  Expected expected(graph, "forward", arguments);
  OwningOpRef<ModuleOp> sequence(graph.clone());
  bool isChanged = false;
  for (StringRef pass : {"te-raise", "te-merge-linears", "te-fuse-elementwise",
                         "canonicalize", "cse", "inline"}) {
    // Alone, which is another case where passes before it did something.
    if (isChanged) {
      OwningOpRef<ModuleOp> copy(graph.clone());
      if (Result result = runAndCompare(*copy, pass, pass, expected); !result)
        return result;
    }
    int64_t unchanged = tally.unchanged;
    if (Result result = runAndCompare(
            *sequence, pass,
            isChanged ? (pass + ", in sequence").str() : pass.str(), expected);
        !result)
      return result;
    isChanged |= tally.unchanged == unchanged;
  }
  return {};
}

Result GraphChecks::checkGradients() {
  static constexpr StringLiteral kPipeline =
      "te-raise,te-merge-linears,te-fuse-elementwise,"
      "te-differentiate{entries=vjp,forward loss=none}";
  OwningOpRef<ModuleOp> program(graph.clone());
  Result result = passes.run(*program, kPipeline);
  // Calls are refused until they are inlined.
  if (result.ending == Ending::Refused && hasCalls(graph)) {
    program = graph.clone();
    result = passes.run(*program, ("inline,symbol-dce," + kPipeline).str());
  }
  if (!result)
    return result;
  differentiated = program.get().clone();
  if (Result result = checkRanges(*program, "vjp", "ranges of gradients");
      !result)
    return result;
  if (Result result = checkVjp(forward, *program, arguments, tally); !result)
    return result;
  // The passes behind it, one after the other.
  Expected expected(*differentiated, "vjp", arguments);
  for (StringRef pass :
       {"cse", "te-set-compute-type", "te-set-boundary-type", "te-partition",
        "te-fuse", "canonicalize", "te-fuse-loss", "te-fuse-elementwise"}) {
    // Regions are for te-quantize alone.
    OwningOpRef<ModuleOp> copy(pass == "te-partition" ? program.get().clone()
                                                      : ModuleOp());
    if (Result result =
            runAndCompare(copy ? *copy : *program, pass, pass, expected);
        !result)
      return result;
  }
  return {};
}

Result GraphChecks::checkQuantized() {
  if (!differentiated)
    return {};
  OwningOpRef<ModuleOp> program = std::move(differentiated);
  // Only gradients are quantized.
  if (auto other = program->lookupSymbol<func::FuncOp>("forward"))
    other.erase();
  if (Result result = passes.run(
          *program, "cse,te-set-compute-type,te-partition,te-quantize");
      !result)
    return result;
  if (Result result = checkRanges(*program, "vjp", "ranges in FP8"); !result)
    return result;
  OwningOpRef<ModuleOp> quantized(program.get().clone());
  Expected expected(*quantized, "vjp", arguments);
  for (StringRef pass :
       {"canonicalize", "te-validate-precision", "te-fuse", "cse",
        "te-fuse-loss", "te-fuse-elementwise", "te-validate-precision"})
    if (Result result =
            runAndCompare(*program, pass, (pass + ", in FP8").str(), expected);
        !result)
      return result;
  return {};
}
