// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Driver/Compilation.h"

#include "CheckOptions.h"
#include "ChooseAttributes.h"
#include "Errors.h"
#include "ModelDigest.h"
#include "Plugins.h"
#include "TrainingRules.h"
#include "Weights.h"
#include "te/Analysis/Calibration.h"
#include "te/Analysis/IdRanges.h"
#include "te/Artifact/ArtifactDescription.h"
#include "te/Dialect/TE/IR/ArgumentAttrs.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TE/Transforms/Passes.h"
#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"
#include "te/Dialect/TE/Transforms/Training/Training.h"
#include "te/Driver/Input.h"
#include "te/Driver/Report.h"
#include "te/Frontend/ParameterInitialization.h"
#include "te/InitAll.h"
#include "te/Planning/Plan.h"
#include "te/Support/UnregisteredOps.h"
#include "te/Target/TargetInfo.h"

#include "artifact/Description.h"
#include "tert/types.h"
#include "tuning/TuningDatabase.h"

#include "mlir/IR/TypeUtilities.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::te;
namespace json = llvm::json;

std::unique_ptr<MLIRContext> mlir::te::createCompilationContext() {
  DialectRegistry registry;
  registerAllDialects(registry);
  registerModelDialects(registry);
  auto context =
      std::make_unique<MLIRContext>(registry, MLIRContext::Threading::DISABLED);
  context->printOpOnDiagnostic(false);
  context->loadDialect<TEDialect>();
  return context;
}

bool mlir::te::isSameFile(StringRef input, StringRef output) {
  return input == output || llvm::sys::fs::equivalent(input, output);
}

Compilation::Compilation(MLIRContext &context, CompileOptions options)
    : context(context), options(std::move(options)) {
  context.loadDialect<TEDialect>();
}

Compilation::~Compilation() = default;

//===----------------------------------------------------------------------===//
// Options
//===----------------------------------------------------------------------===//

LogicalResult Compilation::checkOptions() {
  GraphPipelineOptions &graph = options.graph;
  if (failed(loadPlugins(options, context)))
    return failure();
  OpPassManager passes(ModuleOp::getOperationName());
  if (failed(addModelPasses(passes)) || failed(addGraphPasses(passes)))
    return failure();
  target = findTarget(&context, options.target);
  if (!target)
    return error(context) << "there is no target '" << options.target
                          << "'; use " << listTargets(&context);
  if (graph.precision == ComputePrecision::FP8 && !target->multipliesFP8())
    return error(context) << target->getName() << " is "
                          << target->getDescription()
                          << ": compile with --precision=bf16, or for "
                          << listTargets(&context, [](const TargetInfo &other) {
                               return other.multipliesFP8();
                             });
  if (failed(checkPlan()) || failed(checkMicrobatches(options, context)))
    return failure();
  bool needsLoss = false;
  for (const std::string &entry : graph.entries) {
    const EntryKind *kind = findEntryKind(entry);
    if (!kind)
      return error(context) << "--entry=" << entry << " is not known; use "
                            << listEntryKinds();
    needsLoss |= kind->hasLoss;
  }
  if (!needsLoss)
    graph.loss = "none";
  else if (!(loss = chooseLoss(options, context)))
    return failure();
  optimizer = parseOptimizer(graph.optimizer, UnknownLoc::get(&context));
  if (!optimizer || failed(checkBoundary(options, context)) ||
      failed(checkMasters(options, context)) ||
      failed(checkMesh(options, context)) ||
      failed(checkCalibration(options, context)))
    return failure();
  if (!graph.tuning.empty() && !target->hasTuning())
    return error(context) << "--tuning is of no use with --target="
                          << target->getName()
                          << ", where nothing is tuned; leave it out, or use "
                             "--target="
                          << listTargets(&context, [](const TargetInfo &other) {
                               return other.hasTuning();
                             });
  if (options.output == "-" && options.emit == EmitKind::SharedLibrary &&
      !options.plan)
    return error(context) << "a shared library cannot go to standard output; "
                             "give -o a file, or use --emit=obj";
  return chooseRecipe(options, context);
}

