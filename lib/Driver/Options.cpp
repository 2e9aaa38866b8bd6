// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Driver/Options.h"

#include "te/Dialect/TE/Transforms/Training/EntryKinds.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <cmath>

using namespace mlir::te;
using llvm::ArrayRef;
using llvm::StringRef;

//===----------------------------------------------------------------------===//
// Kinds of options
//===----------------------------------------------------------------------===//

namespace {
template <typename Enum> struct NamedValue {
  StringRef name;
  Enum value;
  StringRef help;
};
using Problem = std::optional<std::string>;
} // namespace

template <typename Enum, size_t count>
static StringRef findName(const NamedValue<Enum> (&values)[count], Enum value) {
  for (const NamedValue<Enum> &candidate : values)
    if (candidate.value == value)
      return candidate.name;
  return {};
}

/// One of `values`; `place` returns the member that takes it.
template <typename Enum, size_t count, typename Place>
static CompileOption choice(StringRef name, StringRef help,
                            const NamedValue<Enum> (&values)[count],
                            Place place) {
  CompileOption option{name, "choice", help, {}, {}};
  for (const NamedValue<Enum> &value : values)
    option.choices.push_back({value.name, value.help});
  option.set = [&values, place](CompileOptions &options,
                                StringRef text) -> Problem {
    for (const NamedValue<Enum> &value : values)
      if (value.name == text) {
        place(options) = value.value;
        return std::nullopt;
      }
    return "is not known";
  };
  return option;
}

static void take(std::string &member, StringRef value) { member = value.str(); }
/// Given several times, all count.
static void take(std::vector<std::string> &member, StringRef value) {
  member.push_back(value.str());
}

template <typename Place>
static CompileOption text(StringRef name, StringRef valueName, StringRef help,
                          Place place) {
  return {name,
          valueName,
          help,
          {},
          [place](CompileOptions &options, StringRef value) -> Problem {
            take(place(options), value);
            return std::nullopt;
          }};
}

/// The type of a member that holds a value, or may.
template <typename T> struct ValueOf {
  using Type = T;
};
template <typename T> struct ValueOf<std::optional<T>> {
  using Type = T;
};

template <typename Place>
static CompileOption number(StringRef name, StringRef help, long smallest,
                            Place place) {
  return {
      name,
      "n",
      help,
      {},
      [place, smallest](CompileOptions &options, StringRef value) -> Problem {
        auto &member = place(options);
        typename ValueOf<std::decay_t<decltype(member)>>::Type parsed;
        if (value.getAsInteger(10, parsed))
          return "is not a whole number that fits";
        if (static_cast<long>(parsed) < smallest)
          return "must be at least " + std::to_string(smallest);
        member = parsed;
        return std::nullopt;
      }};
}

template <typename Place>
static CompileOption real(StringRef name, StringRef help, Place place) {
  return {name,
          "x",
          help,
          {},
          [place](CompileOptions &options, StringRef value) -> Problem {
            double parsed;
            if (value.getAsDouble(parsed) || !std::isfinite(parsed))
              return "is not a number";
            place(options) = parsed;
            return std::nullopt;
          }};
}

template <typename Place>
static CompileOption flag(StringRef name, StringRef help, Place place) {
  return {name,
          "",
          help,
          {},
          [place](CompileOptions &options, StringRef value) -> Problem {
            if (value != "" && value != "true" && value != "false")
              return "is a flag; it is true or false";
            place(options) = value != "false";
            return std::nullopt;
          }};
}

//===----------------------------------------------------------------------===//
// The values of choices
//===----------------------------------------------------------------------===//

static const NamedValue<ComputePrecision> precisions[] = {
    {"fp8", ComputePrecision::FP8,
     "bf16 compute with FP8 linears, f32 masters (default)"},
    {"bf16", ComputePrecision::BF16, "bf16 compute, f32 masters"},
    {"f32", ComputePrecision::F32, "everything in f32"}};

static const NamedValue<BoundaryType> boundaries[] = {
    {"f32", BoundaryType::F32, "f32 (default)"},
    {"bf16", BoundaryType::BF16,
     "bf16, as layers in a bf16 model have them; not for --entry=train, whose "
     "parameters are masters"}};

static const NamedValue<Fp8Format> formats[] = {
    {"hybrid", Fp8Format::Hybrid, "E4M3 forward, E5M2 gradients (default)"},
    {"e4m3", Fp8Format::E4M3, "E4M3 everywhere"}};

static const NamedValue<AmaxAlgo> amaxAlgos[] = {
    {"max", AmaxAlgo::Max, "the largest amax (default)"},
    {"most_recent", AmaxAlgo::MostRecent, "the newest"}};

static const NamedValue<Reduction> reductions[] = {
    {"mean", Reduction::Mean, "their mean (default)"},
    {"sum", Reduction::Sum, "their sum"}};

