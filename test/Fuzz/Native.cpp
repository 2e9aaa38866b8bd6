// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Native.h"

#include "Packed.h"

#include "te/Artifact/SharedLibrary.h"
#include "te/Dialect/TE/IR/TE.h"
#include "te/Dialect/TERT/IR/TERT.h"
#include "te/Target/MachineCode.h"

#include "tert/artifact.h"
#include "tert/context.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <cstring>
#include <dlfcn.h>
#include <fstream>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;
using test::HostTensor;

ArrayRef<ProgramKind> fuzz::getProgramKinds() {
  static const ProgramKind kKinds[] = {
      {"f32", "vjp", ""},
      {"bf16", "vjp", ""},
      {"fp8", "vjp", ""},
      {"f32", "forward", ""},
      {"f32", "grad", ""},
      {"fp8", "grad", ""},
      {"fp8", "forward", ""},
      {"f32", "train", "adamw<weight_decay=0.125>"},
      {"fp8", "train", "sgd<weight_decay=0.125,nesterov=true>"},
      {"bf16", "train", "sgd<momentum=0>"},
      {"fp8", "train", "adamw<decay_biases=true,decay_norms=true>"}};
  return kKinds;
}

namespace {
/// One argument of a native entry.
struct Buffer {
  std::string key; ///< "te.output y0": attribute and name
  ShapedType type;
};
} // namespace

/// The last part of the pipeline.
static std::string pipelineFor(StringRef target) {
  return ("te-llvm-pipeline{target=" + target + "}").str();
}

struct NativeBatch::Program {
  unsigned number;
  ProgramKind kind;
  /// The graph's own arithmetic is finite in float32, and so must results be.
  bool isFinite;
  OwningOpRef<ModuleOp> module;
  std::string symbol;
  SmallVector<HostTensor> arguments;
  std::optional<Reference> reference;
  SmallVector<Buffer> buffers;
};

NativeBatch::NativeBatch(MLIRContext *context, PassRunner &passes, Tally &tally)
    : context(context), passes(passes), tally(tally) {}
NativeBatch::~NativeBatch() = default;

static Result fail(StringRef stage, const Twine &message) {
  return {Ending::Failed, stage.str(), message.str()};
}

/// "te.input x": what connects an argument or result to the outside.
static std::string keyOf(DictionaryAttr attributes) {
  if (!attributes)
    return "";
  for (StringRef role :
       {kInputAttr, kParamAttr, kStateAttr, kScalarAttr, kOutputAttr})
    if (auto name = attributes.getAs<StringAttr>(role))
      return (role + " " + name.getValue()).str();
  return "";
}

/// Whether the graph, computed as it is written in float32, is finite and far
/// from overflow.
static bool isTame(func::FuncOp forward, Arguments &values) {
  auto arguments = values.get(forward);
  if (failed(arguments))
    return false;
  bool staysFinite = false;
  auto results = test::evaluate(
      forward, *arguments, {/*relative=*/0, /*stream=*/0, /*toFloat=*/true},
      &staysFinite);
  if (failed(results) || !staysFinite)
    return false;
  auto isModest = [](const HostTensor &tensor) {
    return llvm::all_of(tensor.data,
                        [](double value) { return std::abs(value) < 1e15; });
  };
  return llvm::all_of(*arguments, isModest) && llvm::all_of(*results, isModest);
}

static bool hasLoss(const ProgramKind &kind) {
  return kind.entry == "grad" || kind.entry == "train";
}