/// A plan is no result, and one of machines on which no time is known of the
/// target is made for theirs.
LogicalResult Compilation::checkPlan() {
  const bool namesCluster = !options.cluster.empty() || options.hostSize;
  const bool asksDevice = options.memory == CompileOptions::kMemoryOfDevice;
  if (!options.plan && options.report.empty() && !asksDevice) {
    if (namesCluster)
      return error(context) << "--cluster and --hosts-of are of no use without "
                               "--plan, --report or --memory=auto";
    return success();
  }
  cluster = std::make_unique<Cluster>(getReferenceCluster());
  if (!options.cluster.empty()) {
    auto read = readCluster(options.cluster, UnknownLoc::get(&context));
    if (failed(read))
      return failure();
    *cluster = std::move(*read);
  }
  if (options.hostSize)
    cluster->hostSize = *options.hostSize;
  if (!options.plan)
    return success();
  if (!options.output.empty())
    return error(context) << "--plan writes no program, and there is nothing "
                             "for -o; leave one of them out (the plan goes to "
                             "standard output)";
  if (options.emit != EmitKind::SharedLibrary)
    return error(context)
           << "--plan and --emit are two results; leave one of them out";
  if (!llvm::is_contained(options.graph.entries, "train"))
    return error(context) << "--plan is of a training step; add train to "
                             "--entry";
  if (!target->getCostModel(&context) && cluster->target != options.target) {
    options.target = cluster->target;
    target = findTarget(&context, options.target);
    if (!target)
      return error(context)
             << "the cluster '" << cluster->name << "' has the target '"
             << cluster->target << "', which there is not; the targets are "
             << listTargets(&context);
  }
  options.output = "-";
  return success();
}

LogicalResult Compilation::chooseOutput() {
  if (options.output.empty())
    options.output = getDefaultOutput(input, options.emit);
  if (!options.output.empty())
    return success();
  // A model on standard input has no name to make another of.
  if (options.emit == EmitKind::SharedLibrary)
    return error(context) << "the model comes from standard input; say with -o "
                             "the path of the shared library";
  options.output = "-";
  return success();
}

/// The database that decides about fusions: as te-run finds its own.
LogicalResult Compilation::chooseTuning() {
  if (!target->getCostModel(&context))
    return success();
  std::string &tuning = options.graph.tuning;
  bool isGiven = !tuning.empty();
  options.graph.costTarget = target->getName().str();
  if (!isGiven && options.output != "-" && target->hasTuning())
    tuning = ::tert::session::defaultTuningPath(options.output);
  if (!llvm::sys::fs::exists(tuning)) {
    if (isGiven)
      return error(context) << "there is no tuning database '" << tuning
                            << "'; 'te-run tune' makes one";
    tuning.clear();
  }
  if (options.verbose)
    emitRemark(UnknownLoc::get(&context))
        << "fusions are decided by "
        << (tuning.empty() ? "built-in measurements"
                           : "the tuning database '" + tuning + "'");
  return success();
}

//===----------------------------------------------------------------------===//
// Models
//===----------------------------------------------------------------------===//

LogicalResult Compilation::load(StringRef path) {
  auto buffer = readModelFile(path);
  if (!buffer)
    return error(context) << llvm::toString(buffer.takeError());
  return load(std::move(*buffer));
}

