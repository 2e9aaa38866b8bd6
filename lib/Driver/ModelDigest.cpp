// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ModelDigest.h"

#include "te/Dialect/TE/IR/FrozenParameters.h"

#include "mlir/IR/BuiltinAttributes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SHA256.h"

#include <array>

using namespace mlir;
using namespace mlir::te;

static std::array<uint8_t, 32> hashOf(ArrayRef<char> bytes) {
  return llvm::SHA256::hash(
      llvm::arrayRefFromStringRef(StringRef(bytes.data(), bytes.size())));
}

std::string mlir::te::digestOf(ModuleOp module) {
  constexpr int64_t kMostInText = 16;
  // What is trained is said by name, and may be said otherwise later.
  std::vector<std::pair<FunctionOpInterface, unsigned>> frozen;
  for (auto function : module.getOps<FunctionOpInterface>())
    for (unsigned i = 0, e = function.getNumArguments(); i < e; ++i)
      if (isFrozen(function, i))
        frozen.push_back({function, i});
  for (auto [function, argument] : frozen)
    function.removeArgAttr(argument, kFrozenAttr);
  llvm::scope_exit restore([&] {
    for (auto [function, argument] : frozen)
      function.setArgAttr(argument, kFrozenAttr,
                          UnitAttr::get(module.getContext()));
  });
  std::string text;
  llvm::raw_string_ostream os(text);
  module.print(os,
               OpPrintingFlags().printGenericOpForm().elideLargeElementsAttrs(
                   kMostInText));
  llvm::SHA256 digest;
  digest.update(text);
  llvm::DenseMap<Attribute, std::array<uint8_t, 32>> known;
  module.walk([&](Operation *op) {
    for (NamedAttribute attribute : op->getAttrDictionary()) {
      auto numbers = dyn_cast<DenseElementsAttr>(attribute.getValue());
      if (!numbers || numbers.isSplat() || numbers.size() <= kMostInText)
        continue;
      auto [it, isNew] = known.try_emplace(numbers);
      if (isNew)
        it->second = hashOf(numbers.getRawData());
      digest.update(it->second);
    }
  });
  return llvm::toHex(ArrayRef(digest.final()).take_front(8),
                     /*LowerCase=*/true);
}
