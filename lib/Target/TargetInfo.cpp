// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Target/TargetInfo.h"

using namespace mlir;
using namespace mlir::te;

TargetInfo::~TargetInfo() = default;

FailureOr<std::string> TargetInfo::compileKernels(ModuleOp) const {
  return std::string();
}

bool TargetInfo::multipliesFP8() const { return true; }

bool TargetInfo::takesScaleBlocks() const { return false; }

int64_t TargetInfo::getExpertRows() const { return 16; }

bool TargetInfo::takesScaleType(FloatType type) const { return type.isF32(); }

bool TargetInfo::hasTuning() const { return false; }

CostModelAttrInterface TargetInfo::getCostModel(MLIRContext *) const {
  return {};
}

CostModelAttrInterface
TargetInfo::getTunedCostModel(MLIRContext *context, StringRef path, StringRef,
                              std::string &warning) const {
  warning = "the tuning database '" + path.str() +
            "' is ignored: nothing is tuned for " + getName().str();
  return getCostModel(context);
}

TargetRegistry::TargetRegistry(Dialect *dialect) : Base(dialect) {}
TargetRegistry::~TargetRegistry() = default;

TargetRegistry &TargetRegistry::get(TEDialect &dialect) {
  if (auto *registry = dialect.getRegisteredInterface<TargetRegistry>())
    return *registry;
  return dialect.addInterface<TargetRegistry>();
}

void TargetRegistry::add(std::unique_ptr<TargetInfo> target) {
  for (std::unique_ptr<TargetInfo> &known : targets)
    if (known->getName() == target->getName()) {
      known = std::move(target);
      return;
    }
  targets.push_back(std::move(target));
}

const TargetInfo *TargetRegistry::find(StringRef name) const {
  for (const std::unique_ptr<TargetInfo> &target : targets)
    if (target->getName() == name)
      return target.get();
  return nullptr;
}

/// Null before the first target.
static const TargetRegistry *getRegistry(MLIRContext *context) {
  auto *dialect = context->getLoadedDialect<TEDialect>();
  return dialect ? dialect->getRegisteredInterface<TargetRegistry>() : nullptr;
}

const TargetInfo *mlir::te::findTarget(MLIRContext *context, StringRef name) {
  const TargetRegistry *registry = getRegistry(context);
  return registry ? registry->find(name) : nullptr;
}

const TargetInfo *mlir::te::requireTarget(ModuleOp module, StringRef name,
                                          StringRef pass) {
  MLIRContext *context = module.getContext();
  if (name.empty())
    if (auto target = module->getAttrOfType<StringAttr>(kTargetAttr))
      name = target.getValue();
  if (const TargetInfo *target = findTarget(context, name))
    return target;
  InFlightDiagnostic diagnostic = module.emitError() << pass << ": ";
  if (name.empty())
    diagnostic << "the module does not say what it is compiled for; give the "
                  "pass the option 'target' or the module the attribute "
                  "'te.target'";
  else
    diagnostic << "there is no target '" << name << "'";
  diagnostic << "; the targets are " << listTargets(context);
  return nullptr;
}

std::string
mlir::te::listTargets(MLIRContext *context,
                      function_ref<bool(const TargetInfo &)> include) {
  std::string list;
  if (const TargetRegistry *registry = getRegistry(context))
    for (const std::unique_ptr<TargetInfo> &target : registry->getTargets())
      if (!include || include(*target))
        list += (list.empty() ? "" : ", ") + target->getName().str();
  return list.empty() ? "none" : list;
}
