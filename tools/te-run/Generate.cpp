// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// te-run generate: text, or token ids, that a model continues.

#include "Arguments.h"
#include "Commands.h"
#include "Output.h"
#include "PromptText.h"
#include "Setup.h"
#include "States.h"
#include "generation/Sampler.h"
#include "generation/TokenModel.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <chrono>
#include <functional>
#include <memory>
#include <unistd.h>

using namespace tert;
using namespace tert::run;
using namespace tert::session;
using namespace tert::generation;

namespace {
constexpr uint64_t defaultTokens = 100;

struct GenerateOptions {
  Setup setup;
  std::string checkpoint, logits, stop;
  std::vector<std::string> prompts, promptIds;
  std::optional<uint64_t> tokens;
  SamplingOptions sampling;
  Tokenizer tokenizer;
  bool isUncached = false, isQuiet = false;
};

/// "1,2,3".
Expected<Tokens> parseIds(const std::string &flag, const std::string &text) {
  Tokens ids;
  const char *at = text.data(), *end = at + text.size();
  while (true) {
    int64_t id = 0;
    auto [rest, error] = std::from_chars(at, end, id);
    if (error != std::errc() || (rest != end && *rest != ',') || id < 0)
      return Error(flag +
                   " takes ids with commas between, such as 1,2,3, not '" +
                   text + "'");
    ids.push_back(id);
    if (rest == end)
      return ids;
    at = rest + 1;
  }
}

/// Prints a text of bytes, or ids.
class Writer {
public:
  explicit Writer(bool asBytes)
      : asBytes(asBytes), isShown(isTerminal(stdout)) {}

  void write(int64_t id) {
    if (!asBytes) {
      std::printf("%s%lld", isFirst ? "" : ",", static_cast<long long>(id));
      isFirst = false;
      return;
    }
    // What a model writes must not control a terminal.
    const bool isControl = (id < ' ' && id != '\n' && id != '\t') || id == 0x7f;
    std::putchar(isShown && isControl ? '?' : static_cast<int>(id));
  }
  void endSequence() {
    std::putchar('\n');
    isFirst = true;
  }

private:
  bool asBytes, isShown;
  bool isFirst = true;
};

Error checkPrompt(const Tokens &prompt, const TokenModel &model,
                  const Setup &setup, std::optional<uint64_t> tokens) {
  if (prompt.empty())
    return Error("a prompt needs at least one token");
  for (int64_t id : prompt)
    if (id >= model.vocabulary())
      return Error("id " + std::to_string(id) +
                   " of a prompt is not in the vocabulary of '" +
                   setup.artifact + "': its ids are 0 to " +
                   std::to_string(model.vocabulary() - 1));
  const std::string room =
      "'" + setup.artifact + "' reads " + std::to_string(model.context()) +
      " tokens at most, and a prompt has " + std::to_string(prompt.size());
  if (int64_t(prompt.size()) > model.context())
    return Error(room + "; shorten it, or export the model for longer "
                        "sequences");
  if (tokens && *tokens > uint64_t(model.context()) - prompt.size())
    return Error(room + ", which leaves room for " +
                 std::to_string(model.context() - prompt.size()) +
                 ", not for --tokens " + std::to_string(*tokens) +
                 "; export the model for longer sequences");
  return Error::success();
}

/// Adds the token that ends texts to `stops`, where it is known.
Expected<std::vector<Tokens>> readPrompts(const GenerateOptions &options,
                                          const TokenModel &model,
                                          Tokens &stops) {
  std::vector<Tokens> prompts;
  if (!options.tokenizer.name.empty() && !options.prompts.empty()) {
    Expected<EncodedPrompts> encoded =
        encodePrompts(options.tokenizer, options.prompts);
    if (!encoded)
      return encoded.takeError();
    prompts = std::move(encoded->prompts);
    if (encoded->end)
      stops.push_back(*encoded->end);
  } else {
    for (const std::string &text : options.prompts) {
      if (model.vocabulary() > 256)
        return Error("'" + options.setup.artifact + "' has " +
                     std::to_string(model.vocabulary()) +
                     " ids, so they are not bytes of a text. Name the model's "
                     "tokenizer with --tokenizer, or give the ids of the "
                     "prompt with --prompt-ids");
      Tokens &ids = prompts.emplace_back();
      for (unsigned char byte : text)
        ids.push_back(byte);
    }
  }
  for (const std::string &text : options.promptIds) {
    Expected<Tokens> ids = parseIds("--prompt-ids", text);
    if (!ids)
      return ids.takeError();
    prompts.push_back(std::move(*ids));
  }
  if (int64_t(prompts.size()) > model.rows())
    return Error("'" + options.setup.artifact + "' computes batches of " +
                 std::to_string(model.rows()) + ", fewer than the " +
                 std::to_string(prompts.size()) +
                 " prompts; give fewer, or export the model for a larger "
                 "batch");
  for (const Tokens &prompt : prompts)
    if (Error error = checkPrompt(prompt, model, options.setup, options.tokens))
      return error;
  return prompts;
}

/// Whether the program has a cache of keys and values that is to be used. Fails
/// for programs that generate no text.
Expected<bool> usesCache(const GenerateOptions &options,
                         const Description &description) {
  const std::string &artifact = options.setup.artifact;
  if (description.sharesBatches())
    return Error("'" + artifact + "' is for " + description.mesh.text() +
                 ", whose ranks compute a batch together. Compile the model "
                 "without --mesh to generate text; it reads the same "
                 "checkpoints");
  if (!description.findEntry("decode") && !description.findEntry("forward"))
    return Error("'" + artifact +
                 "' has neither the entry 'decode' nor 'forward'; it has: " +
                 description.entryNames() +
                 ". Compile the model with --entry decode; that program reads "
                 "the same checkpoints");
  return description.findEntry("decode") && !options.isUncached;
}

/// What was generated in which time.
struct Speed {
  uint64_t tokens = 0;
  double first = 0, others = 0; ///< Seconds.

