// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of one rank among many.

#include "training/Data.h"

using namespace tert::training;
using namespace tert::session;

namespace {
class Share : public BatchSource {
public:
  Share(std::unique_ptr<BatchSource> source, uint64_t first, uint64_t share,
        uint64_t shares)
      : source(std::move(source)), first(first), share(share), shares(shares) {}

  Error fill(uint64_t step, EntryCall &call) override {
    return source->fill(first + step * shares + share, call);
  }
  /// Every share has as many: the rest is left out.
  uint64_t batches() const override { return source->batches() / shares; }
  std::string describe() const override {
    return source->describe() + ", on each of " + std::to_string(shares) +
           " ranks";
  }

private:
  std::unique_ptr<BatchSource> source;
  uint64_t first, share, shares;
};
} // namespace

std::unique_ptr<BatchSource>
tert::training::shareOf(std::unique_ptr<BatchSource> source, uint64_t first,
                        uint64_t share, uint64_t shares) {
  if (first == 0 && shares == 1)
    return source;
  return std::make_unique<Share>(std::move(source), first, share, shares);
}
