// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "command-line/CommandLine.h"
#include "te/Target/TargetInfo.h"

#include "llvm/Config/llvm-config.h"

using namespace mlir;
using namespace mlir::te;

static const char footer[] =
    R"(Examples:
  te-compile gpt2.onnx
      a training step in FP8 (delayed scaling) for this machine's CPU: gpt2.so,
      and the parameters' values beside it
  te-compile gpt2.onnx --init normal:0.02 -o out/gpt2.so
      the same for a model without weights, elsewhere
  te-compile gpt2.onnx --policy 'transformer.h.0.*=high' --report report.md
      the first layer in high precision; say what was decided
  te-compile gpt2.onnx --emit te -o -
      the graph after quantization and fusion
Exit codes: 0 done, 1 the model cannot be compiled, 2 wrong usage.)";

/// "FILE", "fp8|bf16|f32", or "" for a flag.
static std::string nameValue(const OptionInfo &option) {
  if (option.valueName == "choice")
    return llvm::join(option.getChoiceNames(), "|");
  return option.valueName.upper();
}

static std::string print(const llvm::json::Value &value) {
  if (const llvm::json::Array *list = value.getAsArray())
    return llvm::join(llvm::map_range(*list, print), ",");
  if (auto text = value.getAsString())
    return text->str();
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return value.kind() == llvm::json::Value::Null ? "" : text;
}

static void addOption(CLI::App &app, CompileOptions &options,
                      const OptionOf<CompileOptions> &option) {
  std::string help = option.help.str();
  for (const OptionInfo::Choice &choice : option.choices)
    help += ("\n" + choice.name + "  " + choice.help).str();
  CLI::Option *added = app.add_option(
      option.getFlag(),
      [&options, &option](const CLI::results_t &values) {
        for (const std::string &value : values)
          if (OptionProblem problem = option.set(options, value))
            throw tert::cli::UsageError(
                explainProblem(option, value, *problem));
        return true;
      },
      help);
  // As they are given: of some options a later one changes an earlier one.
  added->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->trigger_on_parse()
      ->type_name(nameValue(option));
  if (option.isFlag())
    added->expected(0);
  else if (option.get)
    added->default_str(print(option.get(CompileOptions())));
  if (!option.group.empty())
    added->group(option.group.str());
}

std::optional<int> mlir::te::parseCommandLine(int argc, char **argv,
                                              MLIRContext &context,
                                              CommandLine &line) {
  CLI::App app("Compiles a transformer's training step, FP8 where it is safe, "
               "into a native program for te-run.",
               "te-compile");
  tert::cli::addCommonOptions(app, "TE-MLIR " TE_VERSION
                                   " (MLIR " LLVM_VERSION_STRING ")");
  app.add_option("MODEL", line.input,
                 "An ONNX model, StableHLO, or MLIR (- for standard input); "
                 "MLIR has a function @forward")
      ->required();
  std::vector<OptionOf<CompileOptions>> table(getOptions<CompileOptions>());
  for (OptionOf<CompileOptions> &option : table) {
    if (option.isOfPipelines)
      continue;
    if (option.name == "target")
      for (const auto &target :
           TargetRegistry::get(*context.getLoadedDialect<TEDialect>())
               .getTargets())
        option.choices.push_back({target->getName(), target->getDescription()});
    addOption(app, line.options, option);
  }
  app.footer(footer);
  return tert::cli::parse(app, argc, argv);
}
