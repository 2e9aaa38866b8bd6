// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an embedder's compiler does with a dialect of its own: @forward of a
// text, through the pipelines, to an artifact.

#include "Foreign/Foreign.h"

#include "te/Driver/Compilation.h"
#include "te/Driver/Input.h"
#include "te/InitAll.h"

#include "llvm/Support/CommandLine.h"

using namespace mlir;
using namespace mlir::te;
namespace cl = llvm::cl;

int main(int argc, char **argv) {
  cl::opt<std::string> input(cl::Positional, cl::Required);
  cl::opt<std::string> output(
      "o", cl::desc("Artifact; the graph is printed without it"));
  cl::opt<std::string> entry("entry", cl::init("train"));
  cl::opt<std::string> precision("precision", cl::init("fp8"));
  cl::ParseCommandLineOptions(argc, argv);

  CompileOptions options;
  options.graph.entries = {entry};
  options.loss = "cross-entropy";
  options.graph.precision = precision == "f32"    ? ComputePrecision::F32
                            : precision == "bf16" ? ComputePrecision::BF16
                                                  : ComputePrecision::FP8;
  options.output = output.empty() ? std::string("-") : output.getValue();
  options.emit = output.empty() ? EmitKind::TE : EmitKind::SharedLibrary;

  DialectRegistry registry;
  registerAllDialects(registry);
  registerModelDialects(registry);
  test::registerForeignDialect(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  Compilation compilation(context, std::move(options));
  return failed(compilation.checkOptions()) ||
         failed(compilation.load(input)) || failed(compilation.run()) ||
         failed(compilation.emit());
}
