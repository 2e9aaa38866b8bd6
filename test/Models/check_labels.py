# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Labels that do not count, and accuracy, of a classifier: means and shares computed
here from the scores of `te-run forward` are what evaluation and training tell.

usage: check_labels.py TE_RUN TRAIN FORWARD FOLDER"""

import json
import math
import os
import random
import subprocess
import sys

import tensor_files

te_run, train, forward, folder = sys.argv[1:]
os.makedirs(folder, exist_ok=True)
BATCH, SEQUENCE, VOCABULARY, CLASSES, IGNORED = 3, 6, 24, 4, -100


def write(name, tensors):
    return tensor_files.write(os.path.join(folder, name), tensors)


def run(*arguments, fails=False):
    result = subprocess.run([te_run, *arguments], capture_output=True, text=True)
    assert (result.returncode != 0) == fails, (arguments, result)
    return result


random.seed(7)
batches = 5
ids = [[random.randrange(VOCABULARY) for _ in range(BATCH * SEQUENCE)] for _ in range(batches)]
labels = [[random.randrange(CLASSES) for _ in range(BATCH)] for _ in range(batches)]
labels[1] = [IGNORED] * BATCH
labels[2][0] = labels[2][2] = labels[4][1] = IGNORED

# Loss and hits of each batch, from its scores.
losses, counts, hits = [], [], []
for batch in range(batches):
    file = write("one.safetensors", {"input_ids": ([BATCH, SEQUENCE], ids[batch])})
    out = os.path.join(folder, "out.safetensors")
    run("forward", forward, "--inputs", file, "--outputs", out)
    scores = tensor_files.floats(tensor_files.read(out)["sequences"])
    terms = []
    hits.append(0)
    for row, label in enumerate(labels[batch]):
        if label == IGNORED:
            continue
        own = scores[row * CLASSES:(row + 1) * CLASSES]
        terms.append(math.log(sum(math.exp(score) for score in own)) - own[label])
        hits[-1] += own.index(max(own)) == label
    counts.append(len(terms))
    losses.append(sum(terms) / max(len(terms), 1))
total = sum(loss * count for loss, count in zip(losses, counts)) / sum(counts)
assert 0 < sum(hits) < sum(counts), hits


def batches_with(name, labels):
    return write(name, {
        "input_ids": ([batches, BATCH, SEQUENCE], [i for batch in ids for i in batch]),
        "labels": ([batches, BATCH], [i for batch in labels for i in batch])})


data = batches_with("data.safetensors", labels)
told = json.loads(run("eval", train, "--data", data, "--json").stdout)
assert told["labels"] == sum(counts), told
assert abs(told["loss"] - total) < 1e-5, (told, total)
assert abs(told["accuracy"] - sum(hits) / sum(counts)) < 1e-9, (told, hits)
text = run("eval", train, "--data", data).stdout
assert f"accuracy {100 * sum(hits) / sum(counts):.2f} %" in text, text
assert "perplexity" not in text, text

# Training tells the same mean, of the same states: the learning rate is 0.
log = os.path.join(folder, "log")
result = run("train", train, "--data", data, "--steps", "5", "--lr", "0", "--metrics", log,
             "--eval-data", data, "--watch", "saturation=0.5")
with open(log) as file:
    lines = [json.loads(line) for line in file]
assert [line["labels"] for line in lines] == counts, lines
assert abs(lines[-1]["mean_loss"] - total) < 1e-5, (lines[-1], total)
assert abs(lines[-1]["eval_accuracy"] - sum(hits) / sum(counts)) < 1e-9, lines[-1]
assert "1 of 5 batches have no label that counts" in result.stderr, result.stderr
assert "step 2: no label of its data counts" in result.stderr, result.stderr
assert "steps without a label that counts: 1" in result.stdout, result.stdout
# Without FP8 there is nothing to watch, which is no failure.
assert "no amaxes to watch" in result.stdout, result.stdout

# Nothing can be learned from labels of which none counts.
none = batches_with("none.safetensors", [[IGNORED] * BATCH] * batches)
result = run("train", train, "--data", none, "--steps", "5", fails=True)
assert "every label in 'labels' of" in result.stderr, result.stderr
assert "step" not in result.stderr, result.stderr
