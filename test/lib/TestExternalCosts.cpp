// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A cost model from outside the dialect: a dictionary of kernels' seconds.

#include "TestPasses.h"
#include "te/Dialect/TE/IR/TE.h"

using namespace mlir;
using namespace mlir::te;

namespace {
struct DictionaryCosts
    : CostModelAttrInterface::ExternalModel<DictionaryCosts, DictionaryAttr> {
  std::optional<Cost> getCost(Attribute attr, const Work &work) const {
    auto seconds = cast<DictionaryAttr>(attr).getAs<FloatAttr>(work.getName());
    if (!seconds)
      return std::nullopt;
    return Cost::measured(seconds.getValueAsDouble());
  }
  double getFloorSeconds(Attribute attr, const Work &work) const { return 0; }
  StringRef getDeviceName(Attribute attr) const { return "a dictionary"; }
};
} // namespace

void mlir::te::test::registerExternalCosts(DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, TEDialect *) {
    DictionaryAttr::attachInterface<DictionaryCosts>(*context);
  });
}
