// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler driver: a model in, an artifact out.

#include "Options.h"
#include "Report.h"
#include "Weights.h"

#include "session/TuningDatabase.h"

#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"
#include "te/Frontend/ONNX/ImportONNX.h"
#include "te/Frontend/ParameterInitialization.h"
#include "te/InitAll.h"
#include "te/Pipelines/Pipelines.h"
#include "te/Target/ArtifactDescription.h"
#include "te/Target/MachineCode.h"
#include "te/Target/SharedLibrary.h"

#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

using namespace mlir;
using namespace mlir::te;

namespace cl = llvm::cl;
namespace json = llvm::json;

static const char examples[] = R"(
EXAMPLES:
  te-compile gpt2.onnx -o gpt2.so
      a training step in FP8 (delayed scaling) for this machine's CPU
  te-compile gpt2.onnx --init normal:0.02 -o gpt2.so
      the same for a model without weights
  te-compile gpt2.onnx --entry grad --precision f32 --loss cross-entropy -o g.so
      loss and gradients, to compare with a framework
  te-compile gpt2.onnx --policy 'transformer.h.0.*=high,lm_head=fp8' \
      --report - -o gpt2.so
      first layer in high precision, LM head in FP8; say what was decided
  te-compile gpt2.onnx --emit te -o -
      the graph after quantization and fusion
)";

namespace {
/// One run of the compiler: every step reports its own errors.
class Compilation {
public:
  Compilation(const CompileOptions &options, MLIRContext &context)
      : options(options), context(context) {}

  LogicalResult run();

private:
  LogicalResult checkOptions();
  LogicalResult chooseTuning();
  LogicalResult checkBoundary();
  LogicalResult load();
  LogicalResult checkParameters();
  LogicalResult runPipeline(function_ref<void(OpPassManager &)> build);
  void recordParameterTypes();
  LogicalResult describe();
  LogicalResult write();
  LogicalResult writeText(function_ref<LogicalResult(raw_ostream &)> print,
                          StringRef path);

  const CompileOptions &options;
  MLIRContext &context;
  GraphPipelineOptions graphOptions;
  ImportedModel model;
  ParameterTypes parameterTypes;
  json::Object description;
  std::unique_ptr<Report> report;
};
} // namespace

static LogicalResult error(const Twine &message) {
  llvm::WithColor::error(llvm::errs(), "te-compile") << message << "\n";
  return failure();
}

LogicalResult Compilation::checkOptions() {
  if (options.amaxHistory == 0)
    return error("--amax-history must be at least 1");

  if (!options.entries.empty())
    graphOptions.entries.assign(options.entries.begin(), options.entries.end());
  bool needsLoss = false;
  for (const std::string &entry : graphOptions.entries) {
    const EntryKind *kind = findEntryKind(entry);
    if (!kind)
      return error("--entry=" + entry + " is not known; use " +
                   listEntryKinds());
    needsLoss |= kind->hasLoss;
  }
  graphOptions.loss = {options.loss, options.reduction, options.ignoreIndex};
  if (needsLoss && options.loss == LossKind::None)
    return error("--entry=train, grad and eval need a loss; use "
                 "--loss=causal-lm or cross-entropy, or --entry=vjp");
  if (!needsLoss)
    graphOptions.loss.kind = LossKind::None;
  graphOptions.optimizer = options.optimizer;
  graphOptions.precision = options.precision;
  graphOptions.boundary = options.boundary;
  if (failed(checkBoundary()))
    return failure();
  graphOptions.policy = options.policy;
  if (failed(chooseTuning()))
    return failure();
  StringRef format = optionValueName(options.fp8Format);
  if (options.recipe == Recipe::Current) {
    for (const llvm::cl::Option *option :
         {static_cast<const llvm::cl::Option *>(&options.amaxHistory),
          static_cast<const llvm::cl::Option *>(&options.amaxAlgo),
          static_cast<const llvm::cl::Option *>(&options.margin)})
      if (option->getNumOccurrences())
        return error("--" + option->ArgStr +
                     " is a parameter of --recipe=delayed; "
                     "--recipe=current has none but --fp8-format");
    graphOptions.recipe =
        llvm::formatv("#te.current_scaling<format = {0}>", format);
  } else {
    graphOptions.recipe = llvm::formatv(
        "#te.delayed_scaling<history = {0}, algo = {1}, margin = "
        "{2}, format = {3}>",
        options.amaxHistory.getValue(), optionValueName(options.amaxAlgo),
        options.margin.getValue(), format);
  }
  return success();
}

