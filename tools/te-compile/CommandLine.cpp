// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CommandLine.h"

#include "te/Target/TargetInfo.h"

#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace mlir::te;

static const char head[] =
    R"(te-compile: compiles a transformer's training step, FP8 where it is safe, into
a native program for te-run.

USAGE: te-compile [options] MODEL

MODEL is an ONNX model or MLIR with a function @forward, - for standard input.

OPTIONS:
)";

static const char examples[] = R"(
EXAMPLES:
  te-compile gpt2.onnx
      a training step in FP8 (delayed scaling) for this machine's CPU: gpt2.so,
      and the parameters' values beside it
  te-compile gpt2.onnx --init normal:0.02 -o out/gpt2.so
      the same for a model without weights, elsewhere
  te-compile gpt2.onnx --entry grad --precision f32 --loss cross-entropy -o g.so
      loss and gradients, to compare with a framework
  te-compile gpt2.onnx --policy 'transformer.h.0.*=high,lm_head=fp8' \
      --report report.md
      first layer in high precision, LM head in FP8; say what was decided
  te-compile gpt2.onnx --emit te -o -
      the graph after quantization and fusion

Exit codes: 0 it is done, 1 the model cannot be compiled, 2 wrong usage.
)";

namespace {
class Parser {
public:
  explicit Parser(ArrayRef<const char *> arguments) : arguments(arguments) {}

  CommandLine run() {
    while (!arguments.empty() && result.error.empty() &&
           result.action == CommandLine::Action::Compile)
      takeOne();
    if (result.error.empty() && result.input.empty() &&
        result.action == CommandLine::Action::Compile)
      result.error = "there is no model to compile";
    return std::move(result);
  }

private:
  StringRef next() {
    StringRef argument = arguments.front();
    arguments = arguments.drop_front();
    return argument;
  }

  void takeOne() {
    StringRef argument = next();
    if (onlyModels || argument == "-" || !argument.starts_with("-"))
      return takeModel(argument);
    if (argument == "--") {
      onlyModels = true;
      return;
    }
    argument.consume_front("-");
    argument.consume_front("-");
    auto [name, value] = argument.split('=');
    bool hasValue = argument.contains('=');
    if (name == "help" || name == "h") {
      result.action = CommandLine::Action::Help;
      return;
    }
    if (name == "version") {
      result.action = CommandLine::Action::Version;
      return;
    }
    const CompileOption *option = findCompileOption(name);
    if (option && !option->isFlag() && !hasValue) {
      if (arguments.empty()) {
        result.error = ("the option '" + name + "' needs a value").str();
        return;
      }
      value = next();
    }
    if (auto problem = setCompileOption(result.options, name, value))
      result.error = *problem;
  }

  void takeModel(StringRef path) {
    if (!result.input.empty())
      result.error = ("two models are given, '" + result.input + "' and '" +
                      path + "'; te-compile compiles one")
                         .str();
    result.input = path.str();
  }

  ArrayRef<const char *> arguments;
  bool onlyModels = false;
  CommandLine result;
};
} // namespace

CommandLine mlir::te::parseCommandLine(ArrayRef<const char *> arguments) {
  return Parser(arguments).run();
}

/// `text` in lines that begin in `column`.
static void printWrapped(llvm::raw_ostream &os, StringRef text,
                         unsigned column) {
  constexpr unsigned width = 80;
  unsigned position = column;
  for (StringRef word : llvm::split(text, ' ')) {
    if (position > column && position + 1 + word.size() > width) {
      os << "\n";
      os.indent(column);
      position = column;
    }
    if (position > column) {
      os << ' ';
      ++position;
    }
    os << word;
    position += word.size();
  }
  os << "\n";
}

/// `left`, and `text` from a column on that is the same for all.
static void printEntry(llvm::raw_ostream &os, StringRef left, StringRef text) {
  constexpr unsigned column = 26;
  os << left;
  if (left.size() + 2 > column) {
    os << "\n";
    os.indent(column);
  } else {
    os.indent(column - left.size());
  }
  printWrapped(os, text, column);
}

void mlir::te::printHelp(llvm::raw_ostream &os, MLIRContext &context) {
  os << head;
  for (const CompileOption &option : getCompileOptions()) {
    std::string left = "  -";
    if (option.name.size() > 1)
      left += '-';
    left += option.name;
    if (!option.isFlag())
      left += ("=<" + option.valueName + ">").str();
    printEntry(os, left, option.help);
    for (const CompileOption::Choice &choice : option.choices)
      printEntry(os, ("      " + choice.name).str(), choice.help);
    if (option.name == "target")
      for (const auto &target :
           TargetRegistry::get(*context.getLoadedDialect<TEDialect>())
               .getTargets())
        printEntry(
            os, ("      " + target->getName()).str(),
            (target->getDescription() +
             (target->getName() == CompileOptions().target ? " (default)" : ""))
                .str());
  }
  printEntry(os, "  --help", "Show this");
  printEntry(os, "  --version", "Show the versions of TE-MLIR and of its MLIR");
  os << examples;
}
