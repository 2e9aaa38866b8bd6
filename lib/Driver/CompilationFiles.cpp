// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation writes: the program with the parameters' values, the
// report, and the line that sums up.

#include "te/Driver/Compilation.h"

#include "Errors.h"
#include "Fp8Summary.h"
#include "Outputs.h"
#include "PlanText.h"
#include "Weights.h"
#include "te/Artifact/SharedLibrary.h"
#include "te/Driver/Input.h"
#include "te/Driver/Report.h"
#include "te/Planning/MemorySummary.h"
#include "te/Planning/Plan.h"
#include "te/Target/MachineCode.h"
#include "te/Target/TargetInfo.h"

#include "artifact/ArtifactSeal.h"
#include "support/File.h"
#include "support/Text.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

using namespace mlir;
using namespace mlir::te;
using ::tert::session::AtomicFile;
using ::tert::session::checkSealedProgram;
using ::tert::session::Error;
using ::tert::session::findOutputTarget;
using ::tert::session::formatBytes;
using ::tert::session::OutputKind;
using ::tert::session::sealProgram;
using ::tert::session::weightsPathOf;
namespace json = llvm::json;

static bool isText(EmitKind emit) {
  return emit == EmitKind::TE || emit == EmitKind::Linalg ||
         emit == EmitKind::TERT || emit == EmitKind::LLVM;
}

bool Compilation::hasWeightsFile() const {
  return !isText(options.emit) && options.output != "-" &&
         findOutputTarget(options.output).kind == OutputKind::File;
}

LogicalResult Compilation::checkOutputs() {
  Outputs outputs(context);
  outputs.addInput(input, "a file of the model");
  for (const ParameterData &parameter : model.parameters)
    if (parameter.kind == ParameterData::Kind::External)
      outputs.addInput(parameter.path, "a file of the model");
  outputs.addInput(options.weights, "the parameters' values");
  outputs.addInput(options.graph.tuning, "the tuning database");
  StringRef policy = options.graph.policy;
  if (policy.consume_front("@"))
    outputs.addInput(policy, "the policy");
  if (!options.graph.calibration.empty())
    outputs.addInput(options.graph.calibration, "the calibration");
  outputs.add(options.output, "the result", "-o");
  bool hasData = llvm::any_of(model.parameters, [](const ParameterData &data) {
    return data.kind != ParameterData::Kind::Absent;
  });
  if (hasWeightsFile() && (hasData || !model.buffers.empty()))
    outputs.add(weightsPathOf(options.output), "the parameters' values", "-o");
  outputs.add(options.report, "the report", "--report");
  return outputs.check(options.force);
}

LogicalResult Compilation::emit(llvm::raw_pwrite_stream &os) {
  if (options.plan) {
    if (options.plan == PlanFormat::JSON)
      os << llvm::formatv("{0:2}\n", json::Value(toJson(*plan)));
    else
      writePlan(os, getSourceName(), *plan);
    return success();
  }
  if (isText(options.emit)) {
    OpPrintingFlags flags;
    // Other compilers need the numbers; people do not.
    if (options.emit != EmitKind::Linalg)
      flags.elideLargeElementsAttrs(64);
    model.module->print(os, flags);
    os << "\n";
    return success();
  }
  if (options.emit == EmitKind::SharedLibrary)
    return error(context) << "a shared library is written by a linker, to a "
                             "file; use --emit=obj";
  auto object = compileToObject(*model.module);
  if (failed(object))
    return failure();
  os.write(object->data(), object->size());
  return success();
}

/// Writes to standard output.
static LogicalResult printOut(MLIRContext &context, StringRef text) {
  llvm::raw_fd_ostream &os = llvm::outs();
  os << text;
  os.flush();
  if (!os.has_error())
    return success();
  std::string reason = os.error().message();
  os.clear_error();
  return error(context) << "cannot write to standard output: " << reason;
}