static const NamedValue<Recomputation> recomputations[] = {
    {"none", Recomputation::None, "nothing"},
    {"in-gradients", Recomputation::InGradients,
     "column-wise FP8 copies that a gradient can write in passing (default)"},
    {"copies", Recomputation::Copies,
     "all of them, where what they are made from is kept as well"}};

static const NamedValue<EmitKind> emitKinds[] = {
    {"so", EmitKind::SharedLibrary, "the artifact (default)"},
    {"obj", EmitKind::Object, "an object file"},
    {"llvm", EmitKind::LLVM, "MLIR in the LLVM dialect"},
    {"tert", EmitKind::TERT, "the runtime program, memory planned"},
    {"te", EmitKind::TE, "the graph, quantized and fused"},
    {"linalg", EmitKind::Linalg,
     "the same in upstream dialects, for other compilers"}};

StringRef mlir::te::getOptionName(ComputePrecision precision) {
  return findName(precisions, precision);
}
StringRef mlir::te::getOptionName(BoundaryType boundary) {
  return findName(boundaries, boundary);
}

//===----------------------------------------------------------------------===//
// The options
//===----------------------------------------------------------------------===//

static CompileOption entryOption() {
  CompileOption option{
      "entry", "list", "Entry points, separated by commas:", {}, {}};
  option.choices = {{"train", "a training step (default)"},
                    {"accumulate", "what --microbatches adds to train: the "
                                   "gradients of a part of its batch"},
                    {"grad", "the loss and the parameters' gradients"},
                    {"eval", "the loss of a batch, without gradients"},
                    {"vjp", "the product of a cotangent and the Jacobian"},
                    {"forward", "the model's outputs"}};
  option.set = [](CompileOptions &options, StringRef value) -> Problem {
    std::vector<std::string> entries;
    for (StringRef entry : llvm::split(value, ',')) {
      if (!findEntryKind(entry))
        return "is not known";
      entries.push_back(entry.str());
    }
    options.graph.entries = std::move(entries);
    return std::nullopt;
  };
  return option;
}

static CompileOption recipeOption() {
  CompileOption option{"recipe", "recipe", "Where scales come from:", {}, {}};
  option.choices = {{"delayed_scaling", "amaxes of earlier steps (default)"},
                    {"current_scaling", "the amax of each tensor itself"},
                    {"'#te...<...>'",
                     "a recipe attribute with its parameters, such as "
                     "'#te.delayed_scaling<history = 16>'"}};
  option.set = [](CompileOptions &options, StringRef value) -> Problem {
    if (value != "delayed_scaling" && value != "current_scaling" &&
        !value.starts_with("#"))
      return "is not known";
    options.recipe = value.str();
    return std::nullopt;
  };
  return option;
}

static CompileOption lossOption() {
  CompileOption option{"loss", "loss", "Loss of train, grad and eval:", {}, {}};
  option.choices = {
      {"causal-lm", "labels are the inputs shifted by one (default)"},
      {"masked-lm", "labels are an input, those of the masked positions"},
      {"cross-entropy", "labels are an input, one per position"},
      {"classification", "labels are an input, a class per sequence or token"},
      {"mse", "squared distance from an input of the output's shape"},
      {"output:NAME", "an output of the model, which computes its own loss"},
      {"none", "no loss: only vjp and forward"},
      {"'#te...<...>'", "a loss attribute with its parameters, such as "
                        "'#te.masked_lm<label_smoothing = 0.1>'"}};
  option.set = [](CompileOptions &options, StringRef value) -> Problem {
    static constexpr StringRef names[] = {"causal-lm",     "masked-lm",
                                          "cross-entropy", "classification",
                                          "mse",           "none"};
    StringRef output = value;
    bool isOutput = output.consume_front("output:") && !output.empty();
    if (!isOutput && !value.starts_with("#") &&
        !llvm::is_contained(names, value))
      return "is not known";
    options.loss = value.str();
    return std::nullopt;
  };
  return option;
}

static CompileOption planOption() {
  CompileOption option{
      "plan",
      "",
      "Write no program, but what each rank of --mesh needs and a step takes, "
      "to standard output; --plan=json for programs (docs/planning.md)",
      {},
      {}};
  option.set = [](CompileOptions &options, StringRef value) -> Problem {
    if (value != "" && value != "text" && value != "json")
      return "is not known; use --plan or --plan=json";
    options.plan = value == "json" ? PlanFormat::JSON : PlanFormat::Text;
    return std::nullopt;
  };
  return option;
}

