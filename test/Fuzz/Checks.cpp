// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Checks.h"

#include "Derivatives.h"

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

Result fuzz::checkRoundTrip(ModuleOp graph) {
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

Result fuzz::compareFunctions(ModuleOp expected, ModuleOp got, StringRef name,
                              Arguments &arguments, StringRef stage,
                              Tally &tally) {
  ErrorCollector errors(expected.getContext());
  auto oracle = [&] { return fail(stage, "oracle: " + errors.first()); };
  auto first = expected.lookupSymbol<func::FuncOp>(name);
  auto second = got.lookupSymbol<func::FuncOp>(name);
  if (!first || !second)
    return fail(stage, "lost @" + name);
  auto firstArguments = arguments.get(first);
  auto secondArguments = arguments.get(second);
  if (failed(firstArguments) || failed(secondArguments))
    return oracle();
  FailureOr<Reference> reference =
      Reference::compute(first, *firstArguments, {kFloat64Error});
  FailureOr<SmallVector<HostTensor>> results =
      test::evaluate(second, *secondArguments);
  if (failed(reference) || failed(results))
    return oracle();
  if (reference->size() > results->size())
    return fail(stage, "lost results");
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

Result fuzz::checkForward(ModuleOp graph, PassRunner &passes, Tally &tally) {
  Arguments arguments(graph.lookupSymbol<func::FuncOp>("forward"));
  OwningOpRef<ModuleOp> sequence(graph.clone());
  for (StringRef pass : {"te-raise", "te-merge-linears", "te-fuse-elementwise",
                         "canonicalize", "cse"}) {
    // Each alone, and on what those before it made.
    for (bool alone : {true, false}) {
      if (!alone && pass == "te-raise")
        continue;
      OwningOpRef<ModuleOp> copy(alone ? graph.clone()
                                       : sequence.get().clone());
      if (Result result = passes.run(*copy, pass); !result)
        return result;
      std::string stage = (pass + (alone ? "" : ", in sequence")).str();
      if (Result result = compareFunctions(graph, *copy, "forward", arguments,
                                           stage, tally);
          !result)
        return result;
      if (!alone || pass == "te-raise")
        sequence = std::move(copy);
    }
  }
  return {};
}

Result fuzz::checkGradients(ModuleOp graph, PassRunner &passes, Tally &tally) {
  auto forward = graph.lookupSymbol<func::FuncOp>("forward");
  Arguments arguments(forward);
  OwningOpRef<ModuleOp> program(graph.clone());
  if (Result result = passes.run(
          *program, "te-raise,te-merge-linears,te-fuse-elementwise,"
                    "te-differentiate{entries=vjp,forward loss=none}");
      !result)
    return result;
  if (Result result = checkVjp(forward, *program, arguments, tally); !result)
    return result;
  // The passes behind it, one after the other.
  for (StringRef pass :
       {"cse", "te-set-compute-type", "te-set-boundary-type", "te-partition",
        "te-fuse", "canonicalize", "te-fuse-loss", "te-fuse-elementwise"}) {
    OwningOpRef<ModuleOp> copy(program.get().clone());
    if (Result result = passes.run(*copy, pass); !result)
      return result;
    if (Result result =
            compareFunctions(*program, *copy, "vjp", arguments, pass, tally);
        !result)
      return result;
    // Regions are for te-quantize alone.
    if (pass != "te-partition")
      program = std::move(copy);
  }
  return {};
}
