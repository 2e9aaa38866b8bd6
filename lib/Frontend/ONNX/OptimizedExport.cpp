// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects models that went through the exporter's own optimizer, which folds
// transposes into weights and merges initializers with equal values: harmless
// for inference, wrong for training.

#include "GraphImporter.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;
using namespace mlir::te;
using namespace mlir::te::onnx_import;

/// Most names listed of each kind.
static constexpr size_t kNamesShown = 4;

/// True if the exporter generated the name: val_93.
static bool isGenerated(StringRef name) {
  return name.consume_front("val_") && !name.empty() &&
         llvm::all_of(name, llvm::isDigit);
}

/// The layers that read a parameter. A layer reads its parameter once; reads
/// without a known path count separately.
static SmallVector<std::string> getLayers(BlockArgument parameter) {
  SmallVector<std::string> layers;
  llvm::StringSet<> seen;
  for (Operation *user : parameter.getUsers()) {
    StringRef path = getModulePath(user);
    if (path.empty() || seen.insert(path).second)
      layers.push_back(path.empty() ? "an unnamed layer" : path.str());
  }
  std::reverse(layers.begin(), layers.end()); // into the model's order
  return layers;
}

template <typename Range>
static void list(Diagnostic &note, const Range &names) {
  llvm::interleaveComma(llvm::ArrayRef(names).take_front(kNamesShown), note,
                        [&](StringRef name) { note << name; });
  if (names.size() > kNamesShown)
    note << " and " << names.size() - kNamesShown << " more";
}

void GraphImporter::warnOfOptimizedExport() {
  SmallVector<std::string> renamed;
  SmallVector<std::pair<std::string, SmallVector<std::string>>> merged;
  for (auto [i, parameter] : llvm::enumerate(result.parameters)) {
    if (signature.parameters.empty()
            ? isGenerated(parameter.name)
            : !signature.parameters.contains(parameter.name))
      renamed.push_back("'" + parameter.name + "'");
    // Matrices are shared on purpose (tied embeddings), vectors are not.
    if (parameter.type.getRank() != 1)
      continue;
    auto layers = getLayers(body->getArgument(numInputs + i));
    if (layers.size() > 1)
      merged.emplace_back(parameter.name, std::move(layers));
  }
  if (renamed.empty() && merged.empty())
    return;
  InFlightDiagnostic diag =
      emitWarning(fileLoc)
      << "this model went through the exporter's optimizer, which damages "
         "models meant for training; export it with "
         "torch.onnx.export(..., dynamo=True, optimize=False) or the export "
         "helper in python/";
  if (!renamed.empty()) {
    Diagnostic &note = diag.attachNote();
    note << renamed.size() << " parameter(s) lost their names: ";
    list(note, renamed);
  }
  for (const auto &[name, layers] :
       llvm::ArrayRef(merged).take_front(kNamesShown)) {
    Diagnostic &note = diag.attachNote();
    note << "parameter '" << name << "' takes the place of " << layers.size()
         << " that had equal values, and would be trained as one: it is read "
            "by ";
    list(note, layers);
  }
  if (merged.size() > kNamesShown)
    diag.attachNote() << merged.size() - kNamesShown
                      << " more parameters are shared so";
}
