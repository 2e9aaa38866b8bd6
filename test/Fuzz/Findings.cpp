// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Findings.h"

#include "llvm/ADT/StringExtras.h"

#include <set>

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::fuzz;

std::string fuzz::kindOf(const Result &result) {
  // The first words that are neither quoted nor numbers nor types.
  std::string kind = result.stage + ": ";
  bool isQuoted = false;
  unsigned depth = 0;
  StringRef message = StringRef(result.message).take_front(160);
  auto isDigitAt = [&](size_t at) {
    return at < message.size() && llvm::isDigit(message[at]);
  };
  for (auto [at, c] : llvm::enumerate(message)) {
    // A point within a number belongs to it.
    if (c == '.' && at > 0 && isDigitAt(at - 1) && isDigitAt(at + 1))
      continue;
    if (c == '\'')
      isQuoted = !isQuoted;
    depth += c == '<';
    if (!isQuoted && depth == 0 && c != '\'' && !llvm::isDigit(c))
      kind += c == '\n' || c == '\t' ? ' ' : c;
    depth -= c == '>' && depth > 0;
  }
  // How far a number is off does not matter.
  if (size_t at = kind.find(" instead of "); at != std::string::npos)
    kind.resize(at);
  if (size_t at = kind.find(" gives a slope of "); at != std::string::npos)
    kind.resize(at);
  if (size_t at = kind.find(" is -"); at != std::string::npos)
    kind.resize(at + 3);
  return kind;
}

std::string fuzz::toLine(const Result &result) {
  std::string message = result.message;
  for (char &c : message)
    if (c == '\n' || c == '\t')
      c = ' ';
  return std::to_string(int(result.ending)) + "\t" + result.stage + "\t" +
         message;
}

Result fuzz::fromLine(StringRef line) {
  auto [ending, rest] = line.split('\t');
  auto [stage, message] = rest.split('\t');
  int number = 0;
  ending.getAsInteger(10, number);
  return {Ending(number), stage.str(), message.str()};
}

namespace {

class Reducer {
public:
  Reducer(std::vector<uint32_t> best, std::vector<Choices::Span> spans,
          unsigned attempts, llvm::function_ref<void(Choices &)> make,
          llvm::function_ref<bool(ArrayRef<uint32_t>)> fails)
      : best(std::move(best)), spans(std::move(spans)), attempts(attempts),
        make(make), fails(fails) {}

  std::vector<uint32_t> run() {
    for (bool changed = true; changed && attempts > 0;) {
      changed = dropSpans();
      for (size_t length : {16, 8, 4, 2, 1})
        changed |= dropBlocks(length);
      changed |= makeSmaller();
    }
    return best;
  }

private:
  /// Keeps `candidate` if it is simpler and fails as well.
  bool attempt(std::vector<uint32_t> candidate) {
    if (attempts == 0)
      return false;
    Choices choices(std::move(candidate));
    make(choices);
    // Zeros at the end go without saying.
    std::vector<uint32_t> taken = choices.taken().vec();
    while (!taken.empty() && taken.back() == 0)
      taken.pop_back();
    if (!isSimpler(taken) || !tried.insert(taken).second)
      return false;
    --attempts;
    if (!fails(taken))
      return false;
    best = std::move(taken);
    spans.assign(choices.spans().begin(), choices.spans().end());
    return true;
  }

  bool isSimpler(ArrayRef<uint32_t> other) const {
    if (other.size() != best.size())
      return other.size() < best.size();
    return std::lexicographical_compare(other.begin(), other.end(),
                                        best.begin(), best.end());
  }

  bool drop(size_t begin, size_t end) {
    if (begin >= best.size())
      return false;
    std::vector<uint32_t> candidate = best;
    candidate.erase(candidate.begin() + ptrdiff_t(begin),
                    candidate.begin() +
                        ptrdiff_t(std::min(end, candidate.size())));
    return attempt(std::move(candidate));
  }

  bool dropSpans() {
    bool changed = false;
    for (size_t i = spans.size(); i-- > 0;)
      if (i < spans.size())
        changed |= drop(spans[i].begin, spans[i].end);
    return changed;
  }

  bool dropBlocks(size_t length) {
    bool changed = false;
    for (size_t at = best.size(); at-- > 0;)
      if (at + length <= best.size())
        changed |= drop(at, at + length);
    return changed;
  }

  bool makeSmaller() {
    bool changed = false;
    for (size_t at = 0; at < best.size(); ++at)
      for (uint32_t smaller : {0u, 1u, best[at] / 2, best[at] - 1}) {
        if (at >= best.size() || smaller >= best[at])
          continue;
        std::vector<uint32_t> candidate = best;
        candidate[at] = smaller;
        changed |= attempt(std::move(candidate));
      }
    return changed;
  }

  std::vector<uint32_t> best;
  std::vector<Choices::Span> spans;
  unsigned attempts;
  llvm::function_ref<void(Choices &)> make;
  llvm::function_ref<bool(ArrayRef<uint32_t>)> fails;
  /// Many ways of leaving something out lead to the same decisions.
  std::set<std::vector<uint32_t>> tried;
};

} // namespace

std::vector<uint32_t>
fuzz::reduceChoices(const Choices &failing, unsigned attempts,
                    llvm::function_ref<void(Choices &)> make,
                    llvm::function_ref<bool(ArrayRef<uint32_t>)> fails) {
  return Reducer(failing.taken().vec(), failing.spans().vec(), attempts, make,
                 fails)
      .run();
}
