// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The data of one of several ranks.

#include "training/Data.h"

using namespace tert::training;
using namespace tert::session;

namespace {
class Share : public BatchSource {
public:
  Share(std::unique_ptr<BatchSource> source, const DataShare &share)
      : source(std::move(source)), share(share) {}

  Error fill(uint64_t step, EntryCall &call) override {
    return source->fill(share.first + step * share.shares + share.share, call);
  }
  void prepare(uint64_t step) const override {
    source->prepare(share.first + step * share.shares + share.share);
  }
  /// All shares have the same number; the rest is skipped.
  uint64_t batches() const override { return source->batches() / share.shares; }
  std::string describe(uint64_t perStep) const override {
    std::string text = source->describe(perStep);
    return share.shares == 1 ? text
                             : text + ", on each of " +
                                   std::to_string(share.shares) + " ranks";
  }

  Expected<std::optional<uint64_t>> labels(uint64_t step) override {
    std::optional<uint64_t> all;
    for (uint64_t i = 0; i < share.shares; ++i) {
      Expected<std::optional<uint64_t>> one =
          source->labels(share.first + step * share.shares + i);
      if (!one || !*one)
        return one;
      all = all.value_or(0) + **one;
    }
    return all;
  }
  Expected<std::vector<std::string>>
  scan(const std::atomic<bool> &stop) const override {
    return source->scan(stop);
  }
  uint64_t bytesToScan() const override { return source->bytesToScan(); }

private:
  std::unique_ptr<BatchSource> source;
  DataShare share;
};
} // namespace

std::unique_ptr<BatchSource>
tert::training::shareOf(std::unique_ptr<BatchSource> source,
                        const DataShare &share) {
  if (share.first == 0 && share.shares == 1)
    return source;
  return std::make_unique<Share>(std::move(source), share);
}
