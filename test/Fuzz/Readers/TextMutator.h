// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Changes MLIR's text as text of MLIR: a name, a number, a type takes the place
// of another, lines come twice or not at all. Flipped bytes rarely pass the
// parser.

#ifndef TE_TEST_FUZZ_READERS_TEXTMUTATOR_H
#define TE_TEST_FUZZ_READERS_TEXTMUTATOR_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <algorithm>
#include <random>
#include <string>

namespace mlir::te::fuzz {

class TextMutator {
public:
  /// \p operations: names, as the text spells them, that may take the place of
  /// one of them.
  TextMutator(StringRef text, ArrayRef<StringRef> operations, unsigned seed)
      : text(text), operations(operations), random(seed) {}

  /// The text, changed in one place.
  std::string run() {
    switch (below(6)) {
    case 0:
      return changeLines();
    case 1:
      return replaceOperation();
    default:
      return replaceToken();
    }
  }

private:
  enum class Kind { Number, Value, Type, Word };
  struct Token {
    Kind kind;
    StringRef spelling;
  };

  size_t below(size_t count) { return count ? random() % count : 0; }

  std::string replaced(StringRef old, StringRef by) {
    size_t begin = size_t(old.data() - text.data());
    return (text.take_front(begin) + by + text.drop_front(begin + old.size()))
        .str();
  }

  /// Types are whole, as far as brackets tell: tensor<2x3xf32>.
  SmallVector<Token> getTokens() {
    SmallVector<Token> tokens;
    auto isWord = [](char c) { return llvm::isAlnum(c) || c == '_'; };
    for (size_t i = 0; i < text.size();) {
      StringRef rest = text.drop_front(i);
      StringRef token;
      Kind kind = Kind::Word;
      if (rest.starts_with("tensor<")) {
        size_t end = rest.find('>');
        token = end == StringRef::npos ? rest : rest.take_front(end + 1);
        kind = Kind::Type;
      } else if (rest.front() == '%') {
        token =
            rest.take_front(1 + rest.drop_front().take_while(isWord).size());
        kind = Kind::Value;
      } else if (llvm::isDigit(rest.front()) || rest.front() == '-') {
        token = rest.take_front(1 + rest.drop_front()
                                        .take_while([](char c) {
                                          return llvm::isAlnum(c) || c == '.';
                                        })
                                        .size());
        kind = Kind::Number;
      } else if (isWord(rest.front())) {
        token = rest.take_while(isWord);
      } else {
        ++i;
        continue;
      }
      tokens.push_back({kind, token});
      i += token.size();
    }
    return tokens;
  }

  std::string replaceToken() {
    static const char *const odd[] = {"0",
                                      "1",
                                      "-1",
                                      "2",
                                      "3",
                                      "7",
                                      "64",
                                      "4294967296",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "1.0e+38",
                                      "0x7FC00000"};
    SmallVector<Token> tokens = getTokens();
    if (tokens.empty())
      return text.str();
    Token &token = tokens[below(tokens.size())];
    if (token.kind == Kind::Number && below(2))
      return replaced(token.spelling, odd[below(std::size(odd))]);
    // A dimension or the element type.
    if (token.kind == Kind::Type && below(2)) {
      static const char *const elements[] = {"f32", "bf16", "f16", "f64", "i1",
                                             "i8",  "i32",  "i64", "ui8"};
      StringRef type = token.spelling;
      if (below(2)) {
        size_t last = std::max(type.rfind('x') + 1, type.find('<') + 1);
        return replaced(type.substr(last, type.size() - last - 1),
                        elements[below(std::size(elements))]);
      }
      StringRef size =
          type.drop_front(type.find('<') + 1).take_while(llvm::isDigit);
      if (!size.empty())
        return replaced(size, odd[below(8)]);
    }
    SmallVector<StringRef> same;
    for (const Token &other : tokens)
      if (other.kind == token.kind)
        same.push_back(other.spelling);
    return replaced(token.spelling, same[below(same.size())].str());
  }

  std::string replaceOperation() {
    SmallVector<StringRef> there;
    for (StringRef name : operations)
      for (size_t at = text.find(name); at != StringRef::npos;
           at = text.find(name, at + name.size()))
        there.push_back(text.substr(at, name.size()));
    if (there.empty())
      return text.str();
    return replaced(there[below(there.size())],
                    operations[below(operations.size())]);
  }

  std::string changeLines() {
    SmallVector<StringRef> lines;
    text.split(lines, '\n');
    size_t line = below(lines.size());
    switch (below(3)) {
    case 0:
      lines.erase(lines.begin() + line);
      break;
    case 1:
      lines.insert(lines.begin() + line, lines[below(lines.size())]);
      break;
    default:
      std::swap(lines[line], lines[below(lines.size())]);
    }
    return llvm::join(lines, "\n");
  }

  StringRef text;
  ArrayRef<StringRef> operations;
  std::mt19937 random;
};

/// LLVMFuzzerCustomMutator for texts: up to four changes. One text in eight is
/// changed as bytes, by \p mutateBytes: words are read, too.
template <typename MutateBytes>
size_t mutateText(uint8_t *data, size_t size, size_t maxSize, unsigned seed,
                  ArrayRef<StringRef> operations, MutateBytes mutateBytes) {
  if (seed % 8 == 0 || size == 0)
    return mutateBytes(data, size, maxSize);
  std::string text(reinterpret_cast<const char *>(data), size);
  for (unsigned i = 0; i <= seed / 8 % 4; ++i)
    text = TextMutator(text, operations, seed + i).run();
  if (text.size() > maxSize)
    return size;
  std::copy(text.begin(), text.end(), data);
  return text.size();
}

} // namespace mlir::te::fuzz

#endif // TE_TEST_FUZZ_READERS_TEXTMUTATOR_H