  void print(size_t sequences, bool isCached) const {
    std::string text =
        format("%llu tokens, the first after %.3g ms",
               static_cast<unsigned long long>(tokens), first * 1e3);
    if (tokens > sequences)
      text += format(", then %.3g tokens/s",
                     static_cast<double>(tokens - sequences) / others);
    if (!isCached)
      text += "; each computes the whole sequence, without a cache (te-compile "
              "--entry decode)";
    std::fprintf(stderr, "%s\n", text.c_str());
  }
};

/// Adds up to `count` tokens to each of the first sequences. `onToken` hears of
/// each.
Expected<Speed> extend(TokenModel &model, std::vector<Sampler> samplers,
                       const Tokens &stops, uint64_t count,
                       std::vector<Tokens> &sequences,
                       const std::function<void(int64_t)> &onToken) {
  using Clock = std::chrono::steady_clock;
  auto seconds = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double>(to - from).count();
  };
  Speed speed;
  std::vector<char> isDone(samplers.size(), false);
  std::vector<float> logits;
  const auto start = Clock::now();
  auto afterFirst = start;
  for (uint64_t index = 0; index < count; ++index) {
    if (std::all_of(isDone.begin(), isDone.end(),
                    [](char done) { return done; }))
      break;
    std::fflush(stdout);
    if (Error error = model.next(sequences, logits))
      return error;
    if (index == 0)
      afterFirst = Clock::now();
    for (size_t row = 0; row < samplers.size(); ++row) {
      if (isDone[row])
        continue;
      Expected<int64_t> token = samplers[row].choose(
          &logits[row * model.vocabulary()], model.vocabulary(), index);
      if (!token)
        return token.takeError();
      sequences[row].push_back(*token);
      ++speed.tokens;
      isDone[row] =
          std::find(stops.begin(), stops.end(), *token) != stops.end();
      onToken(*token);
    }
  }
  speed.first = seconds(start, afterFirst);
  speed.others = seconds(afterFirst, Clock::now());
  return speed;
}

Error generate(const GenerateOptions &options) {
  Expected<Tokens> stops = Tokens();
  if (!options.stop.empty())
    stops = parseIds("--stop", options.stop);
  if (!stops)
    return stops.takeError();
  Expected<std::unique_ptr<Session>> session = options.setup.open();
  if (!session)
    return session.takeError();
  const Description &description = (*session)->description();
  Expected<bool> isCached = usesCache(options, description);
  if (!isCached)
    return isCached.takeError();
  Expected<std::unique_ptr<TokenModel>> opened =
      *isCached ? openCached(**session, options.logits)
                : openForward(**session, options.logits);
  if (!opened)
    return opened.takeError();
  TokenModel &model = **opened;
  Expected<std::vector<Tokens>> prompts = readPrompts(options, model, *stops);
  if (!prompts)
    return prompts.takeError();
  training::Ranks ranks(nullptr, description.mesh);
  if (Error error =
          loadStates(options.setup, **session, options.checkpoint, ranks)
              .takeError())
    return error;
  if (Error error = warnOfFreshScales(
          **session, *description.findEntry(*isCached ? "decode" : "forward"),
          ranks))
    return error;

  std::vector<Sampler> samplers;
  uint64_t room = model.context();
  for (const Tokens &prompt : *prompts) {
    samplers.emplace_back(options.sampling, samplers.size());
    room = std::min<uint64_t>(room, model.context() - prompt.size());
  }
  const size_t count = samplers.size();
  // Rows that no prompt uses compute some token.
  std::vector<Tokens> sequences = *prompts;
  sequences.resize(model.rows(), Tokens{0});

  const bool hasTokenizer = !options.tokenizer.name.empty();
  Writer writer(!options.prompts.empty() && !hasTokenizer);
  // Several are printed one after the other at the end, and so is what Python
  // makes a text of.
  const bool printsAtOnce = count == 1 && !hasTokenizer;
  if (printsAtOnce)
    for (int64_t id : sequences.front())
      writer.write(id);
  Expected<Speed> speed =
      extend(model, std::move(samplers), *stops,
             options.tokens.value_or(std::min<uint64_t>(room, defaultTokens)),
             sequences, [&](int64_t token) {
               if (printsAtOnce)
                 writer.write(token);
             });
  if (!speed)
    return speed.takeError();
  sequences.resize(count);
  Error failure = hasTokenizer ? printTexts(options.tokenizer, sequences)
                               : Error::success();
  // Without a text the ids are not lost.
  if (!hasTokenizer || failure) {
    for (const Tokens &sequence : sequences) {
      if (!printsAtOnce)
        for (int64_t id : sequence)
          writer.write(id);
      writer.endSequence();
    }
    std::fflush(stdout);
  }
  if (failure)
    return failure;
  Setup::reportNotices(**session);
  if (!options.isQuiet && speed->tokens != 0)
    speed->print(count, *isCached);
  return Error::success();
}
} // namespace

