// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tables of options. A struct's table says of each member that a user sets how
// it is written, what it takes, and what it means. Command lines, the options
// of pipelines, the C API and the artifact's record follow from it.

#ifndef TE_SUPPORT_OPTIONS_H
#define TE_SUPPORT_OPTIONS_H

#include "te/Support/NamedValues.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

namespace mlir::te {

/// What is wrong with a value: "is not a number". Nothing: it was taken.
using OptionProblem = std::optional<std::string>;

/// What is said about an option, whichever struct it is a part of.
struct OptionInfo {
  struct Choice {
    llvm::StringRef name, help;
  };
  llvm::StringRef name;
  /// What stands for the value in help; empty: the option is a flag.
  llvm::StringRef valueName;
  /// The first sentence is what a short help says.
  llvm::StringRef help;
  /// Options are listed by group; those without one are what most people need.
  llvm::StringRef group;
  /// Another name, which pipelines take.
  llvm::StringRef alias;
  /// The values that have names, or forms of values.
  std::vector<Choice> choices;
  /// Where a record of the program names it.
  bool isRecorded = true;
  /// Only pipelines have it: a compilation sets it by itself.
  bool isOfPipelines = false;

  bool isFlag() const { return valueName.empty(); }
  /// As a command line has it: "--precision", "-o".
  std::string getFlag() const;
  std::vector<std::string> getChoiceNames() const;
};

/// An option that sets a member of `Options`.
template <typename Options> struct OptionOf : OptionInfo {
  /// Takes a value, or says what is wrong with it.
  std::function<OptionProblem(Options &, llvm::StringRef)> set;
  /// The value; null when there is none: an empty text or list, a flag or a
  /// member that was not set.
  std::function<llvm::json::Value(const Options &)> get;
};

namespace options {
/// The pieces of a list: commas separate them, but not within braces.
llvm::SmallVector<llvm::StringRef> splitList(llvm::StringRef text);
OptionProblem parse(llvm::StringRef text, std::string &value);
OptionProblem parse(llvm::StringRef text, bool &value);
OptionProblem parse(llvm::StringRef text, double &value);
/// Given several times, all count.
OptionProblem parse(llvm::StringRef text, std::vector<std::string> &value);
template <typename Int>
std::enable_if_t<std::is_integral_v<Int>, OptionProblem>
parse(llvm::StringRef text, Int &value) {
  Int number;
  if (text.getAsInteger(10, number))
    return "is not an integer that fits";
  value = number;
  return std::nullopt;
}
template <typename T>
OptionProblem parse(llvm::StringRef text, std::optional<T> &value) {
  T parsed = {};
  OptionProblem problem = parse(text, parsed);
  if (!problem)
    value = std::move(parsed);
  return problem;
}

llvm::json::Value print(const std::string &value);
llvm::json::Value print(bool value);
llvm::json::Value print(const std::vector<std::string> &value);
template <typename T>
std::enable_if_t<std::is_arithmetic_v<T> && !std::is_same_v<T, bool>,
                 llvm::json::Value>
print(T value) {
  return value;
}
template <typename T> llvm::json::Value print(const std::optional<T> &value) {
  return value ? print(*value) : llvm::json::Value(nullptr);
}
} // namespace options

/// Builds the table of `Options`. `member` returns the member of a struct that
/// is const or not.
template <typename Options> class OptionTable {
public:
  using Option = OptionOf<Options>;

  /// The options from here on belong to the group `name`.
  void startGroup(llvm::StringRef name, bool isRecorded = true) {
    group = name;
    areRecorded = isRecorded;
  }

  Option &add(llvm::StringRef name, llvm::StringRef valueName,
              llvm::StringRef help) {
    Option &option = table.emplace_back();
    option.name = name;
    option.valueName = valueName;
    option.help = help;
    option.group = group;
    option.isRecorded = areRecorded;
    return option;
  }

  template <typename Member>
  Option &add(llvm::StringRef name, llvm::StringRef valueName,
              llvm::StringRef help, Member member) {
    Option &option = add(name, valueName, help);
    option.set = [member](Options &options, llvm::StringRef text) {
      return options::parse(text, member(options));
    };
    option.get = [member](const Options &options) {
      return options::print(member(options));
    };
    return option;
  }

  /// A whole number from `least` on.
  template <typename Member>
  Option &addNumber(llvm::StringRef name, long least, llvm::StringRef help,
                    Member member) {
    Option &option = add(name, "n", help, member);
    option.set = [set = option.set, least](Options &options,
                                           llvm::StringRef text) {
      long number;
      if (!text.getAsInteger(10, number) && number < least)
        return OptionProblem("must be at least " + std::to_string(least));
      return set(options, text);
    };
    return option;
  }

  /// A list, to which each occurrence adds.
  template <typename Member>
  Option &addList(llvm::StringRef name, llvm::StringRef valueName,
                  llvm::StringRef help, Member member) {
    Option &option = add(name, valueName, help, member);
    option.set = [member](Options &options,
                          llvm::StringRef text) -> OptionProblem {
      const auto pieces = options::splitList(text);
      for (llvm::StringRef piece : pieces)
        member(options).push_back(piece.str());
      return pieces.empty() ? OptionProblem("names nothing") : std::nullopt;
    };
    return option;
  }

  /// One of `values`, which must outlive the table.
  template <typename Enum, size_t count, typename Member>
  Option &addChoice(llvm::StringRef name, llvm::StringRef help,
                    const NamedValue<Enum> (&values)[count], Member member) {
    Option &option = add(name, "choice", help);
    for (const NamedValue<Enum> &value : values)
      option.choices.push_back({value.name, value.help});
    option.set = [&values, member](Options &options,
                                   llvm::StringRef text) -> OptionProblem {
      for (const NamedValue<Enum> &value : values)
        if (value.name == text) {
          member(options) = value.value;
          return std::nullopt;
        }
      return "is not known";
    };
    option.get = [&values,
                  member](const Options &options) -> llvm::json::Value {
      const std::optional<Enum> value = member(options);
      if (!value)
        return nullptr;
      return getOptionName(values, *value);
    };
    return option;
  }

  /// A text: one of `choices`, or one with parameters, "#te.x<y = 1>" or "x:y",
  /// which whoever uses it reads.
  template <typename Member>
  Option &addOpenChoice(llvm::StringRef name, llvm::StringRef valueName,
                        llvm::StringRef help,
                        std::vector<OptionInfo::Choice> choices,
                        Member member) {
    Option &option = add(name, valueName, help, member);
    option.choices = choices;
    option.set = [set = option.set, choices](Options &options,
                                             llvm::StringRef text) {
      if (text.find_first_of("#<:") == llvm::StringRef::npos &&
          llvm::none_of(choices, [&](const OptionInfo::Choice &choice) {
            return choice.name == text;
          }))
        return OptionProblem("is not known");
      return set(options, text);
    };
    return option;
  }

  /// The options of a struct that `Options` has as a member, or as a base.
  template <typename Other, typename Member>
  void append(llvm::ArrayRef<OptionOf<Other>> others, Member member) {
    for (const OptionOf<Other> &other : others) {
      Option &option = table.emplace_back();
      static_cast<OptionInfo &>(option) = other;
      option.set = [set = other.set, member](Options &options,
                                             llvm::StringRef text) {
        return set(member(options), text);
      };
      option.get = [get = other.get, member](const Options &options) {
        return get(member(options));
      };
    }
  }

  std::vector<Option> take() { return std::move(table); }

private:
  std::vector<Option> table;
  llvm::StringRef group;
  bool areRecorded = true;
};

/// The table of `Options`, each of which has a definition of this.
template <typename Options> llvm::ArrayRef<OptionOf<Options>> getOptions();

/// The option that `name` is the name of, or the alias; or null.
template <typename Options>
const OptionOf<Options> *findOption(llvm::StringRef name) {
  for (const OptionOf<Options> &option : getOptions<Options>())
    if (name == option.name || (!name.empty() && name == option.alias))
      return &option;
  return nullptr;
}

/// "--precision=fp9 is not known; use fp8, bf16, f32; did you mean 'fp8'?"
std::string explainProblem(const OptionInfo &option, llvm::StringRef value,
                           llvm::StringRef problem);
/// "there is no option 'presicion'; did you mean 'precision'?"
std::string explainUnknown(llvm::StringRef name,
                           const std::vector<std::string> &names);

/// Sets the option `name`; on failure a sentence says what is wrong and what
/// can be written instead.
template <typename Options>
OptionProblem setOption(Options &options, llvm::StringRef name,
                        llvm::StringRef value) {
  if (const OptionOf<Options> *option = findOption<Options>(name)) {
    OptionProblem problem = option->set(options, value);
    return problem ? explainProblem(*option, value, *problem) : problem;
  }
  std::vector<std::string> names;
  for (const OptionInfo &option : getOptions<Options>())
    names.push_back(option.name.str());
  return explainUnknown(name, names);
}

/// What shaped a program: the value of each option that is recorded and has
/// one, under its name.
template <typename Options>
llvm::json::Object recordOptions(const Options &options) {
  llvm::json::Object record;
  for (const OptionOf<Options> &option : getOptions<Options>())
    if (option.isRecorded)
      if (llvm::json::Value value = option.get(options);
          value.kind() != llvm::json::Value::Null)
        record[option.name] = std::move(value);
  return record;
}

} // namespace mlir::te

/// What OptionTable takes as a member.
#define TE_OPTION_MEMBER(path)                                                 \
  [](auto &options) -> auto & { return options.path; }

#endif // TE_SUPPORT_OPTIONS_H
