// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Driver/Options.h"

#include "llvm/Support/Path.h"

using namespace mlir::te;
using llvm::ArrayRef;
using llvm::StringRef;

static constexpr NamedValue<Fp8Format> formats[] = {
    {"hybrid", Fp8Format::Hybrid, "E4M3 forward, E5M2 gradients (default)"},
    {"e4m3", Fp8Format::E4M3, "E4M3 everywhere"}};

static constexpr NamedValue<AmaxAlgo> amaxAlgos[] = {
    {"max", AmaxAlgo::Max, "the largest amax (default)"},
    {"most_recent", AmaxAlgo::MostRecent, "the newest"}};

static constexpr NamedValue<Reduction> reductions[] = {
    {"mean", Reduction::Mean, "their mean (default)"},
    {"sum", Reduction::Sum, "their sum"}};

static constexpr NamedValue<EmitKind> emitKinds[] = {
    {"so", EmitKind::SharedLibrary, "the artifact"},
    {"obj", EmitKind::Object, "an object file"},
    {"llvm", EmitKind::LLVM, "MLIR in the LLVM dialect"},
    {"tert", EmitKind::TERT, "the runtime program, memory planned"},
    {"te", EmitKind::TE, "the graph, quantized and fused"},
    {"linalg", EmitKind::Linalg,
     "the same in upstream dialects, for other compilers"}};

using Table = OptionTable<CompileOptions>;

static void addPlan(Table &table) {
  auto &plan = table.add(
      "plan", "",
      "Write no program, but what each rank of --mesh needs and a step takes, "
      "to standard output; --plan=json for programs (docs/planning.md)");
  plan.set = [](CompileOptions &options, StringRef text) -> OptionProblem {
    if (text != "" && text != "true" && text != "text" && text != "json")
      return "is not known; use --plan or --plan=json";
    options.plan = text == "json" ? PlanFormat::JSON : PlanFormat::Text;
    return std::nullopt;
  };
}

static void addTrainingRule(Table &table, StringRef name, bool freezes,
                            StringRef help) {
  auto &option = table.add(name, "glob", help);
  option.set = [freezes](CompileOptions &options,
                         StringRef text) -> OptionProblem {
    if (text.empty())
      return "names no parameter";
    options.training.push_back({freezes, text.str()});
    return std::nullopt;
  };
  option.get = [freezes](const CompileOptions &options) {
    std::vector<std::string> globs;
    for (const TrainingRule &rule : options.training)
      if (rule.freezes == freezes)
        globs.push_back(rule.glob);
    return options::print(globs);
  };
}

/// "20GiB" as a number of bytes.
static OptionProblem parseMemory(StringRef text,
                                 std::optional<int64_t> &bytes) {
  if (text == "auto") {
    bytes = CompileOptions::kMemoryOfDevice;
    return std::nullopt;
  }
  static constexpr std::pair<const char *, double> units[] = {
      {"KiB", 1ll << 10}, {"MiB", 1ll << 20}, {"GiB", 1ll << 30},
      {"TiB", 1ll << 40}, {"KB", 1e3},        {"MB", 1e6},
      {"GB", 1e9},        {"TB", 1e12}};
  double unit = 0, number;
  for (auto [name, size] : units)
    if (!unit && text.consume_back(name))
      unit = size;
  if (!unit || text.trim().getAsDouble(number) || !(number > 0) ||
      number * unit >= 9e18)
    return "is no size; write it as 20GiB or 500MiB";
  bytes = int64_t(number * unit);
  return std::nullopt;
}