static CompileOption parametersOption() {
  CompileOption option{
      "parameters",
      "list",
      "Arguments of a model in plain MLIR that are parameters, besides those "
      "with te.param: NUMBER, FIRST-LAST, NUMBER=NAME or a glob on names, "
      "separated by commas",
      {},
      {}};
  option.set = [](CompileOptions &options, StringRef value) -> Problem {
    for (StringRef entry : llvm::split(value, ','))
      if (!entry.empty())
        options.plain.parameters.push_back(entry.str());
    if (options.plain.parameters.empty())
      return "names no argument";
    return std::nullopt;
  };
  return option;
}

static CompileOption trainingOption(StringRef name, bool freezes,
                                    StringRef help) {
  CompileOption option{name, "glob", help, {}, {}};
  option.set = [freezes](CompileOptions &options, StringRef value) -> Problem {
    if (value.empty())
      return "names no parameter";
    options.training.push_back({freezes, value.str()});
    return std::nullopt;
  };
  return option;
}

/// te-compile's, in the order of its help.
#define MEMBER(path)                                                           \
  [](CompileOptions &options) -> auto & { return options.path; }

static std::vector<CompileOption> makeOptions() {
  return {
      text("o", "file",
           "Where to write (- for standard output); without it the model's "
           "name with another ending, in the current folder",
           MEMBER(output)),
      text("model", "name",
           "Function that is the model, in plain MLIR; without it the one with "
           "te.model, @forward, or the only public one",
           MEMBER(plain.function)),
      parametersOption(),
      entryOption(),
      choice("precision", "Compute precision:", precisions,
             MEMBER(graph.precision)),
      choice("boundary",
             "Type of inputs, outputs, parameters and gradients that are not "
             "vectors (those are f32):",
             boundaries, MEMBER(graph.boundary)),
      text("target", "name", "Where the program runs:", MEMBER(target)),
      recipeOption(),
      choice("fp8-format", "FP8 formats:", formats, MEMBER(fp8Format)),
      number("amax-history", "Amaxes kept per tensor (default 1024)", 1,
             MEMBER(amaxHistory)),
      choice("amax-algo", "What delayed scaling takes of the history:",
             amaxAlgos, MEMBER(amaxAlgo)),
      number("margin", "Headroom of scales in powers of two (default 0)", 0,
             MEMBER(margin)),
      text("policy", "spec",
           "Which modules run in FP8: GLOB=fp8|high[,...], later rules win, or "
           "@file; by default every linear but the LM head",
           MEMBER(graph.policy)),
      lossOption(),
      choice("reduction", "How the loss joins its positions:", reductions,
             MEMBER(reduction)),
      text("logits", "name",
           "Output that the loss reads; without it the only one of floats",
           MEMBER(graph.logits)),
      number("ignore-index", "Label that does not count (default -100)",
             std::numeric_limits<long>::min(), MEMBER(ignoreIndex)),
      real("label-smoothing",
           "Share of a label's probability that goes to all classes alike, 0 "
           "to 1 (default 0)",
           MEMBER(labelSmoothing)),
      real("z-loss",
           "Factor of the squared log of the softmax's sum, which the loss "
           "adds (default 0; PaLM's is 1e-4)",
           MEMBER(zLoss)),
      text("mesh", "axes",
           "Ranks that work together, one program for all (te-run train "
           "--devices; docs/distributed.md): dp=R for R ranks with a batch "
           "each, cp=R for R that share each sequence, tp=R for R that share "
           "each layer, dp=R,tp=R for both",
           MEMBER(graph.mesh)),
      text("shard", "rule",
           "Along which dimension ranks along tp share parameters, where it "
           "is not to be what is found without it: GLOB=DIM:tp on their names, "
           "dimensions counted from 0, or GLOB=none for all of them on every "
           "rank; may be repeated",
           MEMBER(graph.shard)),
      number("zero",
             "What data parallel ranks hold parts of: nothing (0), masters and "
             "optimizer states (1, the default), with --microbatches the sums "
             "of gradients, too (2), and compute copies of weights (3)",
             0, MEMBER(zero)),
      flag("allow-lookahead",
           "With --loss=causal-lm, take a model whose attention is not causal, "
           "although its positions see the tokens that they predict",
           MEMBER(allowLookahead)),
      number(
          "microbatches",
          "Let steps of train sum their gradients over microbatches, each a "
          "batch of the model, so many unless te-run train --accumulate says "
          "otherwise",
          1, MEMBER(microbatches)),
      text("optimizer", "spec",
           "Optimizer of train: adamw (default), sgd, or one with its "
           "parameters, 'sgd<momentum = 0.95, nesterov = true>'; docs/te.md "
           "lists them",
           MEMBER(graph.optimizer)),
      trainingOption(
          "freeze", /*freezes=*/true,
          "Parameters, by their names, that keep their values in training: "
          "they get no gradients and no optimizer states; may be repeated. "
          "Without it and --train-only the model says which are trained"),
      trainingOption(
          "train-only", /*freezes=*/false,
          "Parameters, by their names, that are trained, and no others; may be "
          "repeated. Of this and --freeze, the last one that is about a "
          "parameter holds"),
      choice("recompute",
             "What is computed twice, to save memory, rather than kept for the "
             "backward pass:",
             recomputations, MEMBER(runtime.recompute)),
      text("init", "spec",
           "First values of parameters without data: [GLOB=]KIND[,...], KIND "
           "normal:STD, uniform:LOW:HIGH, constant:VALUE, zeros or ones",
           MEMBER(init)),
      text("weights", "file",
           "Values of parameters by name, a safetensors file; for models that "
           "come without, such as StableHLO, and in place of those that a "
           "model has",
           MEMBER(weights)),
      text("tuning", "file",
           "Database of 'te-run tune' to decide about fusions by, with a GPU's "
           "--target; without it the output's name with .tuning.json, if that "
           "is there",
           MEMBER(graph.tuning)),
      choice("emit", "What to write:", emitKinds, MEMBER(emit)),
      text("report", "file",
           "Write what became FP8 and what was fused, what was not and why, "
           "times, memory and slots, as Markdown (- for standard output)",
           MEMBER(report)),
      planOption(),
      text("cluster", "names",
           "Machines of --plan, and of the exchanges in --report: predefined "
           "ones and JSON files with commas between them, a later one has the "
           "last word (default h200-8x400g; docs/planning.md)",
           MEMBER(cluster)),
      number("hosts-of", "Ranks on a host there, in place of the cluster's own",
             1, MEMBER(hostSize)),
      text("load-dialect-plugin", "library",
           "Library that registers dialects, for models with ops of others "
           "(docs/embedding.md); may be repeated",
           MEMBER(dialectPlugins)),
      text("load-pass-plugin", "library",
           "Library that registers passes; may be repeated",
           MEMBER(passPlugins)),
      text("model-passes", "passes",
           "Passes on the model as it is read, before it is imported from "
           "plain MLIR, such as 'canonicalize,my-lowering'",
           MEMBER(modelPasses)),
      text("graph-passes", "passes",
           "Passes on the graph when it is differentiated, quantized and "
           "fused, before it becomes runtime calls",
           MEMBER(graphPasses)),
      flag("force",
           "Replace files that te-compile did not write, and those of the "
           "model",
           MEMBER(force)),
      flag("quiet", "Do not print the summary at the end", MEMBER(quiet)),
      flag("timing", "Print the time of every pass", MEMBER(timing)),
      flag("v", "Say what is done", MEMBER(verbose)),
  };
}
#undef MEMBER