LogicalResult Compilation::load(std::unique_ptr<llvm::MemoryBuffer> buffer) {
  input = buffer->getBufferIdentifier().str();
  FailureOr<ImportedModel> read =
      readModel(std::move(buffer), context, options.plain,
                [&](OpPassManager &pm) { return addModelPasses(pm); });
  if (failed(read))
    return failure();
  model = std::move(*read);
  if (!options.weights.empty() &&
      failed(findWeights(context, options.weights, model.parameters)))
    return failure();
  modelDigest = digestOf(*model.module);
  if (failed(applyTrainingRules(
          model.module->lookupSymbol<func::FuncOp>("forward"),
          options.training)) ||
      failed(chooseOutput()) || failed(chooseTuning()))
    return failure();
  selectBuffers();
  return checkParameters();
}

/// Leaves the buffers that the program keeps: they are for exports of
/// checkpoints, which only training writes.
void Compilation::selectBuffers() {
  if (!hasEntry(options.graph.entries, &EntryKind::hasUpdates))
    model.buffers.clear();
  llvm::erase_if(model.buffers, [&](const ParameterData &buffer) {
    const bool isTooDeep = buffer.type.getRank() > TERT_MAX_RANK;
    if (isTooDeep)
      emitWarning(UnknownLoc::get(&context))
          << "the buffer '" << buffer.name << "' has " << buffer.type.getRank()
          << " dimensions, and more than " << TERT_MAX_RANK
          << " are not kept: 'te-run export' will leave it out";
    return isTooDeep;
  });
}

/// Gives every parameter a first value: its data, or what --init says.
LogicalResult Compilation::checkParameters() {
  std::optional<InitializationRules> rules;
  if (!options.init.empty()) {
    std::string message;
    FailureOr<InitializationRules> parsed =
        InitializationRules::parse(options.init, message);
    if (failed(parsed))
      return error(context) << "--init: " << message;
    rules = std::move(*parsed);
  }

  auto forward = model.module->lookupSymbol<func::FuncOp>("forward");
  if (rules)
    for (const std::string &pattern : rules->findUnmatched(forward))
      emitWarning(UnknownLoc::get(&context))
          << "--init: no parameter matches '" << pattern << "'";
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
  // A plan does not depend on them.
  if (missing.empty() || options.plan)
    return success();
  std::string list;
  for (const std::string &name : ArrayRef(missing).take_front(8))
    list += "\n  " + name;
  if (missing.size() > 8)
    list += "\n  and " + std::to_string(missing.size() - 8) + " more";
  return error(context) << missing.size() << " parameters have no data:" << list
                        << "\nput the model's data next to it, name the file "
                           "that has them with --weights, or make the "
                           "parameters with --init, for example "
                           "--init=normal:0.02";
}

//===----------------------------------------------------------------------===//
// Passes
//===----------------------------------------------------------------------===//

LogicalResult Compilation::addModelPasses(OpPassManager &pm) {
  return addPasses(pm, options.modelPasses, "--model-passes", context);
}

LogicalResult Compilation::addGraphPasses(OpPassManager &pm) {
  return addPasses(pm, options.graphPasses, "--graph-passes", context);
}

LogicalResult
Compilation::runPipeline(function_ref<void(OpPassManager &)> build) {
  PassManager pm(&context);
  if (timing)
    pm.enableTiming(*timing);
  build(pm);
  return pm.run(*model.module);
}

void Compilation::recordParameterTypes() {
  for (auto func : model.module->getOps<func::FuncOp>())
    for (BlockArgument argument : func.getArguments())
      if (auto name = getArgumentAttr<StringAttr>(argument, kParamAttr))
        parameterTypes[name] = getElementTypeOrSelf(argument.getType());
}

StringRef Compilation::getSourceName() const {
  return input == "-" ? "standard input" : llvm::sys::path::filename(input);
}

