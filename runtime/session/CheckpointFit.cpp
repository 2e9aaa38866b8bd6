// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "session/CheckpointFit.h"

#include <algorithm>
#include <map>
#include <sstream>

using namespace tert::session;

static std::string formatOf(const SlotDescription &slot) {
  return slot.format == TERT_F8E5M2 ? "e5m2" : "e4m3";
}

std::string tert::session::slotList(const Description &description) {
  std::string text;
  for (const SlotDescription &slot : description.slots)
    text += slot.name + ":" + formatOf(slot) + "\n";
  return text;
}

Error CheckpointFit::findSlots(const std::string &slots,
                               const Description &description,
                               CheckpointPart part) {
  std::map<std::string, size_t> inFile; // "name:format" to column.
  std::istringstream lines(slots);
  for (std::string line; std::getline(lines, line);)
    inFile.emplace(line, slotsInFile++);
  auto failure = [&](const std::string &what) {
    return Error("its FP8 slots are others than this model's (another "
                 "precision, recipe or policy): " +
                 what);
  };
  for (const SlotDescription &slot : description.slots) {
    auto column = inFile.find(slot.name + ":" + formatOf(slot));
    if (column == inFile.end())
      return failure("it has no slot '" + slot.name + "' in " + formatOf(slot));
    columns.push_back(column->second);
    inFile.erase(column);
  }
  if (part == CheckpointPart::Whole && !inFile.empty())
    return failure("this program has no slot '" + inFile.begin()->first + "'");
  return Error::success();
}

Error CheckpointFit::findTensors(const TensorFiles &file,
                                 const Description &description,
                                 CheckpointPart part) {
  for (const StateDescription &state : description.states) {
    if (state.isSum()) {
      tensors.push_back(nullptr);
      continue;
    }
    const StoredTensor *tensor = file.find(state.name);
    if (!tensor)
      return Error("it has no state '" + state.name + "'");
    Shape shape = state.globalShape();
    if (state.isPerSlot() &&
        static_cast<size_t>(shape.back()) == columns.size())
      shape.back() = static_cast<int64_t>(slotsInFile);
    if (tensor->shape() != shape ||
        tensor->dtype() != toFileDType(state.type.dtype))
      return Error("its state '" + state.name + "' is " +
                   std::string(nameOf(tensor->dtype())) + " " +
                   toString(tensor->shape()) + ", this model's is " +
                   toString(state.globalType()));
    tensors.push_back(tensor);
  }
  if (part == CheckpointPart::Needed)
    return Error::success();
  for (const auto &[name, tensor] : file.tensors())
    if (std::none_of(description.states.begin(), description.states.end(),
                     [&, &name = name](const auto &state) {
                       return state.name == name;
                     }))
      return Error("this program has no state '" + name + "'");
  return Error::success();
}

Expected<CheckpointFit> CheckpointFit::find(const TensorFiles &file,
                                            const std::string &slots,
                                            const Description &description,
                                            CheckpointPart part) {
  CheckpointFit fit;
  if (Error error = fit.findSlots(slots, description, part))
    return error;
  if (Error error = fit.findTensors(file, description, part))
    return error;
  return fit;
}

std::string CheckpointFit::columnsOf(const StoredTensor &tensor) const {
  size_t element = sizeOf(tensor.dtype());
  size_t row = slotsInFile * element;
  std::string all(static_cast<size_t>(tensor.elements()) * element, '\0');
  tensor.read(0, tensor.elements(), all.data());
  std::string bytes;
  for (size_t at = 0; row && at < all.size(); at += row)
    for (size_t column : columns)
      bytes.append(all, at + column * element, element);
  return bytes;
}

Error CheckpointFit::write(Session &session) const {
  const std::vector<StateDescription> &states = session.description().states;
  for (size_t index = 0; index < states.size(); ++index) {
    Error error = Error::success();
    const StoredTensor *tensor = tensors[index];
    if (!tensor) {
      error = session.clearState(index);
    } else if (states[index].isPerSlot()) {
      std::string bytes = columnsOf(*tensor);
      error = session.writeState(index, bytes.data(), bytes.size());
    } else {
      error = session.fillState(index, [&](const ShardRange &range, char *to) {
        tensor->read(range.global, range.count, to);
        return Error::success();
      });
    }
    if (error)
      return error;
  }
  return Error::success();
}
