// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "te/Analysis/Policy.h"

#include "te/Dialect/TE/IR/LayerName.h"
#include "te/Support/Glob.h"
#include "te/Support/ReadFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace mlir::te;
using llvm::Error;
using llvm::Expected;
using llvm::Twine;

static Error makeError(StringRef name, unsigned line, unsigned column,
                       const Twine &message) {
  return llvm::createStringError(name + ":" + Twine(line) + ":" +
                                 Twine(column) + ": " + message);
}

std::string Policy::Rule::getSubject() const {
  return product ? glob + "/" + stringifyMatmulRole(*product).str() : glob;
}

/// Takes a product off the end of a rule's glob: "h.*" of "h.*/dgrad". Layers
/// may have slashes in their names.
static std::optional<MatmulRole> consumeProduct(StringRef &glob) {
  for (MatmulRole role :
       {MatmulRole::Fprop, MatmulRole::Dgrad, MatmulRole::Wgrad})
    if (StringRef rest = glob; rest.consume_back(stringifyMatmulRole(role)) &&
                               rest.consume_back("/")) {
      glob = rest;
      return role;
    }
  return std::nullopt;
}

Error Policy::addRule(StringRef text, StringRef name, unsigned line,
                      unsigned column) {
  column += text.size() - text.ltrim().size();
  text = text.trim();
  if (text.empty())
    return Error::success();
  size_t equals = text.rfind('=');
  if (equals == StringRef::npos)
    return makeError(name, line, column + text.size(),
                     "expected '=fp8' or '=high' after '" + text + "'");
  StringRef glob = text.take_front(equals).rtrim();
  StringRef value = text.drop_front(equals + 1);
  unsigned valueColumn =
      column + equals + 1 + (value.size() - value.ltrim().size());
  value = value.trim();
  std::optional<MatmulRole> product = consumeProduct(glob);
  if (glob.empty())
    return makeError(name, line, column,
                     product ? "expected a layer or glob before '/'"
                             : "expected a layer or glob before '='");
  std::optional<Precision> precision = symbolizePrecision(value);
  if (!precision)
    return makeError(name, line, valueColumn,
                     "expected 'fp8' or 'high' after '" + glob + "=', got '" +
                         value + "'");
  Expected<llvm::GlobPattern> matcher = createGlob(glob);
  if (!matcher)
    return makeError(name, line, column,
                     "bad glob '" + glob +
                         "': " + llvm::toString(matcher.takeError()));
  rules.push_back({glob.str(), product, *precision, line, column});
  return Error::success();
}

Error Policy::parseRules(StringRef text, StringRef name) {
  unsigned number = 0;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    ++number;
    line = line.take_front(line.find('#'));
    // Commas inside brackets and braces belong to the glob.
    size_t begin = 0;
    unsigned depth = 0;
    for (size_t i = 0; i <= line.size(); ++i) {
      char c = i < line.size() ? line[i] : ',';
      if (c == '{' || c == '[')
        ++depth;
      else if ((c == '}' || c == ']') && depth)
        --depth;
      else if (i == line.size() || (c == ',' && !depth)) {
        if (Error error =
                addRule(line.slice(begin, i), name, number, begin + 1))
          return error;
        begin = i + 1;
      }
    }
  }
  return Error::success();
}

Expected<Policy> Policy::parse(StringRef text) {
  Policy policy;
  StringRef name = "policy";
  std::unique_ptr<llvm::MemoryBuffer> file;
  if (text.consume_front("@")) {
    auto buffer = readFile(text, kMostTextBytes);
    if (!buffer)
      return llvm::createStringError("policy: " +
                                     llvm::toString(buffer.takeError()));
    file = std::move(*buffer);
    name = text;
    text = file->getBuffer();
  }
  if (Error error = policy.parseRules(text, name))
    return std::move(error);
  return policy;
}

/// Whether a rule's glob matches a layer that is not joined.
static bool matchesPart(const Policy::Rule &rule, StringRef layer) {
  // Checked when the rule was parsed.
  auto matcher = createGlob(rule.glob);
  if (!matcher) {
    llvm::consumeError(matcher.takeError());
    return false;
  }
  return matcher->match(layer) || matcher->match(getLayerModule(layer));
}

bool Policy::Rule::matches(StringRef layer) const {
  return llvm::any_of(splitLayer(layer), [&](const std::string &part) {
    return matchesPart(*this, part);
  });
}

const Policy::Rule *
Policy::lookup(StringRef layer, MatmulRole product,
               llvm::function_ref<void(const Rule &)> asked) const {
  const Rule *decisive = nullptr;
  for (const std::string &part : splitLayer(layer)) {
    auto rule = llvm::find_if(llvm::reverse(rules), [&](const Rule &rule) {
      return rule.covers(product) && matchesPart(rule, part);
    });
    if (rule == rules.rend())
      continue;
    if (asked)
      asked(*rule);
    if (!decisive || rule->precision == Precision::High)
      decisive = &*rule;
  }
  return decisive;
}
