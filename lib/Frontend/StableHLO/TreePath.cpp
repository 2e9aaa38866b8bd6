// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TreePath.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;
using namespace mlir::te::stablehlo_import;

static bool isWordCharacter(char c) { return llvm::isAlnum(c) || c == '_'; }

TreePath TreePath::parse(StringRef text) {
  StringRef rest = text;
  StringRef root = rest.take_while(isWordCharacter);
  rest = rest.drop_front(root.size());
  SmallVector<std::string> keys;
  while (!rest.empty()) {
    if (rest.consume_front(".")) {
      StringRef name = rest.take_while(isWordCharacter);
      if (name.empty())
        return {text.str(), ""};
      keys.push_back(name.str());
      rest = rest.drop_front(name.size());
      continue;
    }
    if (!rest.consume_front("["))
      return {text.str(), ""};
    StringRef key;
    if (rest.starts_with("'") || rest.starts_with("\"")) {
      size_t end = rest.find((rest.take_front(1) + "]").str(), 1);
      if (end == StringRef::npos)
        return {text.str(), ""};
      key = rest.slice(1, end);
      rest = rest.drop_front(end + 2);
    } else {
      std::tie(key, rest) = rest.split(']');
      // [<flat index 0>]
      key.consume_front("<flat index ");
      key.consume_back(">");
    }
    if (key.empty())
      return {text.str(), ""};
    keys.push_back(key.str());
  }
  // A variable of Flax NNX has its array as an attribute.
  if (keys.size() > 1 && keys.back() == "value" && text.ends_with(".value"))
    keys.pop_back();
  return {root.str(), llvm::join(keys, ".")};
}

/// True if a component of an operation's name is added by JAX.
static bool isTransformation(StringRef part) {
  return part.empty() || part.contains('(') ||
         llvm::StringSwitch<bool>(part)
             .Cases({"while", "body", "cond", "closed_call", "checkpoint"},
                    true)
             .Cases({"remat", "rematted_computation", "pjit"}, true)
             .Cases({"custom_jvp_call", "custom_vjp_call"}, true)
             .Default(false);
}

std::string mlir::te::stablehlo_import::getModuleScopes(Location loc) {
  auto name = dyn_cast<NameLoc>(loc);
  if (!name)
    return {};
  SmallVector<StringRef> parts, scopes;
  name.getName().getValue().split(parts, '/');
  if (parts.size() < 2)
    return {};
  // The last component is the operation itself, or a called function.
  for (StringRef part : ArrayRef(parts).drop_back())
    if (!isTransformation(part))
      scopes.push_back(part);
  return llvm::join(scopes, ".");
}

LocationAttr mlir::te::stablehlo_import::getPosition(Location loc) {
  if (isa<FileLineColRange>(loc))
    return loc;
  if (auto name = dyn_cast<NameLoc>(loc))
    return getPosition(name.getChildLoc());
  if (auto call = dyn_cast<CallSiteLoc>(loc))
    return getPosition(call.getCallee());
  if (auto fused = dyn_cast<FusedLoc>(loc))
    for (Location part : fused.getLocations())
      if (LocationAttr position = getPosition(part))
        return position;
  return {};
}
