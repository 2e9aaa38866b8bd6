// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The pipelines by name, with the options of their structs' tables.

#include "te/Pipelines/Pipelines.h"

#include "mlir/Pass/PassOptions.h"
#include "mlir/Pass/PassRegistry.h"

using namespace mlir;
using namespace mlir::te;

namespace {
/// The values there are, or what stands for them.
std::string describeValues(const OptionInfo &option) {
  return option.choices.empty() ? option.valueName.str()
                                : llvm::join(option.getChoiceNames(), "|");
}

/// `Options` as MLIR reads the options of a pipeline: all are texts, which the
/// table takes.
template <typename Options>
class Flags : public PassPipelineOptions<Flags<Options>> {
  struct Parser : llvm::cl::parser<std::string> {
    using llvm::cl::parser<std::string>::parser;

    /// True after an error, which is printed.
    bool parse(llvm::cl::Option &option, StringRef name, StringRef text,
               std::string &value) {
      Options scratch;
      value = text.str();
      OptionProblem problem = setOption(scratch, option.ArgStr, text);
      return problem && option.error(*problem, name);
    }
  };
  using Flag =
      typename PassPipelineOptions<Flags>::template Option<std::string, Parser>;

public:
  Flags() {
    for (const OptionInfo &option : getOptions<Options>()) {
      add(option, option.name);
      if (!option.alias.empty())
        add(option, option.alias);
    }
  }

  Options get() const {
    Options options;
    for (const std::unique_ptr<Flag> &flag : flags)
      if (flag->hasValue())
        (void)setOption(options, flag->ArgStr, flag->getValue());
    return options;
  }

private:
  void add(const OptionInfo &option, StringRef name) {
    valueNames.push_back(std::make_unique<std::string>(describeValues(option)));
    flags.push_back(std::make_unique<Flag>(
        *this, name, llvm::cl::desc(option.help),
        llvm::cl::value_desc(*valueNames.back()),
        option.isFlag() ? llvm::cl::ValueOptional : llvm::cl::ValueRequired));
  }

  std::vector<std::unique_ptr<std::string>> valueNames;
  std::vector<std::unique_ptr<Flag>> flags;
};

struct LLVMPipelineOptions {
  std::string target = "cpu";
};
} // namespace

template <>
ArrayRef<OptionOf<LLVMPipelineOptions>>
mlir::te::getOptions<LLVMPipelineOptions>() {
  static const std::vector<OptionOf<LLVMPipelineOptions>> table = [] {
    OptionTable<LLVMPipelineOptions> table;
    table.add("target", "name", "What kernels are generated for",
              TE_OPTION_MEMBER(target));
    return table.take();
  }();
  return table;
}

/// Registers a pipeline that `build` makes of `Options`.
template <typename Options, typename Build>
static void registerPipeline(StringRef name, StringRef description,
                             Build build) {
  PassPipelineRegistration<Flags<Options>>(
      name, description,
      [build](OpPassManager &pm, const Flags<Options> &flags) {
        build(pm, flags.get());
      });
}

void mlir::te::registerTEPipelines() {
  registerPipeline<EntryOptions>(
      "te-differentiate",
      "From @forward to entry points: te-build-entries, te-add-loss, "
      "te-add-gradients, te-accumulate-gradients, te-clip-gradients, "
      "te-update-parameters",
      buildEntryPipeline);
  registerPipeline<GraphPipelineOptions>(
      "te-graph-pipeline",
      "From an imported @forward to quantized and fused entry points",
      [](OpPassManager &pm, const GraphPipelineOptions &options) {
        buildGraphPipeline(pm, options);
      });
  PassPipelineRegistration<>(
      "tert-bufferize",
      "Bufferize programs in place: tert-materialize-results, "
      "tert-separate-reads, tert-one-shot-bufferize, tert-lower-transposes, "
      "tert-forward-copies, tert-reuse-inputs, canonicalize, cse, "
      "tert-remove-self-copies, tert-join-dimensions",
      buildBufferizePipeline);
  registerPipeline<RuntimePipelineOptions>(
      "te-runtime-pipeline",
      "From entry points to runtime programs in an arena",
      [](OpPassManager &pm, const RuntimePipelineOptions &options) {
        buildRuntimePipeline(pm, options);
      });
  registerPipeline<LLVMPipelineOptions>(
      "te-llvm-pipeline", "From runtime programs to the LLVM dialect",
      [](OpPassManager &pm, const LLVMPipelineOptions &options) {
        buildLLVMPipeline(pm, options.target);
      });
  registerPipeline<TrainPipelineOptions>("te-train-pipeline",
                                         "From @forward to the LLVM dialect",
                                         buildTrainPipeline);
}
