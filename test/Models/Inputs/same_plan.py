# Part of TE-MLIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""same_plan.py REMARKS REMARKS...: what te-partition decided about models
(--remarks-filter=te-partition) is equal, in program order, whatever the layers'
names are and however their weights are stored.

same_plan.py --rename MODEL.mlir: prints a model in text without a name of its
own: no locations, and parameters numbered in another order."""

import re
import sys

REMARK = re.compile(r"\[(Passed|Missed)\] (\w+) \|.*product=(\w+), "
                    r'(?:range=[^"]*"?[^"]*"?, )?shape="([^"]+)"')


def read(path):
    plan = []
    for line in open(path):
        if "Category:te-partition" not in line or "shape=" not in line:
            continue
        kind, decision, product, shape = REMARK.search(line).groups()
        sizes = [size.split("x") for size in re.split(", | -> ", shape)]
        plan.append((product, decision,
                     sorted(int(n) for matrix in sizes for n in matrix)))
    return plan


def rename(text):
    names = sorted(set(re.findall(r'te\.param = "([^"]*)"', text)))
    numbers = {name: f"p{(7 * i + 3) % (len(names) + 100)}"
               for i, name in enumerate(names)}
    assert len(set(numbers.values())) == len(names)
    text = re.sub(r'te\.param = "([^"]*)"',
                  lambda match: f'te.param = "{numbers[match[1]]}"', text)
    return re.sub(r' *loc\([^()]*(\([^()]*\))*[^()]*\)', "", text)


if sys.argv[1] == "--rename":
    print(rename(open(sys.argv[2]).read()))
else:
    plans = [read(path) for path in sys.argv[1:]]
    assert plans[0]
    for path, plan in zip(sys.argv[1:], plans):
        for mine, first in zip(plan, plans[0]):
            assert mine == first, (path, mine, first)
        assert len(plan) == len(plans[0]), path
    print(len(plans[0]), "products,",
          sum(decision == "FP8" for _, decision, _ in plans[0]), "in FP8")