Result NativeBatch::add(unsigned number, ModuleOp graph, ProgramKind kind) {
  auto forward = graph.lookupSymbol<func::FuncOp>("forward");
  std::string logits = getLogits(forward);
  if (hasLoss(kind) && logits.empty())
    kind = {kind.precision, "vjp", ""};
  Arguments values(forward);
  auto program = std::make_unique<Program>();
  program->number = number;
  program->kind = kind;
  program->symbol = llvm::formatv("graph{0}_{1}", number, programs.size());
  program->module = graph.clone();
  std::string stage = llvm::formatv(
      "{0}te-graph-pipeline{{entries={1} precision={2} ",
      hasCalls(graph) ? "inline,symbol-dce," : "", kind.entry, kind.precision);
  if (hasLoss(kind))
    stage += "loss=cross-entropy logits=" + logits;
  else
    stage += "loss=none";
  if (!kind.optimizer.empty())
    stage += " optimizer=" + kind.optimizer.str();
  stage += "}";
  if (Result result = passes.run(*program->module, stage); !result)
    return result;
  ErrorCollector errors(context);
  auto function = program->module->lookupSymbol<func::FuncOp>(kind.entry);
  if (!function)
    return fail(stage, "made no @" + kind.entry);
  auto arguments = values.get(function);
  if (failed(arguments))
    return fail(stage, errors.first());
  program->isFinite = isTame(forward, values);
  program->arguments = std::move(*arguments);
  auto reference =
      Reference::compute(function, program->arguments,
                         {kFloat32Error, /*stream=*/0, /*toFloat=*/true});
  if (failed(reference))
    return fail(stage, "oracle: " + errors.first());
  program->reference = std::move(*reference);
  programs.push_back(std::move(program));
  return {};
}

/// All entries in one module, under names of their own.
OwningOpRef<ModuleOp> NativeBatch::merge(ArrayRef<Program *> some) {
  OwningOpRef<ModuleOp> all = ModuleOp::create(UnknownLoc::get(context));
  for (Program *program : some) {
    auto function =
        program->module->lookupSymbol<func::FuncOp>(program->kind.entry);
    auto copy = cast<func::FuncOp>(function->clone());
    copy.setName(program->symbol);
    copy->removeAttr(kEntryAttr);
    all->push_back(copy);
  }
  return all;
}

Result NativeBatch::link(ArrayRef<Program *> some, StringRef target,
                         StringRef path) {
  OwningOpRef<ModuleOp> all = merge(some);
  if (Result result = passes.run(*all, "te-runtime-pipeline"); !result)
    return result;
  for (Program *program : some) {
    auto function = all->lookupSymbol<func::FuncOp>(program->symbol);
    program->buffers.clear();
    for (BlockArgument argument : function.getArguments()) {
      auto type = cast<MemRefType>(argument.getType());
      program->buffers.push_back(
          {keyOf(function.getArgAttrDict(argument.getArgNumber())), type});
    }
  }
  if (Result result = passes.run(*all, pipelineFor(target)); !result)
    return result;
  ErrorCollector errors(context);
  auto object = compileToObject(*all);
  FailureOr<std::string> image = failure();
  if (succeeded(object))
    image = linkSharedLibrary(*all, *object, "programs");
  if (failed(image))
    return fail("code generation", errors.first());
  {
    std::error_code code;
    llvm::raw_fd_ostream file(path, code);
    file << *image;
    file.close();
    if (code || file.has_error())
      return fail("code generation", (code ? code : file.error()).message());
  }
  // Without the path, which is another one each time.
  if (void *library = dlopen(path.str().c_str(), RTLD_NOW | RTLD_LOCAL))
    dlclose(library);
  else
    return fail("dlopen", StringRef(dlerror()).split(": ").second);
  return {};
}

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

static int64_t bytesOf(Type element) {
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

static void write(const HostTensor &tensor, Type element, char *bytes) {
  int64_t size = bytesOf(element);
  for (int64_t i = 0, e = tensor.size(); i < e; ++i) {
    uint64_t bits;
    if (auto type = dyn_cast<FloatType>(element)) {
      APFloat number(tensor[i]);
      bool loses;
      number.convert(type.getFloatSemantics(), APFloat::rmNearestTiesToEven,
                     &loses);
      bits = number.bitcastToAPInt().getZExtValue();
    } else {
      bits = static_cast<uint64_t>(static_cast<int64_t>(tensor[i]));
    }
    std::memcpy(bytes + i * size, &bits, size);
  }
}

static HostTensor read(ShapedType type, const char *bytes) {
  HostTensor tensor(type.getShape());
  int64_t size = bytesOf(type.getElementType());
  for (int64_t i = 0, e = tensor.size(); i < e; ++i) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes + i * size, size);
    APInt integer(unsigned(8 * size), bits);
    if (auto floating = dyn_cast<FloatType>(type.getElementType())) {
      APFloat number(floating.getFloatSemantics(), integer);
      bool loses;
      number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                     &loses);
      tensor[i] = number.convertToDouble();
    } else {
      tensor[i] = integer.signedRoundToDouble();
    }
  }
  return tensor;
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

