// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Target/MachineCode.h"

#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Export.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/LoopUnrollPass.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Vectorize/LoopVectorize.h"

using namespace mlir;
using llvm::CodeGenOptLevel;
using llvm::OptimizationLevel;

namespace {

/// A module in LLVM IR and the machine that it is compiled for.
struct Program {
  static FailureOr<Program> create(ModuleOp source, llvm::LLVMContext &context,
                                   llvm::Triple triple, StringRef chip,
                                   CodeGenOptLevel level);

  LogicalResult emit(ModuleOp source, llvm::CodeGenFileType kind,
                     llvm::raw_pwrite_stream &stream);

  std::unique_ptr<llvm::TargetMachine> machine;
  std::unique_ptr<llvm::Module> module;
};

/// The analyses that LLVM's passes use.
struct Analyses {
  explicit Analyses(llvm::TargetMachine *machine) : builder(machine) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(sccs);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, sccs, modules);
  }

  llvm::PassBuilder builder;
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager sccs;
  llvm::ModuleAnalysisManager modules;
};

} // namespace

FailureOr<Program> Program::create(ModuleOp source, llvm::LLVMContext &context,
                                   llvm::Triple triple, StringRef chip,
                                   CodeGenOptLevel level) {
  registerBuiltinDialectTranslation(*source->getContext());
  registerLLVMDialectTranslation(*source->getContext());
  registerNVVMDialectTranslation(*source->getContext());
  Program program;
  program.module = translateModuleToLLVMIR(source, context, "te-mlir");
  if (!program.module)
    return source.emitError("translation to LLVM IR failed"), failure();
  std::string reason;
  const llvm::Target *target =
      llvm::TargetRegistry::lookupTarget(triple, reason);
  if (!target)
    return source.emitError()
               << "LLVM has no target for " << triple.str() << ": " << reason,
           failure();
  program.machine.reset(target->createTargetMachine(
      triple, chip, /*Features=*/"", llvm::TargetOptions(), llvm::Reloc::PIC_,
      std::nullopt, level));
  program.module->setTargetTriple(triple);
  program.module->setDataLayout(program.machine->createDataLayout());
  return program;
}

LogicalResult Program::emit(ModuleOp source, llvm::CodeGenFileType kind,
                            llvm::raw_pwrite_stream &stream) {
  llvm::legacy::PassManager codegen;
  if (machine->addPassesToEmitFile(codegen, stream, nullptr, kind))
    return source.emitError()
           << "LLVM cannot write code for " << module->getTargetTriple().str();
  codegen.run(*module);
  return success();
}

/// Vectorises the marked functions.
static void optimizeMarked(Program &program) {
  Analyses analyses(program.machine.get());
  llvm::FunctionPassManager passes;
  passes.addPass(analyses.builder.buildFunctionSimplificationPipeline(
      OptimizationLevel::O3, llvm::ThinOrFullLTOPhase::None));
  passes.addPass(llvm::LoopVectorizePass());
  passes.addPass(llvm::EarlyCSEPass());
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  for (llvm::Function &function : *program.module)
    if (!function.isDeclaration() && function.hasFnAttribute(te::kOptimizeAttr))
      passes.run(function, analyses.functions);
}

FailureOr<llvm::SmallVector<char, 0>>
mlir::te::compileToObject(ModuleOp module) {
  llvm::InitializeNativeTarget();
  llvm::InitializeNativeTargetAsmPrinter();
  llvm::LLVMContext context;
  llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  FailureOr<Program> program =
      Program::create(module, context, triple, "", CodeGenOptLevel::Less);
  if (failed(program))
    return failure();
  optimizeMarked(*program);
  llvm::SmallVector<char, 0> object;
  llvm::raw_svector_ostream stream(object);
  if (failed(program->emit(module, llvm::CodeGenFileType::ObjectFile, stream)))
    return failure();
  return object;
}

FailureOr<std::string> mlir::te::compileToPTX(ModuleOp module, StringRef chip) {
  // Initializes all targets of this LLVM; naming NVPTX would fail without it.
  llvm::InitializeAllTargetInfos();
  llvm::InitializeAllTargets();
  llvm::InitializeAllTargetMCs();
  llvm::InitializeAllAsmPrinters();
  llvm::LLVMContext context;
  FailureOr<Program> program =
      Program::create(module, context, llvm::Triple("nvptx64-nvidia-cuda"),
                      chip, CodeGenOptLevel::Aggressive);
  if (failed(program))
    return failure();
  {
    Analyses analyses(program->machine.get());
    analyses.builder.buildPerModuleDefaultPipeline(OptimizationLevel::O3)
        .run(*program->module, analyses.modules);
  }
  llvm::SmallString<0> text;
  llvm::raw_svector_ostream stream(text);
  if (failed(
          program->emit(module, llvm::CodeGenFileType::AssemblyFile, stream)))
    return failure();
  return text.str().str();
}