/// In the order of help within each group.
static std::vector<OptionOf<CompileOptions>> makeOptions() {
  Table table;
  table.startGroup("", /*isRecorded=*/false);
  table.add("o", "file",
            "Where to write (- for standard output); without it the model's "
            "name with another ending, in the current folder",
            TE_OPTION_MEMBER(output));
  table.append(getOptions<TrainPipelineOptions>(),
               [](auto &options) -> auto & { return options; });
  table.startGroup("");
  table.add("init", "spec",
            "First values of parameters without data, such as normal:0.02; "
            "[GLOB=]KIND[,...], KIND normal:STD, uniform:LOW:HIGH, "
            "constant:VALUE, zeros or ones",
            TE_OPTION_MEMBER(init));
  table.startGroup("", /*isRecorded=*/false);
  table.add(
      "weights", "file",
      "Values of parameters by name, a safetensors file. For models that come "
      "without, such as StableHLO, and in place of those that a model has",
      TE_OPTION_MEMBER(weights));
  table.addChoice("emit", "What to write", emitKinds, TE_OPTION_MEMBER(emit));
  table.add("report", "file",
            "Write what became FP8, what did not, and why; what was fused, "
            "times, memory and slots, too; as JSON or as a page with pictures "
            "if the name ends in .json or .html, else as Markdown (- for "
            "standard output)",
            TE_OPTION_MEMBER(report));
  table.add("quiet", "", "Do not print the summary at the end",
            TE_OPTION_MEMBER(quiet));

  table.startGroup("Precision");
  table.addChoice("fp8-format", "FP8 formats", formats,
                  TE_OPTION_MEMBER(fp8Format));
  table.addNumber("amax-history", 1, "Amaxes kept per tensor (default 1024)",
                  TE_OPTION_MEMBER(amaxHistory));
  table.addChoice("amax-algo", "What delayed scaling takes of the history",
                  amaxAlgos, TE_OPTION_MEMBER(amaxAlgo));
  table.addNumber("margin", 0,
                  "Headroom of scales in powers of two (default 0)",
                  TE_OPTION_MEMBER(margin));

  table.startGroup("Speed and memory");
  auto &memory = table.add(
      "memory", "size",
      "Memory that the program may take, such as 20GiB, or auto, what a device "
      "of --cluster has: layers are FP8, and values are computed twice rather "
      "than kept, as far as that needs, whatever takes least time; an error if "
      "nothing fits (docs/memory.md)");
  memory.set = [](CompileOptions &options, StringRef text) {
    return parseMemory(text, options.memory);
  };
  memory.get = [](const CompileOptions &options) {
    return options::print(options.memory);
  };

  table.startGroup("Loss");
  table.addChoice("reduction", "How the loss joins its positions", reductions,
                  TE_OPTION_MEMBER(reduction));
  table.addNumber("ignore-index", std::numeric_limits<long>::min(),
                  "Label that does not count (default -100)",
                  TE_OPTION_MEMBER(ignoreIndex));
  table.add("label-smoothing", "x",
            "Share of a label's probability that goes to all classes alike, 0 "
            "to 1 (default 0)",
            TE_OPTION_MEMBER(labelSmoothing));
  table.add("z-loss", "x",
            "Factor of the squared log of the softmax's sum, which the loss "
            "adds (default 0; PaLM's is 1e-4)",
            TE_OPTION_MEMBER(zLoss));
  table.add("allow-lookahead", "",
            "With --loss=causal-lm, take a model whose attention is not "
            "causal, although its positions see the tokens that they predict",
            TE_OPTION_MEMBER(allowLookahead));

  table.startGroup("Training");
  table.addNumber(
      "microbatches", 1,
      "Let steps of train sum their gradients over microbatches, each a batch "
      "of the model, so many unless te-run train --accumulate says otherwise",
      TE_OPTION_MEMBER(microbatches));
  addTrainingRule(
      table, "freeze", /*freezes=*/true,
      "Parameters, by their names, that keep their values in training: they "
      "get no gradients and no optimizer states. May be repeated. Without it "
      "and --train-only the model says which are trained");
  addTrainingRule(table, "train-only", /*freezes=*/false,
                  "Parameters, by their names, that are trained, and no "
                  "others. May be repeated. Of this and --freeze, the last one "
                  "that is about a parameter holds");

  table.startGroup("Planning", /*isRecorded=*/false);
  addPlan(table);
  table.add(
      "cluster", "names",
      "Machines of --plan, and of the collectives in --report: predefined "
      "ones and JSON files with commas between them, a later one has the "
      "last word (default h200-8x400g; docs/planning.md)",
      TE_OPTION_MEMBER(cluster));
  table.addNumber("hosts-of", 1,
                  "Ranks on a host there, in place of the cluster's own",
                  TE_OPTION_MEMBER(hostSize));

  table.startGroup("Models in plain MLIR");
  table.add("model", "name",
            "Function that is the model; without it the one with te.model, "
            "@forward, or the only public one",
            TE_OPTION_MEMBER(plain.function));
  table.addList("parameters", "list",
                "Arguments of the model that are parameters, besides those "
                "with te.param: NUMBER, FIRST-LAST, NUMBER=NAME or a glob on "
                "names, separated by commas",
                TE_OPTION_MEMBER(plain.parameters));

  table.startGroup("Passes and dialects of others");
  table.add("load-dialect-plugin", "library",
            "Library that registers dialects, for models with ops of others "
            "(docs/embedding.md). May be repeated",
            TE_OPTION_MEMBER(dialectPlugins));
  table.add("load-pass-plugin", "library",
            "Library that registers passes. May be repeated",
            TE_OPTION_MEMBER(passPlugins));
  table.add("model-passes", "passes",
            "Passes on the model as it is read, before it is imported from "
            "plain MLIR, such as 'canonicalize,my-lowering'",
            TE_OPTION_MEMBER(modelPasses));
  table.add("graph-passes", "passes",
            "Passes on the graph when it is differentiated, quantized and "
            "fused, before it becomes runtime calls",
            TE_OPTION_MEMBER(graphPasses));

  table.startGroup("Output", /*isRecorded=*/false);
  table.add(
      "force", "",
      "Replace files that te-compile did not write, and those of the model",
      TE_OPTION_MEMBER(force));
  table.add("timing", "", "Print the time of every pass",
            TE_OPTION_MEMBER(timing));
  table.add("v", "", "Say what is done", TE_OPTION_MEMBER(verbose));
  return table.take();
}

template <>
ArrayRef<OptionOf<CompileOptions>> mlir::te::getOptions<CompileOptions>() {
  static const auto table = makeOptions();
  return table;
}

std::string mlir::te::getDefaultOutput(StringRef input, EmitKind emit) {
  if (input == "-")
    return {};
  static constexpr NamedValue<EmitKind> endings[] = {
      {".so", EmitKind::SharedLibrary, ""},
      {".o", EmitKind::Object, ""},
      {".llvm.mlir", EmitKind::LLVM, ""},
      {".tert.mlir", EmitKind::TERT, ""},
      {".te.mlir", EmitKind::TE, ""},
      {".linalg.mlir", EmitKind::Linalg, ""}};
  return llvm::sys::path::stem(input).str() +
         getOptionName(endings, emit).str();
}