/// The database that decides about fusions: as te-run finds its own.
LogicalResult Compilation::chooseTuning() {
  if (options.target == Target::CPU) {
    if (options.tuning.empty())
      return success();
    return error("--tuning is of no use with --target=cpu, where nothing is "
                 "tuned; leave it out, or use --target=sm_90");
  }
  graphOptions.costTarget = optionValueName(options.target).str();
  graphOptions.tuning = options.tuning;
  if (options.tuning.empty() && options.output != "-")
    graphOptions.tuning = tert::session::defaultTuningPath(options.output);
  if (!llvm::sys::fs::exists(graphOptions.tuning)) {
    if (!options.tuning.empty())
      return error("there is no tuning database '" + options.tuning +
                   "'; 'te-run tune' makes one");
    graphOptions.tuning.clear();
  }
  if (options.verbose)
    llvm::errs() << "te-compile: fusions are decided by "
                 << (graphOptions.tuning.empty()
                         ? "built-in measurements"
                         : "the tuning database '" + graphOptions.tuning + "'")
                 << "\n";
  return success();
}

LogicalResult Compilation::checkBoundary() {
  if (options.boundary == BoundaryType::F32)
    return success();
  if (llvm::is_contained(graphOptions.entries, "train"))
    return error("--boundary=bf16 does not go with --entry=train: the "
                 "parameters are the optimizer's masters and stay f32; leave "
                 "--boundary out, or compile --entry=grad, vjp or forward");
  if (options.precision == ComputePrecision::F32)
    return error("--boundary=bf16 does not go with --precision=f32, which "
                 "computes what a framework does without rounding; use "
                 "--precision=bf16 or fp8");
  return success();
}

LogicalResult Compilation::load() {
  std::string message;
  std::unique_ptr<llvm::MemoryBuffer> buffer =
      openInputFile(options.input, &message);
  if (!buffer)
    return error(message);
  if (looksLikeONNX(buffer->getMemBufferRef())) {
    FailureOr<ImportedModel> imported =
        importONNX(buffer->getMemBufferRef(), &context);
    if (failed(imported))
      return failure();
    model = std::move(*imported);
    return success();
  }

  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(buffer), llvm::SMLoc());
  model.module = parseSourceFile<ModuleOp>(sources, &context);
  if (!model.module)
    return error("cannot read '" + options.input +
                 "': it is neither an ONNX model nor MLIR (see above)");
  auto forward = model.module->lookupSymbol<func::FuncOp>("forward");
  if (!forward)
    return error("'" + options.input + "' has no function @forward");
  // A graph in text comes without data.
  for (unsigned i = 0; i < forward.getNumArguments(); ++i)
    if (auto name = forward.getArgAttrOfType<StringAttr>(i, kParamAttr)) {
      ParameterData parameter;
      parameter.name = name.str();
      parameter.type = cast<RankedTensorType>(forward.getArgument(i).getType());
      model.parameters.push_back(std::move(parameter));
    }
  return success();
}

/// Gives every parameter a first value: its data, or what --init says.
LogicalResult Compilation::checkParameters() {
  std::optional<InitializationRules> rules;
  if (!options.init.empty()) {
    std::string message;
    FailureOr<InitializationRules> parsed =
        InitializationRules::parse(options.init, message);
    if (failed(parsed))
      return error("--init: " + message);
    rules = std::move(*parsed);
  }

  auto forward = model.module->lookupSymbol<func::FuncOp>("forward");
  llvm::StringMap<const ParameterData *> data;
  for (const ParameterData &parameter : model.parameters)
    data[parameter.name] = &parameter;
  std::vector<std::string> missing;
  for (unsigned i = 0; i < forward.getNumArguments(); ++i) {
    auto name = forward.getArgAttrOfType<StringAttr>(i, kParamAttr);
    if (!name)
      continue;
    auto found = data.find(name);
    if (found != data.end() &&
        found->second->kind != ParameterData::Kind::Absent) {
      forward.setArgAttr(i, kInitAttr, StringAttr::get(&context, "data"));
      continue;
    }
    // Text may already say how a parameter starts.
    if (auto init = forward.getArgAttr(i, kInitAttr);
        init && init != StringAttr::get(&context, "data") && !rules)
      continue;
    if (!rules || failed(rules->apply(forward, i)))
      missing.push_back(name.str());
  }
  if (missing.empty())
    return success();
  std::string list;
  for (const std::string &name : ArrayRef(missing).take_front(8))
    list += "\n  " + name;
  if (missing.size() > 8)
    list += "\n  and " + std::to_string(missing.size() - 8) + " more";
  return error(Twine(missing.size()) + " parameters have no data:" + list +
               "\nput the model's data beside it, or make the parameters with "
               "--init, for example --init=normal:0.02");
}

LogicalResult
Compilation::runPipeline(function_ref<void(OpPassManager &)> build) {
  PassManager pm(&context);
  if (options.timing)
    pm.enableTiming();
  build(pm);
  return pm.run(*model.module);
}

