// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report/GraphRows.h"

#include "Table.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir::te;

//===----------------------------------------------------------------------===//
// Rows
//===----------------------------------------------------------------------===//

namespace {
class RowMaker {
public:
  void add(const ReportOp &op);
  std::vector<GraphRow> rows;

private:
  void addForward(const ReportOp &op);
  void addBackward(const ReportOp &op);
  void put(size_t row, GraphRow::Place place, const ReportOp &op);
  GraphRow &insert(size_t row, const ReportOp &op);
  std::optional<size_t> findForward(const ReportOp &gradient) const;

  /// The row of each layer.
  llvm::StringMap<size_t> layers;
  /// The row of the last gradient, and whether there is one.
  size_t last = 0;
  bool isBackward = false;
};
} // namespace

bool mlir::te::isLayer(const GraphRow &row) {
  return llvm::any_of(row.boxes, [](const GraphBox &box) {
    return box.op && !box.op->product.empty();
  });
}

void RowMaker::put(size_t row, GraphRow::Place place, const ReportOp &op) {
  GraphBox &box = rows[row].boxes[place];
  if (!box.op)
    box.op = &op;
  ++box.count;
}

GraphRow &RowMaker::insert(size_t row, const ReportOp &op) {
  for (auto &layer : layers)
    if (layer.second >= row)
      ++layer.second;
  if (!op.product.empty())
    layers[op.path] = row;
  rows.insert(rows.begin() + row, GraphRow{op.path, {}});
  return rows[row];
}

void RowMaker::addForward(const ReportOp &op) {
  // A layer is one row, and so is an operation on several parts.
  auto known = layers.find(op.path);
  if (!op.product.empty() && known != layers.end())
    return put(known->second, GraphRow::Forward, op);
  if (op.product.empty())
    for (size_t row = rows.size(), end = row - std::min<size_t>(row, 3);
         row > end; --row) {
      const ReportOp *other = rows[row - 1].boxes[GraphRow::Forward].op;
      if (other && other->product.empty() && other->kernel == op.kernel &&
          other->path == op.path)
        return put(row - 1, GraphRow::Forward, op);
    }
  insert(rows.size(), op);
  put(rows.size() - 1, GraphRow::Forward, op);
}

/// The row of the operation whose gradient an operation seems to be: of the
/// same module, or with that kernel before the next product.
std::optional<size_t> RowMaker::findForward(const ReportOp &gradient) const {
  llvm::StringRef kernel = gradient.kernel;
  kernel.consume_back("_grad");
  for (size_t row = last + 1; row > 0; --row) {
    const GraphRow &candidate = rows[row - 1];
    if (isLayer(candidate)) {
      if (row - 1 < last && gradient.path.empty())
        return std::nullopt;
      continue;
    }
    const GraphBox &forward = candidate.boxes[GraphRow::Forward];
    const GraphBox &backward = candidate.boxes[GraphRow::Backward];
    if (forward.op && forward.op->path == gradient.path &&
        (forward.op->kernel == kernel || !gradient.path.empty()) &&
        (!backward.op || backward.op->kernel == gradient.kernel))
      return row - 1;
  }
  return std::nullopt;
}

void RowMaker::addBackward(const ReportOp &op) {
  if (!isBackward && !rows.empty())
    last = rows.size() - 1;
  isBackward = true;
  const GraphRow::Place place =
      op.product == "wgrad" ? GraphRow::Wgrad : GraphRow::Backward;
  if (!op.product.empty()) {
    auto known = layers.find(op.path);
    if (known != layers.end()) {
      // Some weights' gradients are computed late.
      last = std::min(last, known->second);
      return put(known->second, place, op);
    }
  } else if (!rows.empty()) {
    if (std::optional<size_t> row = findForward(op)) {
      last = *row;
      return put(*row, place, op);
    }
  }
  insert(last, op);
  put(last, place, op);
}

