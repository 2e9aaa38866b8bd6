// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "training/Probe.h"

#include "training/GradientUnit.h"

#include <algorithm>
#include <map>
#include <set>

using namespace tert::session;
using namespace tert::training;

std::string ProbeResult::worstLayer() const {
  const auto worst =
      std::max_element(products.begin(), products.end(),
                       [](const ProbedProduct &a, const ProbedProduct &b) {
                         return a.secondOrder < b.secondOrder;
                       });
  return worst == products.end() ? std::string() : worst->layer;
}

Expected<Probe> Probe::create(Session &session, const ProbeOptions &options,
                              const SensitivityOptions &steps,
                              SharedArena arena) {
  SensitivityOptions measured = steps;
  if (!options.data.empty()) {
    measured = {options.data, options.format, DataOrder::Sequential,
                options.batches};
    measured.seed = steps.seed;
  }
  Expected<Sensitivity> sensitivity =
      Sensitivity::create(session, measured, std::move(arena));
  if (!sensitivity)
    return sensitivity.takeError();
  if (const uint64_t there = sensitivity->source().batches();
      !options.data.empty() && there < options.batches)
    return Error("'" + options.data.front() + "' has " + std::to_string(there) +
                 " batches, fewer than the " + std::to_string(options.batches) +
                 " of --probe-batches");
  Probe probe(options, std::move(*sensitivity), session.description());
  probe.perStep = steps.steps;
  return probe;
}

Expected<ProbeResult> Probe::run(uint64_t step,
                                 const std::vector<float> &scales) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  Expected<SensitivityResult> measured =
      sensitivity.run(isOfStep() ? (step - 1) * perStep : 0);
  if (!measured)
    return measured.takeError();
  std::map<std::string, size_t> slots;
  for (const SlotDescription &slot : program->slots)
    slots.emplace(slot.name, slots.size());
  // The entry `calibrate` has gradients of the mean.
  const EntryDescription *train = program->findEntry("train");
  const bool hasUnit = !train || gradientUnit(*program, *train) != "sum";
  ProbeResult result;
  result.loss = measured->labelLoss;
  result.labels = static_cast<double>(measured->labels);
  std::set<std::string> seen;
  for (const ProductSensitivity &product : measured->products) {
    bool isFp8 = false;
    for (const char *role : {".input", ".weight", ".grad_output"})
      isFp8 |= slots.count(product.layer + role) > 0;
    if (!isFp8)
      continue;
    const bool isKnown = product.isFinite;
    result.products.push_back({product.layer, product.product,
                               isKnown               ? product.secondOrder.mean
                               : product.isForward() ? infinite
                                                     : 0.0,
                               isKnown ? product.relativeError : infinite});
    result.secondOrder += result.products.back().secondOrder;
    if (isKnown)
      result.firstOrder += product.firstOrder.mean;
    for (const OperandSensitivity &operand : product.operands) {
      const std::string name = product.layer + "." + operand.role;
      const auto slot = slots.find(name);
      if (!isKnown || slot == slots.end() || !seen.insert(name).second)
        continue;
      ProbedSlot probed = {product.layer, name, operand.amax, operand.flushed};
      const SlotDescription &description = program->slots[slot->second];
      if (slot->second < scales.size() &&
          (hasUnit || !isGradientSlot(description)))
        probed.scaled =
            operand.amax * scales[slot->second] / description.largest();
      result.slots.push_back(std::move(probed));
    }
  }
  return result;
}