void run::addGenerate(CLI::App &app, Run &run) {
  auto options = std::make_shared<GenerateOptions>();
  CLI::App *command = app.add_subcommand(
      "generate", "Text, or token ids, by which the model continues a prompt");
  options->setup.addTo(*command);
  command
      ->add_option("--checkpoint", options->checkpoint,
                   "Of a training: a file, or the folder of a run (its "
                   "newest); without it the program's first values")
      ->type_name("FILE");
  command
      ->add_option("--prompt", options->prompts,
                   "Text to continue; may be repeated, up to the rows of a "
                   "batch. Without --tokenizer its bytes are the tokens")
      ->allow_extra_args(false)
      ->type_name("TEXT");
  command
      ->add_option("--prompt-ids", options->promptIds,
                   "Token ids to continue, with commas between; may be "
                   "repeated. Without --tokenizer the result is printed as "
                   "ids")
      ->allow_extra_args(false)
      ->type_name("IDS");
  CLI::Option *tokenizer =
      command
          ->add_option("--tokenizer", options->tokenizer.name,
                       "The model's: a tokenizer.json or a folder with one, "
                       "for text through Python (temlir_data), which also ends "
                       "at the token that ends texts")
          ->type_name("FILE");
  command
      ->add_option("--python", options->tokenizer.python,
                   "The Python that has temlir_data and tokenizers")
      ->type_name("FILE")
      ->capture_default_str()
      ->needs(tokenizer);
  command->add_option("--tokens", options->tokens,
                      "How many to generate at most; without it 100, or as "
                      "many as the program's sequences leave room for");
  command
      ->add_option("--temperature", options->sampling.temperature,
                   "Logits are divided by it before a token is drawn; 0: the "
                   "most likely token each time (greedy)")
      ->check(notNegative())
      ->capture_default_str();
  command
      ->add_option("--top-p", options->sampling.topP,
                   "Draw among the fewest most likely tokens whose "
                   "probabilities sum to this, above 0 and up to 1")
      ->check(CLI::Validator(
          [](std::string &text) {
            double value = 0;
            return CLI::detail::lexical_cast(text, value) && value > 0 &&
                           value <= 1
                       ? std::string()
                       : "takes a number above 0 and up to 1, not '" + text +
                             "'";
          },
          /*description=*/""))
      ->capture_default_str();
  command
      ->add_option("--top-k", options->sampling.topK,
                   "Draw among this many most likely tokens only; 0: all")
      ->capture_default_str();
  command
      ->add_option("--stop", options->stop,
                   "End a sequence behind one of these ids, with commas "
                   "between, such as that of the end of a text")
      ->type_name("IDS");
  command
      ->add_option("--logits", options->logits,
                   "The output with the logits; without it the only one of "
                   "their shape")
      ->type_name("NAME");
  command->add_flag("--no-cache", options->isUncached,
                    "Compute the whole sequence for every token, by the entry "
                    "'forward', where there are both");
  command->add_flag("--quiet", options->isQuiet,
                    "Print warnings and the result alone, no speed");
  command->footer(
      "Needs the entry 'decode', which caches keys and values, or 'forward', "
      "which computes the whole sequence for every token (te-compile --entry "
      "decode).\n"
      "Prints the prompt and what follows. The tokens of a prompt depend on "
      "--seed, its number and the options alone.\n"
      "Examples:\n"
      "  te-run generate gpt.so --checkpoint run --prompt 'Once upon'\n"
      "  te-run generate llama.so --prompt-ids 1,450,4799 --tokens 20 \\\n"
      "         --temperature 0.8 --top-p 0.9 --seed 1");
  command->callback([options, &run] {
    run = [options] {
      if (options->prompts.empty() == options->promptIds.empty())
        return reportUsage(options->prompts.empty()
                               ? "generate needs a prompt: --prompt TEXT, or "
                                 "--prompt-ids IDS"
                               : "--prompt and --prompt-ids exclude each other",
                           "generate");
      GenerateOptions resolved = *options;
      resolved.sampling.seed = options->setup.initialization.seed;
      Error error = generate(resolved);
      return error ? reportError(error) : 0;
    };
  });
}