void RowMaker::add(const ReportOp &op) {
  if (op.phase == ReportOp::Phase::Forward)
    addForward(op);
  else
    addBackward(op);
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// What rows of equal blocks have in common: everything but numbers in names.
static std::string makeSignature(const GraphRow &row) {
  std::string text = row.name;
  // A layer without a name of its own has the number of its use.
  size_t colon = text.find_last_of(':');
  if (colon != std::string::npos &&
      llvm::all_of(text.substr(colon + 1), llvm::isDigit))
    text.resize(colon);
  takeLayerNumber(text);
  for (const GraphBox &box : row.boxes) {
    text += "\n" + std::to_string(box.count);
    if (box.op)
      text += box.op->kernel + "\t" + box.op->formats + "\t" + box.op->shape;
  }
  return text;
}

/// How often the rows from `begin`, `period` of them, come one behind the
/// other.
static size_t countRepeats(llvm::ArrayRef<unsigned> rows, size_t begin,
                           size_t period) {
  size_t end = begin + period;
  while (end < rows.size() && rows[end] == rows[end - period])
    ++end;
  return (end - begin) / period;
}

/// Whether the rows of a block have one number in their names: those of
/// "h.3", not of the end of "h.3" and the beginning of "h.4".
static bool haveOneNumber(llvm::ArrayRef<GraphRow> rows) {
  std::optional<int64_t> first;
  for (const GraphRow &row : rows) {
    std::string name = row.name;
    std::optional<int64_t> number = takeLayerNumber(name);
    if (number && number != first.value_or(*number))
      return false;
    first = first ? first : number;
  }
  return true;
}

/// How many rows to leave before equal blocks that begin at the beginning of a
/// numbered one; 0 if there is no such place.
static size_t findAlignment(llvm::ArrayRef<GraphRow> rows,
                            llvm::ArrayRef<unsigned> signatures, size_t begin,
                            size_t period, size_t count) {
  for (size_t offset = 0;
       offset < period && begin + offset + period <= rows.size(); ++offset)
    if (haveOneNumber(rows.slice(begin + offset, period)) &&
        countRepeats(signatures, begin + offset, period) + 1 >=
            std::max<size_t>(count, 3))
      return offset;
  return 0;
}

/// One name for rows that are drawn as one.
static std::string joinNames(llvm::ArrayRef<GraphRow> rows, size_t first,
                             size_t period, size_t count) {
  std::string pattern;
  std::vector<int64_t> numbers;
  for (size_t i = 0; i < count; ++i) {
    std::string name = rows[first + i * period].name;
    if (std::optional<int64_t> number = takeLayerNumber(name))
      numbers.push_back(*number);
    if (i == 0)
      pattern = name;
    else if (name != pattern)
      return rows[first].name + ", …";
  }
  return putLayerNumbers(pattern, std::move(numbers));
}

static std::vector<GraphBlock> makeBlocks(llvm::ArrayRef<GraphRow> rows) {
  // Nobody repeats more rows than this, and a search for them takes long.
  constexpr size_t kLongestPeriod = 256;
  llvm::StringMap<unsigned> numbers;
  std::vector<unsigned> signatures;
  for (const GraphRow &row : rows)
    signatures.push_back(
        numbers.try_emplace(makeSignature(row), numbers.size()).first->second);
  std::vector<GraphBlock> blocks;
  for (size_t begin = 0; begin < rows.size();) {
    size_t period = 1, count = 1, saved = 0;
    for (size_t tried = 1;
         tried <= std::min(kLongestPeriod, (rows.size() - begin) / 2);
         ++tried) {
      size_t repeats = countRepeats(signatures, begin, tried);
      if ((repeats - 1) * tried <= saved)
        continue;
      period = tried;
      count = repeats;
      saved = (repeats - 1) * tried;
    }
    if (count > 1 && findAlignment(rows, signatures, begin, period, count) > 0)
      period = count = 1;
    GraphBlock block;
    block.count = int64_t(count);
    for (size_t i = 0; i < period; ++i) {
      block.rows.push_back(rows[begin + i]);
      block.rows.back().name = joinNames(rows, begin + i, period, count);
    }
    // Rows that are not repeated stand together.
    if (count == 1 && !blocks.empty() && blocks.back().count == 1)
      blocks.back().rows.push_back(std::move(block.rows.front()));
    else
      blocks.push_back(std::move(block));
    begin += period * count;
  }
  return blocks;
}

GraphRows mlir::te::makeGraphRows(const ReportGraph &graph) {
  RowMaker maker;
  llvm::MapVector<llvm::StringRef, GraphBox> update;
  for (const ReportOp &op : graph.ops) {
    if (op.phase != ReportOp::Phase::Update) {
      maker.add(op);
      continue;
    }
    GraphBox &box = update[op.kernel];
    if (!box.op)
      box.op = &op;
    ++box.count;
  }
  GraphRows made;
  made.blocks = makeBlocks(maker.rows);
  for (const auto &[kernel, box] : update)
    made.update.push_back(box);
  return made;
}
