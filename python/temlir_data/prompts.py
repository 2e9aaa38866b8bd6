# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prompts to token ids, and ids to text, for te-run generate."""

from .documents import DataError
from .tokenize import configured_end, find_end, load_tokenizer


def encode_prompts(texts, tokenizer):
    """A dictionary: `prompts`, the ids of each text, with what the tokenizer puts around
    a text by itself, such as the token that begins it, but not with one behind it that
    ends texts; `end`, the id of the token that does, or None."""
    loaded = load_tokenizer(tokenizer)
    try:
        configured = configured_end(tokenizer)
        end = None if tokenizer == "bytes" else find_end(loaded, configured)
    except DataError:
        end = None
    prompts = [loaded.encode_prompt(text) for text in texts]
    for ids in prompts:
        if len(ids) > 1 and ids[-1] == end:
            ids.pop()
    return {"prompts": prompts, "end": end}


def decode_lines(lines, tokenizer):
    """The text of each line of ids with commas between. Raises DataError for what is not
    an id of the tokenizer."""
    loaded = load_tokenizer(tokenizer)
    size = loaded.get_vocab_size()
    for line in lines:
        try:
            ids = [int(item) for item in line.split(",")] if line.strip() else []
        except ValueError as error:
            raise DataError(
                f"'{line.strip()}' is not ids with commas between"
            ) from error
        for one in ids:
            if not 0 <= one < size:
                raise DataError(
                    f"the tokenizer '{tokenizer}' has ids 0 to {size - 1}, not {one}"
                )
        yield loaded.decode(ids)