ArrayRef<CompileOption> mlir::te::getCompileOptions() {
  static const std::vector<CompileOption> options = makeOptions();
  return options;
}

const CompileOption *mlir::te::findCompileOption(StringRef name) {
  for (const CompileOption &option : getCompileOptions())
    if (option.name == name)
      return &option;
  return nullptr;
}

StringRef mlir::te::findNearest(StringRef name, ArrayRef<StringRef> names) {
  StringRef nearest;
  // Another word is not a slip of the fingers.
  unsigned best = std::max<unsigned>(1, unsigned(name.size()) / 3) + 1;
  for (StringRef candidate : names) {
    unsigned distance = name.edit_distance(candidate, true, best);
    if (distance < best && distance < candidate.size()) {
      best = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

Problem mlir::te::setCompileOption(CompileOptions &options, StringRef name,
                                   StringRef value) {
  const CompileOption *option = findCompileOption(name);
  if (!option) {
    llvm::SmallVector<StringRef> names;
    for (const CompileOption &known : getCompileOptions())
      names.push_back(known.name);
    StringRef nearest = findNearest(name, names);
    return "there is no option '" + name.str() + "'" +
           (nearest.empty() ? "" : "; did you mean '" + nearest.str() + "'?");
  }
  Problem problem = option->set(options, value);
  if (!problem)
    return std::nullopt;
  llvm::SmallVector<StringRef> names;
  for (const CompileOption::Choice &choice : option->choices)
    names.push_back(choice.name);
  return (name.size() == 1 ? "-" : "--") + name.str() + "=" + value.str() +
         " " + *problem +
         (names.empty() ? "" : "; use " + llvm::join(names, ", "));
}

std::string mlir::te::getDefaultOutput(StringRef input, EmitKind emit) {
  if (input == "-")
    return {};
  static const NamedValue<EmitKind> endings[] = {
      {".so", EmitKind::SharedLibrary, ""},
      {".o", EmitKind::Object, ""},
      {".llvm.mlir", EmitKind::LLVM, ""},
      {".tert.mlir", EmitKind::TERT, ""},
      {".te.mlir", EmitKind::TE, ""},
      {".linalg.mlir", EmitKind::Linalg, ""}};
  return llvm::sys::path::stem(input).str() + findName(endings, emit).str();
}
