// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds the tert ops against the functions of tert/ops.h, by every parameter's
// name as well as its type, and prints runtime/program/BackendOps.def, which
// the runtime, built without LLVM, has as a file.
//
//   cd runtime
//   tert-signatures include/tert/{ops,exchange}.h >program/BackendOps.def

#include "te/Dialect/TERT/IR/AccumulateOps.h"
#include "te/Dialect/TERT/IR/ExchangeOps.h"
#include "te/Dialect/TERT/IR/MovementOps.h"
#include "te/Dialect/TERT/IR/PartOps.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::te::tert;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

struct Signature {
  ArrayRef<SignatureParameter> parameters;
  bool hasBackendMethod;
  bool isDeclared = false;
};

/// A function of a header, and the section of the header that it is in.
struct Declaration {
  std::string function, parameters;
  std::string section;
};

} // namespace

template <typename... Ops>
static void collect(llvm::StringMap<Signature> &signatures) {
  ((signatures[("tert_" +
                Ops::getOperationName().drop_front(StringRef("tert.").size()))
                   .str()] = {Ops::kSignature, Ops::kHasBackendMethod}),
   ...);
}

/// A declarator: "const tert_tensor *x".
static std::string declare(StringRef type, StringRef name) {
  return (type + (type.ends_with("*") || type.ends_with("&") ? "" : " ") + name)
      .str();
}

static std::string camel(StringRef name) {
  return llvm::convertToCamelFromSnakeCase(name);
}

/// A header's functions, in their order.
static std::vector<Declaration> parseHeader(StringRef text) {
  std::vector<Declaration> declarations;
  std::string section;
  while (!text.empty()) {
    if (text.consume_front("/*")) {
      auto [comment, rest] = text.split("*/");
      text = rest;
      if (comment.consume_front("===-- "))
        section = comment.rtrim("-= ").str();
    } else if (text.consume_front("\ntert_status")) {
      auto [prototype, rest] = text.split(';');
      text = rest;
      auto [name, parameters] = prototype.split('(');
      std::vector<std::string> words;
      for (StringRef word : llvm::split(parameters.rtrim(')'), ' '))
        if (!word.trim().empty())
          words.push_back(word.trim().str());
      declarations.push_back(
          {name.trim().str(), llvm::join(words, " "), section});
    } else {
      text = text.drop_front();
    }
  }
  return declarations;
}

/// `items` in parentheses, with lines of at most 80 columns.
static void printList(llvm::raw_ostream &os, ArrayRef<std::string> items) {
  const StringRef indent = "                ";
  size_t column = indent.size() + 1;
  os << ",\n" << indent << "(";
  for (auto [index, item] : llvm::enumerate(items)) {
    // A comma or two parentheses follow.
    if (index && column + 1 + item.size() + 2 > 80) {
      os << "\n" << indent << " ";
      column = indent.size() + 1;
    } else if (index) {
      os << " ";
      ++column;
    }
    os << item;
    column += item.size();
    if (index + 1 != items.size()) {
      os << ",";
      ++column;
    }
  }
  os << ")";
}

static void printMethod(llvm::raw_ostream &os, StringRef function,
                        const Signature &signature) {
  std::vector<std::string> parameters, arguments;
  for (const SignatureParameter &parameter : signature.parameters) {
    arguments.push_back(camel(parameter.name));
    parameters.push_back(declare(parameter.backendType, arguments.back()));
  }
  os << "TERT_BACKEND_OP(" << camel(function.drop_front(strlen("tert_")));
  printList(os, parameters);
  printList(os, arguments);
  os << ")\n";
}

int main(int argc, char **argv) {
  if (argc < 2) {
    llvm::errs() << "usage: tert-signatures HEADER...\n";
    return 2;
  }
  llvm::StringMap<Signature> signatures;
  collect<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTOps.cpp.inc"
      >(signatures);
  collect<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTExchangeOps.cpp.inc"
      >(signatures);
  collect<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTAccumulateOps.cpp.inc"
      >(signatures);
  collect<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTMovementOps.cpp.inc"
      >(signatures);
  collect<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTPartOps.cpp.inc"
      >(signatures);

  int result = 0;
  auto fail = [&](StringRef file, StringRef function,
                  const llvm::Twine &message) {
    llvm::errs() << file << ": error: " << function << message << "\n";
    result = 1;
  };
  llvm::outs() <<
      R"(// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops that every backend has: TERT_BACKEND_OP(name, parameters, arguments),
// both lists in parentheses. Written by tert-signatures from TERTOps.td, in the
// order of tert/ops.h; a test says when it is out of date.
)";
  std::string section;
  for (const char *file : llvm::ArrayRef(argv + 1, argc - 1)) {
    auto header = llvm::MemoryBuffer::getFile(file);
    if (!header) {
      fail(file, "", header.getError().message());
      continue;
    }
    for (const Declaration &declaration : parseHeader((*header)->getBuffer())) {
      auto entry = signatures.find(declaration.function);
      if (entry == signatures.end()) {
        fail(file, declaration.function, " has no op in TERTOps.td");
        continue;
      }
      Signature &signature = entry->second;
      signature.isDeclared = true;
      std::string expected = "tert_context *context, const tert_site *site";
      for (const SignatureParameter &parameter : signature.parameters)
        expected += ", " + declare(parameter.cType, parameter.name);
      if (declaration.parameters != expected)
        fail(file, declaration.function,
             " is declared with (" + declaration.parameters +
                 "), but TERTOps.td says (" + expected + ")");
      if (!signature.hasBackendMethod)
        continue;
      if (section != declaration.section)
        llvm::outs() << "\n// " << declaration.section << "\n";
      section = declaration.section;
      printMethod(llvm::outs(), declaration.function, signature);
    }
  }
  for (const auto &[function, signature] : signatures)
    if (!signature.isDeclared)
      fail(argv[1], function,
           " is not declared, but TERTOps.td has an op for it");
  return result;
}