/// What the graph's passes made of the parameters.
void Compilation::recordParameterTypes() {
  for (auto func : model.module->getOps<func::FuncOp>())
    for (BlockArgument argument : func.getArguments())
      if (auto name = func.getArgAttrOfType<StringAttr>(argument.getArgNumber(),
                                                        kParamAttr))
        parameterTypes[name] = getElementTypeOrSelf(argument.getType());
}

LogicalResult Compilation::describe() {
  CompilationRecord record;
  record.target = optionValueName(options.target).str();
  record.source = options.input == "-"
                      ? "standard input"
                      : llvm::sys::path::filename(options.input).str();
  record.options =
      json::Object{{"precision", optionValueName(options.precision)},
                   {"boundary", optionValueName(options.boundary)},
                   {"entries", json::Array(graphOptions.entries)},
                   {"policy", options.policy.getValue()},
                   {"init", options.init.getValue()},
                   {"optimizer", optionValueName(options.optimizer)}};
  if (graphOptions.loss.kind != LossKind::None)
    record.loss =
        json::Object{{"kind", optionValueName(options.loss)},
                     {"reduction", optionValueName(options.reduction)},
                     {"ignore_index", options.ignoreIndex.getValue()}};
  FailureOr<json::Object> described =
      describeArtifact(*model.module, std::move(record));
  if (failed(described))
    return failure();
  description = std::move(*described);
  std::string text =
      llvm::formatv("{0}", json::Value(json::Object(description)));
  (*model.module)->setAttr(kDescriptionAttr, StringAttr::get(&context, text));
  return success();
}

LogicalResult
Compilation::writeText(function_ref<LogicalResult(raw_ostream &)> print,
                       StringRef path) {
  std::string message;
  std::unique_ptr<llvm::ToolOutputFile> file = openOutputFile(path, &message);
  if (!file)
    return error(message);
  if (failed(print(file->os())))
    return failure();
  file->os().flush();
  if (file->os().has_error()) {
    std::string reason = file->os().error().message();
    file->os().clear_error();
    return error("cannot write '" + path + "': " + reason);
  }
  file->keep();
  return success();
}

LogicalResult Compilation::write() {
  if (options.emit == EmitKind::TE || options.emit == EmitKind::TERT ||
      options.emit == EmitKind::LLVM)
    return writeText(
        [&](raw_ostream &os) {
          OpPrintingFlags flags;
          flags.elideLargeElementsAttrs(64);
          model.module->print(os, flags);
          os << "\n";
          return success();
        },
        options.output);

  auto object = compileToObject(*model.module);
  if (failed(object))
    return failure();
  if (options.emit == EmitKind::Object) {
    if (failed(writeText(
            [&](raw_ostream &os) {
              os.write(object->data(), object->size());
              return success();
            },
            options.output)))
      return failure();
  } else {
    if (options.output == "-")
      return error("a shared library cannot go to standard output; give -o a "
                   "file, or use --emit=obj");
    if (failed(linkSharedLibrary(*model.module, *object, options.output)))
      return failure();
  }
  if (options.output == "-")
    return success();
  llvm::SmallString<128> weights(options.output.getValue());
  llvm::sys::path::replace_extension(weights, "safetensors");
  return writeWeights(model.module->getLoc(), model.parameters, parameterTypes,
                      weights);
}

LogicalResult Compilation::run() {
  if (failed(checkOptions()) || failed(load()) || failed(checkParameters()))
    return failure();
  if (!options.report.empty()) {
    auto collected = Report::collect(context);
    if (failed(collected))
      return error("cannot collect remarks for --report");
    report = std::move(*collected);
  }

  if (failed(runPipeline(
          [&](OpPassManager &pm) { buildGraphPipeline(pm, graphOptions); })))
    return failure();
  if (report)
    report->addCosts(*model.module);
  (*model.module)->removeAttr(kCostsAttr);
  recordParameterTypes();
  if (options.emit != EmitKind::TE) {
    if (failed(runPipeline(buildRuntimePipeline)) || failed(describe()))
      return failure();
    if (options.emit != EmitKind::TERT &&
        failed(runPipeline([&](OpPassManager &pm) {
          buildLLVMPipeline(pm, optionValueName(options.target));
        })))
      return failure();
  }
  if (failed(write()))
    return failure();
  if (report)
    return writeText(
        [&](raw_ostream &os) {
          report->write(os, description);
          return success();
        },
        options.report);
  return success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  CompileOptions options;
  cl::HideUnrelatedOptions(options.category);
  cl::extrahelp more(examples);
  cl::ParseCommandLineOptions(
      argc, argv,
      "te-compile: compiles a transformer's training step, FP8 where it is "
      "safe, into a native program for te-run.\n");

  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler diagnostics(sources, &context, llvm::errs());
  return failed(Compilation(options, context).run());
}
