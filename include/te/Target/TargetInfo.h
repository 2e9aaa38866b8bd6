// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler's interface of a target machine. Targets are added to the te
// dialect of a context; no pass refers to one by name.

#ifndef TE_TARGET_TARGETINFO_H
#define TE_TARGET_TARGETINFO_H

#include "te/Dialect/TE/IR/TE.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectInterface.h"

#include <memory>
#include <string>
#include <vector>

namespace mlir::te {

/// The form of generated kernels, which is how the runtime's tert_kernel is
/// launched.
enum class KernelForm {
  /// `void kernel(void *const *operands, int64_t task)`, called once for every
  /// task by a pool of threads. The innermost loop walks memory.
  Tasks,
  /// An NVVM kernel, launched as a grid of blocks. A thread computes
  /// neighbouring elements.
  Blocks
};

/// A kind of machine that programs are compiled for.
class TargetInfo {
public:
  virtual ~TargetInfo();

  /// The name in options: "sm_90".
  virtual StringRef getName() const = 0;
  /// For help texts: "a Hopper GPU (H100, H200)".
  virtual StringRef getDescription() const = 0;
  /// The runtime's backend that programs run on, "cuda": the part of a device's
  /// name before the colon.
  virtual StringRef getBackend() const = 0;

  virtual KernelForm getKernelForm() const = 0;
  /// True if machine code may convert to and from bf16; if not, conversions are
  /// written as integer arithmetic.
  virtual bool convertsBF16() const = 0;
  /// Compiles kernels in the LLVM dialect to the program's kernel image, which
  /// the runtime loads. Empty if the target has no image (the default): the
  /// kernels become functions of the program. Errors are emitted on the module.
  virtual FailureOr<std::string> compileKernels(ModuleOp kernels) const;

  /// False if the machine cannot multiply in 8 bits, and does not emulate it.
  virtual bool multipliesFP8() const;

  /// True if the backend's kernels take scales of blocks (ScaleShape.h).
  virtual bool takesScaleBlocks() const;

  /// True if the backend's kernels multiply codes with scales of this type:
  /// f32, and what a target adds.
  virtual bool takesScaleType(FloatType type) const;

  /// How many rows of one expert a tile of te.expert_matmul has, a multiple of
  /// 16 (the default).
  virtual int64_t getExpertRows() const;

  /// True if the backend searches for plans (te-run tune), which affect fusions
  /// when the program is compiled again.
  virtual bool hasTuning() const;
  /// The built-in kernel costs; null if nothing was measured.
  virtual CostModelAttrInterface getCostModel(MLIRContext *context) const;
  /// The built-in costs with those that the tuning database in the file `path`
  /// has of one of the target's devices: of those whose name begins with
  /// `device`, the one with the most products. If the file has none, `warning`
  /// says why and the built-in costs are returned.
  virtual CostModelAttrInterface getTunedCostModel(MLIRContext *context,
                                                   StringRef path,
                                                   StringRef device,
                                                   std::string &warning) const;
};

/// The targets of a context. An embedder adds its own with an extension of the
/// te dialect:
///
///   registry.addExtension(+[](MLIRContext *, TEDialect *dialect) {
///     TargetRegistry::get(*dialect).add(std::make_unique<MyTarget>());
///   });
class TargetRegistry : public DialectInterface::Base<TargetRegistry> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TargetRegistry)

  explicit TargetRegistry(Dialect *dialect);
  ~TargetRegistry() override;

  /// The registry of a dialect, created on the first call; not thread-safe.
  static TargetRegistry &get(TEDialect &dialect);

  /// A later target replaces an earlier one of the same name.
  void add(std::unique_ptr<TargetInfo> target);

  ArrayRef<std::unique_ptr<TargetInfo>> getTargets() const { return targets; }
  /// Null if there is no such target.
  const TargetInfo *find(StringRef name) const;

private:
  std::vector<std::unique_ptr<TargetInfo>> targets;
};

/// The target of that name in the context, which must have loaded the te
/// dialect; or null.
const TargetInfo *findTarget(MLIRContext *context, StringRef name);

/// The target that a pass option names or, with an empty name, the module's
/// attribute te.target. Null, after an error on the module that lists the
/// targets, if there is none.
const TargetInfo *requireTarget(ModuleOp module, StringRef name,
                                StringRef pass);

/// "cpu, sm_90": the targets of the context for which `include` is true.
std::string
listTargets(MLIRContext *context,
            function_ref<bool(const TargetInfo &)> include = nullptr);

} // namespace mlir::te

#endif // TE_TARGET_TARGETINFO_H