LogicalResult Compilation::emit() {
  if (failed(checkOutputs()))
    return failure();
  if (options.plan && options.output != "-")
    return error(context) << "--plan writes no program to '" << options.output
                          << "'";
  std::string bytes;
  if (options.emit == EmitKind::SharedLibrary && !options.plan) {
    auto object = compileToObject(*model.module);
    FailureOr<std::string> image = failure();
    if (succeeded(object))
      image = linkSharedLibrary(*model.module, *object,
                                llvm::sys::path::filename(options.output));
    if (failed(image))
      return failure();
    bytes = std::move(*image);
  } else {
    llvm::SmallVector<char, 0> buffer;
    llvm::raw_svector_ostream os(buffer);
    if (isText(options.emit) && options.output != "-")
      os << kTextMark << " " TE_VERSION ".\n";
    if (failed(emit(os)))
      return failure();
    bytes.assign(buffer.begin(), buffer.end());
  }
  std::string weightsPath;
  if (failed(options.output == "-"
                 ? printOut(context, bytes)
                 : emitFiles(std::move(bytes), weightsPath)) ||
      failed(writeReport()))
    return failure();
  if (hasSummary && !isText(options.emit) && options.output != "-")
    summarize(weightsPath);
  return success();
}

void Compilation::summarize(StringRef weightsPath) {
  const int64_t bytes = summarizeMemory(description).getBytes();
  const Report::Products products = report->getProducts();
  const ComputePrecision precision = options.graph.precision;
  InFlightDiagnostic line = emitRemark(UnknownLoc::get(&context));
  line << "wrote '" << options.output << "'";
  if (!weightsPath.empty())
    line << " and '" << weightsPath << "'";
  line << " for " << target->getName() << ": ";
  if (precision != ComputePrecision::FP8)
    line << "computes in " << getOptionName(kComputePrecisions, precision);
  else
    line << describeFp8(*report, options);
  line << ", " << formatBytes(double(bytes)) << " of memory";
  if (fastestBytes)
    line << ", to fit " << formatBytes(double(*options.memory))
         << " (the fastest program takes " << formatBytes(double(*fastestBytes))
         << ")";
  line.report();
  if (precision == ComputePrecision::FP8 && products.all > 0 &&
      products.fp8 == 0)
    emitWarning(UnknownLoc::get(&context))
        << "nothing is computed in FP8: '" << products.high.front()
        << "': " << products.why
        << ". --report=FILE says why of every product, --precision=bf16 "
           "compiles without FP8";
}

LogicalResult Compilation::emitFiles(std::string bytes,
                                     std::string &writtenWeights) {
  auto report = [&](Error problem) -> LogicalResult {
    return error(context) << problem.message();
  };
  std::string weightsPath;
  std::optional<WeightsFile> weights;
  if (hasWeightsFile()) {
    weightsPath = weightsPathOf(options.output);
    auto written = writeWeights(model.module->getLoc(), model, parameterTypes,
                                weightsPath);
    if (failed(written))
      return failure();
    if (*written) {
      weights.emplace(std::move(**written));
      writtenWeights = weightsPath;
    }
  }
  if (options.emit == EmitKind::SharedLibrary) {
    if (Error problem = sealProgram(bytes, weights ? weights->checksum : ""))
      return report(std::move(problem));
    // As te-run does before it loads a program.
    if (auto sealed = checkSealedProgram(bytes, options.output); !sealed)
      return report(sealed.takeError());
  }
  auto program = AtomicFile::create(options.output, bytes.size());
  if (!program)
    return report(program.takeError());
  if (Error problem = program->write(bytes.data(), bytes.size()))
    return report(std::move(problem));
  Error problem =
      weights ? AtomicFile::commitTogether(*program, weights->file)
      : !weightsPath.empty() && isOwnWeights(weightsPath)
          // What an earlier program had beside it is not this one's.
          ? AtomicFile::commitAlone(*program, weightsPath)
          : program->commit();
  return problem ? report(std::move(problem)) : success();
}

LogicalResult Compilation::writeReport() {
  if (options.report.empty())
    return success();
  if (plan)
    report->addPlan(*plan);
  std::string text;
  llvm::raw_string_ostream os(text);
  report->write(os, options.report, getSourceName(), target->getName(),
                description);
  if (options.report == "-")
    return printOut(context, text);
  if (Error problem = ::tert::session::writeFile(options.report, text))
    return error(context) << problem.message();
  return success();
}