Result NativeBatch::runOne(Program &program, void *entry) {
  std::string stage =
      "run, " + program.kind.precision.str() + " " + program.kind.entry.str();
  char message[256] = "";
  tert_context *device = nullptr;
  tert_options options = {};
  options.num_threads = 1;
  if (tert_open("cpu", &options, &device, message, sizeof(message)))
    return fail(stage, message);
  llvm::scope_exit close([&] { tert_close(device); });

  auto function =
      program.module->lookupSymbol<func::FuncOp>(program.kind.entry);
  llvm::StringMap<const HostTensor *> given;
  for (auto [i, argument] : llvm::enumerate(program.arguments))
    given[keyOf(function.getArgAttrDict(i))] = &argument;
  // The allocator's memory is aligned as kernels expect it.
  SmallVector<void *> addresses;
  llvm::scope_exit release([&] {
    for (void *memory : addresses)
      tert_release(device, memory);
  });
  llvm::StringMap<unsigned> positions;
  for (auto [i, buffer] : llvm::enumerate(program.buffers)) {
    size_t bytes =
        std::max<int64_t>(1, buffer.type.getNumElements() *
                                 bytesOf(buffer.type.getElementType()));
    void *memory = nullptr;
    if (tert_allocate(device, bytes, &memory))
      return fail(stage, "cannot allocate");
    addresses.push_back(memory);
    // What is never written is not a number.
    std::memset(memory, 0xff, bytes);
    positions[buffer.key] = i;
    if (const HostTensor *value = given.lookup(buffer.key))
      write(*value, buffer.type.getElementType(), static_cast<char *>(memory));
  }
  if (reinterpret_cast<tert_entry>(entry)(device, addresses.data()))
    return fail(stage, tert_last_error(device));

  ErrorCollector errors(context);
  for (unsigned i = 0; i < function.getNumResults(); ++i) {
    std::string key = keyOf(function.getResultAttrDict(i));
    auto at = positions.find(key);
    if (at == positions.end())
      return fail(stage, "has no buffer for '" + key + "'");
    HostTensor got = read(program.buffers[at->second].type,
                          static_cast<char *>(addresses[at->second]));
    auto difference = program.reference->compare(i, got);
    if (failed(difference))
      return fail(stage, "oracle: " + errors.first());
    if (*difference)
      return fail(stage, "'" + key + "' " + **difference);
    if (!program.isFinite || program.kind.precision == "fp8")
      continue;
    for (int64_t e = 0; e < got.size(); ++e)
      if (!std::isfinite(got[e]) && std::abs((*program.reference)[i][e]) < 1e15)
        return fail(stage,
                    llvm::formatv("'{0}' is {1} at element {2}, where it "
                                  "should be {3:E6}",
                                  key, got[e], e, (*program.reference)[i][e])
                        .str());
  }
  ++tally.native;
  tally.judged += program.reference->judged;
  return {};
}

/// Links what can be linked and loaded; `ended` says why the rest cannot.
SmallVector<NativeBatch::Program *>
NativeBatch::linkGood(ArrayRef<Program *> some, StringRef target,
                      StringRef path, SmallVectorImpl<Ended> &ended) {
  if (some.empty())
    return {};
  Result together = link(some, target, path);
  if (together)
    return llvm::to_vector(some);
  // Whose fault is it?
  SmallVector<Program *> good;
  if (some.size() > 1) {
    for (Program *program : some)
      if (Result alone = link(program, target, path); !alone)
        ended.push_back({program->number, alone});
      else
        good.push_back(program);
    if (good.size() < some.size() && !good.empty())
      together = link(good, target, path);
    if (together || good.empty())
      return good;
  }
  ended.push_back({some.front()->number, together});
  return {};
}

