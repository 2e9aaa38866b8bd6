// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes what the runtime, built without LLVM, has as files of the tert ops'
// definitions: the functions of tert/ops.h and tert/collectives.h with their
// comments, and program/BackendOps.def.
//
//   tert-signatures RUNTIME OUTPUT
//
// Reads the headers in the folder RUNTIME/include/tert, where what stands
// before and behind the functions is written by hand, and writes all three
// files to the folder OUTPUT. Functions stay in their order; new ones come last
// in their section.

#include "te/Dialect/TERT/IR/TERT.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir::te::tert;
using llvm::ArrayRef;
using llvm::StringRef;

namespace {

/// An op, as the files of the runtime have it.
struct Function {
  std::string name; ///< "tert_matmul"
  StringRef header, section, description;
  ArrayRef<SignatureParameter> parameters;
  bool hasBackendMethod;
};

/// By section, in the order of the sections.
using Sections = llvm::MapVector<StringRef, std::vector<const Function *>>;

} // namespace

// Around what is written in a header.
constexpr StringRef kBegin = "/* Written by tert-signatures, from the ops' "
                             "definitions (TERTOps.td). */\n"
                             "/* clang-format off */\n";
constexpr StringRef kEnd = "/* clang-format on */\n";

template <typename... Ops>
static void collect(std::vector<Function> &functions) {
  (functions.push_back({("tert_" + Ops::getOperationName().drop_front(
                                       StringRef("tert.").size()))
                            .str(),
                        Ops::kHeader, Ops::kSection, Ops::kDescription,
                        Ops::kSignature, Ops::kHasBackendMethod}),
   ...);
}

static std::vector<Function> collectAll() {
  std::vector<Function> functions;
  collect<
#define GET_OP_LIST
#include "te/Dialect/TERT/IR/TERTOps.cpp.inc"
      >(functions);
  return functions;
}

/// A declarator: "const tert_tensor *x".
static std::string declare(StringRef type, StringRef name) {
  return (type + (type.ends_with("*") || type.ends_with("&") ? "" : " ") + name)
      .str();
}

static std::string camel(StringRef name) {
  return llvm::convertToCamelFromSnakeCase(name);
}

/// The functions of one header, those that `text` has in its order.
static Sections arrange(ArrayRef<Function> functions, StringRef header,
                        StringRef text) {
  std::vector<std::pair<size_t, const Function *>> places;
  for (const Function &function : functions)
    if (function.header == header)
      places.push_back({text.find(function.name + "("), &function});
  llvm::stable_sort(places, llvm::less_first());
  Sections sections;
  for (auto [place, function] : places)
    sections[function->section].push_back(function);
  return sections;
}

/// `items` in lines of at most 80 columns that start with `indent`, of which
/// the first has been printed, and leave room for what closes the list.
static void printItems(llvm::raw_ostream &os, ArrayRef<std::string> items,
                       StringRef indent) {
  size_t column = indent.size();
  for (auto [index, item] : llvm::enumerate(items)) {
    if (index && column + 1 + item.size() + 2 > 80) {
      os << "\n" << indent;
      column = indent.size();
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
}

//===----------------------------------------------------------------------===//
// Headers
//===----------------------------------------------------------------------===//

/// The description as a C comment: its first line gives the indentation.
static void printComment(llvm::raw_ostream &os, StringRef description) {
  StringRef text = description.ltrim('\n').rtrim();
  const size_t indent = text.size() - text.ltrim(' ').size();
  StringRef before = "/* ";
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    line = line.drop_front(std::min(indent, line.size())).rtrim();
    os << (line.empty() ? before.rtrim() : before) << line;
    os << (rest.empty() ? " */\n" : "\n");
    text = rest;
    before = " * ";
  }
}

static void printHeader(llvm::raw_ostream &os, const Sections &sections) {
  for (const auto &[section, functions] : sections) {
    std::string rule = ("/*===-- " + section + " ").str();
    os << "\n" << rule << std::string(75 - rule.size(), '-') << "===*/\n";
    for (const Function *function : functions) {
      // Functions without a description share the one above.
      if (!function->description.trim().empty())
        os << "\n";
      printComment(os, function->description);
      std::vector<std::string> parameters = {"tert_context *context",
                                             "const tert_site *site"};
      for (const SignatureParameter &parameter : function->parameters)
        parameters.push_back(declare(parameter.cType, parameter.name));
      os << "tert_status " << function->name << "(\n    ";
      printItems(os, parameters, "    ");
      os << ");\n";
    }
  }
  os << "\n";
}

//===----------------------------------------------------------------------===//
// Methods of backends
//===----------------------------------------------------------------------===//

static void printMethod(llvm::raw_ostream &os, const Function &function) {
  std::vector<std::string> parameters, arguments;
  for (const SignatureParameter &parameter : function.parameters) {
    arguments.push_back(camel(parameter.name));
    parameters.push_back(declare(parameter.backendType, arguments.back()));
  }
  const StringRef indent = "                 ";
  os << "TERT_BACKEND_OP("
     << camel(StringRef(function.name).drop_front(strlen("tert_")));
  for (ArrayRef<std::string> list : {parameters, arguments}) {
    os << ",\n" << indent.drop_back() << "(";
    printItems(os, list, indent);
    os << ")";
  }
  os << ")\n";
}

static void printMethods(llvm::raw_ostream &os, const Sections &sections) {
  for (const auto &[section, functions] : sections) {
    bool isFirst = true;
    for (const Function *function : functions) {
      if (!function->hasBackendMethod)
        continue;
      if (isFirst)
        os << "\n// " << section << "\n";
      isFirst = false;
      printMethod(os, *function);
    }
  }
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

static bool fail(const llvm::Twine &file, const llvm::Twine &message) {
  llvm::errs() << file << ": error: " << message << "\n";
  return false;
}

static bool writeFile(StringRef folder, StringRef name, StringRef text) {
  llvm::SmallString<128> path(folder);
  llvm::sys::path::append(path, name);
  std::error_code code =
      llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
  if (code)
    return fail(path, code.message());
  llvm::raw_fd_ostream os(path, code);
  if (code)
    return fail(path, code.message());
  os << text;
  return true;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    llvm::errs() << "usage: tert-signatures RUNTIME OUTPUT\n";
    return 2;
  }
  const StringRef runtime = argv[1], output = argv[2];
  const std::vector<Function> functions = collectAll();
  std::string methods =
      R"(// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ops that every backend has: TERT_BACKEND_OP(name, parameters, arguments),
// both lists in parentheses. Written by tert-signatures from TERTOps.td, in the
// order of tert/ops.h; a test says when it is out of date.
)";
  llvm::raw_string_ostream methodStream(methods);
  for (StringRef header : {"ops", "collectives"}) {
    const std::string name = ("include/tert/" + header + ".h").str();
    auto file = llvm::MemoryBuffer::getFile(runtime + "/" + name);
    if (!file)
      return !fail(runtime + "/" + name, file.getError().message());
    const StringRef text = (*file)->getBuffer();
    const size_t begin = text.find(kBegin), end = text.rfind(kEnd);
    if (begin == StringRef::npos || end == StringRef::npos)
      return !fail(name, "lacks the lines between which functions are "
                         "written:\n" +
                             kBegin + kEnd);
    const Sections sections = arrange(functions, header, text);
    std::string written;
    llvm::raw_string_ostream os(written);
    os << text.take_front(begin) << kBegin;
    printHeader(os, sections);
    os << text.drop_front(end);
    if (!writeFile(output, name, written))
      return 1;
    printMethods(methodStream, sections);
  }
  return !writeFile(output, "program/BackendOps.def", methods);
}
