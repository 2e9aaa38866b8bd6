// Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages of tools, and their colours.

#ifndef TE_TOOLS_COMMAND_LINE_MESSAGES_H
#define TE_TOOLS_COMMAND_LINE_MESSAGES_H

#include <cstdio>
#include <string>

namespace tert::cli {

bool isTerminal(std::FILE *stream);

/// Whether the user wants colours: NO_COLOR is not set (no-color.org), and the
/// terminal has them.
bool wantsColours();

enum class Colour { Red, Green, Yellow, Blue, Dim, Bold };
/// `text` in a colour if `stream` is a terminal and wantsColours().
std::string coloured(std::FILE *stream, Colour colour, const std::string &text);

/// "te-run: warning: …" for stderr, without the end of the line.
std::string messageLine(const std::string &tool, Colour colour,
                        const std::string &kind, const std::string &message);
/// "te-run: error: …" for stderr, without the end of the line.
std::string errorLine(const std::string &tool, const std::string &message);

/// Wrong usage exits with this code.
constexpr int exitUsage = 2;
/// Prints what is wrong with a command line, and where `command` is described;
/// returns exitUsage.
int reportUsage(const std::string &tool, const std::string &command,
                const std::string &message);

} // namespace tert::cli

#endif // TE_TOOLS_COMMAND_LINE_MESSAGES_H