SmallVector<NativeBatch::Ended> NativeBatch::run() {
  SmallVector<Ended> ended;
  SmallVector<Program *> all, good;
  for (auto &program : programs)
    all.push_back(program.get());
  llvm::SmallString<128> path;
  if (all.empty())
    return ended;
  if (llvm::sys::fs::createTemporaryFile("te-fuzz", "so", path)) {
    ended.push_back({all.front()->number,
                     fail("code generation", "cannot make a temporary file")});
    return ended;
  }
  llvm::scope_exit remove([&] { llvm::sys::fs::remove(path); });
  all = linkGood(all, "cpu", path, ended);
  if (all.empty())
    return ended;
  void *library = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  for (Program *program : all) {
    void *entry =
        library ? dlsym(library, ("tert_entry_" + program->symbol).c_str())
                : nullptr;
    ended.push_back({program->number,
                     entry ? runOne(*program, entry)
                           : fail("dlsym", "no entry " + program->symbol)});
    if (ended.back().result)
      good.push_back(program);
  }
  if (library)
    dlclose(library);
  if (!packAs.empty() && !good.empty()) {
    good = linkGood(good, packFor, packAs + ".so", ended);
    if (good.empty())
      return ended;
    if (Result result = pack(good); !result)
      ended.push_back({good.front()->number, result});
    else
      tally.packed += int64_t(good.size());
  }
  return ended;
}

/// The bytes of a tensor as an argument has them.
static std::vector<char> bytesOf(const HostTensor &tensor, Type element) {
  std::vector<char> bytes(tensor.size() * bytesOf(element));
  write(tensor, element, bytes.data());
  return bytes;
}

Result NativeBatch::pack(ArrayRef<Program *> some) {
  std::vector<te_fuzz::PackedProgram> packed;
  for (Program *program : some) {
    auto function =
        program->module->lookupSymbol<func::FuncOp>(program->kind.entry);
    te_fuzz::PackedProgram &entry = packed.emplace_back();
    entry.symbol = program->symbol;
    for (const Buffer &buffer : program->buffers) {
      te_fuzz::PackedBuffer &out = entry.buffers.emplace_back();
      Type element = buffer.type.getElementType();
      out.key = buffer.key;
      // An arena has bytes.
      out.dtype = int32_t(tert::getRuntimeDType(element).value_or(TERT_U8));
      out.bytes = buffer.type.getNumElements() * bytesOf(element);
      for (auto [i, argument] : llvm::enumerate(program->arguments))
        if (!buffer.key.empty() &&
            keyOf(function.getArgAttrDict(i)) == buffer.key)
          out.initial = bytesOf(argument, element);
      for (unsigned i = 0; i < function.getNumResults(); ++i) {
        if (keyOf(function.getResultAttrDict(i)) != buffer.key)
          continue;
        const HostTensor &value = (*program->reference)[i];
        // Makes the bounds of this result the current ones.
        (void)program->reference->compare(i, value);
        for (int64_t e = 0; e < value.size(); ++e) {
          std::optional<double> bound = program->reference->bound(i, e);
          out.expected.push_back(static_cast<float>(value[e]));
          // Twice: the GPU may be off as far as the CPU.
          out.bound.push_back(
              bound ? int8_t(std::clamp(std::ilogb(2 * *bound) + 1, -126, 126))
                    : te_fuzz::kAnything);
        }
      }
    }
  }
  std::ofstream file(packAs + ".graphs", std::ios::binary);
  te_fuzz::write(file, packed);
  file.close();
  if (!file)
    return fail("pack", "cannot write '" + packAs + ".graphs'");
  return {};
}
