// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/CostSummary.h"

#include "te/Analysis/CostModel.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;
using namespace mlir::te;

KernelCosts EntryCosts::getTotal() const {
  KernelCosts total;
  for (const KernelCosts &kernel : kernels) {
    total.calls += kernel.calls;
    total.unknownCalls += kernel.unknownCalls;
    total.cost += kernel.cost;
    total.floorSeconds += kernel.floorSeconds;
  }
  return total;
}

std::vector<EntryCosts> mlir::te::summarizeCosts(ModuleOp module) {
  CostModel model(module);
  std::vector<EntryCosts> entries;
  if (!model)
    return entries;
  for (auto func : module.getOps<func::FuncOp>()) {
    auto name = func->getAttrOfType<StringAttr>(kEntryAttr);
    if (!name)
      continue;
    llvm::MapVector<StringRef, KernelCosts> kernels;
    // Ops in loops and branches are counted once.
    func.walk([&](Operation *op) {
      std::optional<Work> work = getWork(op);
      if (!work)
        return;
      KernelCosts &kernel = kernels[work->kernel];
      std::optional<Cost> cost = model.getCost(*work);
      if (!cost) {
        ++kernel.unknownCalls;
        return;
      }
      ++kernel.calls;
      kernel.cost += *cost;
      kernel.floorSeconds += model.get().getFloorSeconds(*work);
    });
    EntryCosts entry;
    entry.entry = name.str();
    for (auto &[kernelName, costs] : kernels) {
      costs.kernel = kernelName.str();
      entry.kernels.push_back(std::move(costs));
    }
    llvm::stable_sort(entry.kernels, [](const auto &a, const auto &b) {
      return a.cost.seconds > b.cost.seconds;
    });
    entries.push_back(std::move(entry));
  }
  return entries;
}