LogicalResult Compilation::describe() {
  CompilationRecord record;
  record.target = options.target;
  record.source = getSourceName().str();
  record.options = recordOptions(options);
  if (hasEntry(options.graph.entries, &EntryKind::hasUpdates))
    record.optimizer = optimizer;
  record.loss = loss;
  for (const ParameterData &buffer : model.buffers)
    record.buffers.push_back({buffer.name, buffer.type});
  FailureOr<json::Object> described =
      describeArtifact(*model.module, std::move(record));
  if (failed(described))
    return failure();
  description = std::move(*described);
  description["model"] = modelDigest;
  std::string text =
      llvm::formatv("{0}", json::Value(json::Object(description)));
  (*model.module)->setAttr(kDescriptionAttr, StringAttr::get(&context, text));
  // te-run must be able to read it. What can be wrong with a model is an error
  // before, that says more.
  if (auto read = ::tert::session::parseDescription(text); !read)
    return error(context) << "the runtime cannot read this program: "
                          << read.takeError().message()
                          << ". This is a defect of the compiler";
  return success();
}

/// Runs the graph's passes on the model; `costs` are those of the target, if it
/// was measured.
LogicalResult Compilation::runGraph(CostModelAttrInterface &costs) {
  if (options.allowLookahead)
    (*model.module)->setAttr(kAllowLookaheadAttr, UnitAttr::get(&context));
  options.graph.recompute = options.runtime.recompute;
  if (failed(runPipeline([&](OpPassManager &pm) {
        buildGraphPipeline(pm, options.graph);
        (void)addGraphPasses(pm); // checkOptions() has parsed them.
      })))
    return failure();
  (*model.module)->removeAttr(kAllowLookaheadAttr);
  if (report && !options.report.empty())
    report->addProgram(*model.module);
  else if (report)
    report->addCosts(*model.module);
  if (report && !options.graph.calibration.empty()) {
    // te-partition has read it.
    llvm::Expected<Calibration> calibration =
        Calibration::read(options.graph.calibration);
    if (!calibration)
      return error(context) << llvm::toString(calibration.takeError());
    report->addCalibration(std::move(*calibration));
  }
  costs = dyn_cast_if_present<CostModelAttrInterface>(
      (*model.module)->removeAttr(kCostsAttr));
  recordParameterTypes();
  return success();
}

/// Runs the passes from the graph to planned memory, with the costs of the
/// target if they are known.
LogicalResult Compilation::runRuntime(CostModelAttrInterface costs) {
  // Behind it, tables are buffers like any others.
  declareIdRanges(*model.module);
  if (costs)
    (*model.module)->setAttr(kCostsAttr, costs);
  if (failed(runPipeline([&](OpPassManager &pm) {
        buildRuntimePipeline(pm, options.runtime);
      })))
    return failure();
  (*model.module)->removeAttr(kCostsAttr);
  return describe();
}

LogicalResult Compilation::run() {
  // Ops of dialects that are not known are listed together, by te-to-tert.
  const AllowUnregistered allowed(context);
  if (options.memory && failed(fitMemory()))
    return failure();
  const bool hasReport = !options.report.empty();
  if (hasReport || hasSummary) {
    auto collected = Report::collect(context);
    if (failed(collected))
      return error(context) << "cannot collect remarks, which are enabled on "
                               "the context already";
    report = std::move(*collected);
  }
  CostModelAttrInterface costs;
  if (failed(runGraph(costs)))
    return failure();
  if (options.emit == EmitKind::TE)
    return success();
  if (options.emit == EmitKind::Linalg)
    return runPipeline(
        [](OpPassManager &pm) { pm.addPass(createTEToLinalg()); });
  if (failed(runRuntime(costs)))
    return failure();
  if (options.plan || hasReport) {
    FailureOr<Plan> made = makePlan(*model.module, description, costs, *cluster,
                                    options.microbatches.value_or(1));
    if (failed(made))
      return failure();
    plan = std::make_unique<Plan>(std::move(*made));
    for (auto [bytes, seconds] : alternatives)
      plan->alternatives.push_back({bytes, seconds});
  }
  if (options.plan)
    return success();
  if (options.emit == EmitKind::TERT)
    return success();
  return runPipeline(
      [&](OpPassManager &pm) { buildLLVMPipeline(pm, target->getName()); });
}
