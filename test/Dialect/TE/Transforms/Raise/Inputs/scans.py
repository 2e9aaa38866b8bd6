"""Prints recurrences that are written out step by step, as functions: those that te-raise
makes te.scan of, and some that are almost like them.

    scans.py scans|states|trees|other_trees|none|deep|unit
"""

import itertools
import sys

from unit_dims import Function

TOKENS = 5


def slices(f, x, dim, start, size=1):
    offsets = [start if d == dim else 0 for d in range(len(x[1]))]
    shape = [size if d == dim else n for d, n in enumerate(x[1])]
    return f.add(
        f"tensor.extract_slice {x[0]}{offsets} {shape} {[1] * len(shape)} : {f.type(x)} to {{type}}", shape)


def at(f, x, dim, token):
    """One token of x, without its dimension."""
    return f.reshape(slices(f, x, dim, token), x[1][:dim] + x[1][dim + 1:])


def concat(f, parts, dim):
    shape = list(parts[0][1])
    shape[dim] = sum(part[1][dim] for part in parts)
    return f.add(f"tensor.concat dim({dim}) {', '.join(part[0] for part in parts)} : "
                 f"({', '.join(f.type(part) for part in parts)}) -> {{type}}", shape)


def stack(f, parts, dim):
    shape = parts[0][1]
    return concat(f, [f.reshape(part, shape[:dim] + (1,) + shape[dim:]) for part in parts], dim)


def tokens_of(change, what):
    """The tokens that steps read; `change` may spoil those of `what`."""
    tokens = list(range(TOKENS))
    if change == f"{what}_swapped":
        tokens[2], tokens[3] = tokens[3], tokens[2]
    if change == f"{what}_again":
        tokens[3] = 2
    return tokens


def selective(f, b, d, n, change=None, initial=False):
    """Mamba as transformers has it: [B,D,T,N], exp(A * dt), dt * B * x, products with C."""
    a, dt = f.argument([d, n]), f.argument([b, d, TOKENS])
    keys, x, queries = f.argument([b, TOKENS, n]), f.argument([b, d, TOKENS]), f.argument([b, TOKENS, n])
    whole = [b, d, TOKENS, n]
    steps = f.broadcast(dt, whole, [3])
    decay = f.unary("math.exp", f.binary("arith.mulf", f.broadcast(f.unary("arith.negf", f.unary("math.exp", a)), whole, [0, 2]), steps))
    if change == "other_steps":
        steps = f.broadcast(f.argument([b, d, TOKENS]), whole, [3])
    added = f.binary("arith.mulf", f.binary("arith.mulf", steps, f.broadcast(keys, whole, [1])), f.broadcast(x, whole, [3]))
    h = f.argument([b, d, n]) if initial else f.constant([b, d, n], 0)
    outputs, states = [], []
    for token, of_decay, of_input, of_query in zip(range(TOKENS), tokens_of(change, "decays"), tokens_of(change, "inputs"), tokens_of(change, "queries")):
        h = f.binary("arith.mulf", at(f, decay, 2, of_decay), h)
        if change == "scaled" and token == 3:
            h = f.binary("arith.mulf", h, f.constant(h[1], 2))
        h = f.binary("arith.addf", h, at(f, added, 2, of_input))
        states.append(h)
        if change == "unread" and token == 1:
            continue
        y = f.contract("bdn,bnj->bdj", h, f.reshape(at(f, queries, 1, of_query), [b, n, 1]))
        outputs.append(f.reshape(y, [b, d]))
    if change in ("read_elsewhere", "final"):
        return concat(f, [stack(f, outputs, 2), states[2 if change == "read_elsewhere" else -1]], 2)
    if change == "reversed_outputs":
        return stack(f, outputs[::-1], 2)
    if change == "stacked_first":
        return stack(f, outputs, 0)
    if change == "stacked_twice":
        return concat(f, [stack(f, outputs, 1), stack(f, outputs, 1)], 1)
    if change == "one_output":
        return outputs[3]
    return stack(f, outputs, 2)


def linear_attention(f, b, d, n, change=None):
    """Decays of channels, [B,T,D], and the product x * k; states [B,N,D]."""
    decay, x = f.argument([b, TOKENS, d]), f.argument([b, TOKENS, d])
    keys, queries = f.argument([b, TOKENS, n]), f.argument([b, TOKENS, n])
    h = f.constant([b, n, d], 0)
    whole = [b, TOKENS, n, d]
    decays = f.broadcast(decay, whole, [2])
    added = f.binary("arith.mulf", f.broadcast(keys, whole, [3]), f.broadcast(x, whole, [2]))
    outputs = []
    for token in range(TOKENS):
        h = f.binary("arith.addf", at(f, added, 1, token), f.binary("arith.mulf", h, at(f, decays, 1, token)))
        outputs.append(f.contract("bn,bnd->bd", at(f, queries, 1, token), h))
    return stack(f, outputs, 1)


def undecayed(f, b, d, n, change=None):
    """Linear attention without decays: states [B,N,D] are sums of products k * v."""
    values, keys = f.argument([b, TOKENS, d]), f.argument([b, TOKENS, n])
    queries, whole = f.argument([b, TOKENS, n]), [b, TOKENS, n, d]
    added = f.binary("arith.mulf", f.broadcast(keys, whole, [3]), f.broadcast(values, whole, [2]))
    h, outputs = f.argument([b, n, d]) if change == "initial" else f.constant([b, n, d], 0), []
    for token, of_input in zip(range(TOKENS), tokens_of(change, "inputs")):
        own = at(f, added, 1, of_input)
        if token or change == "initial":
            is_first = change == "state_first" or change == "either" and token % 2 == 0
            own = f.binary("arith.addf", h, own) if is_first else f.binary("arith.addf", own, h)
        h = own
        if change != "last" or token + 1 == TOKENS:
            outputs.append(f.contract("bn,bnd->bd", at(f, queries, 1, token), h))
    return stack(f, outputs, 1)


def stepwise(f, b, d, n, change=None):
    """Mamba as the body of a loop has it: each step makes its own decays, and sums products."""
    a, dt = f.argument([d, n]), f.argument([TOKENS, b, d])
    x, keys, queries = f.argument([TOKENS, b, d]), f.argument([TOKENS, b, n]), f.argument([TOKENS, b, n])
    h, state, outputs = f.constant([b, d, n], 0), [b, d, n], []
    rates = f.unary("arith.negf", f.unary("math.exp", a))
    for token in range(TOKENS):
        step = at(f, dt, 0, token)
        exponent = f.binary("arith.mulf", f.broadcast(step, state, [2]), f.broadcast(rates, state, [0]))
        function = "math.exp2" if change == "other_function" and token == 2 else "math.exp"
        decay = f.unary(function, exponent)
        if change == "other_constant":
            decay = f.binary("arith.mulf", decay, f.constant(state, 0.5 if token == 2 else 0.25))
        added = f.binary("arith.mulf", f.broadcast(f.binary("arith.mulf", step, at(f, x, 0, token)), state, [2]),
                         f.broadcast(at(f, keys, 0, token), state, [1]))
        h = f.binary("arith.addf", f.binary("arith.mulf", decay, h), added)
        read = f.binary("arith.mulf", h, f.broadcast(at(f, queries, 0, token), state, [1]))
        if change == "other_sum" and token == 2:
            read = f.binary("arith.addf", read, f.constant(state, 1))
        outputs.append(f.reduce("arith.addf", read, 2, 0))
    return stack(f, outputs, 1)


def every_other(f, x, start):
    """Every second token of [B,T,D], from the first or the second one on."""
    b, n, d = x[1]
    size = (n - start + 1) // 2
    return f.add(f"tensor.extract_slice {x[0]}[0, {start}, 0] [{b}, {size}, {d}] [1, 2, 1] : {f.type(x)} to {{type}}",
                 [b, size, d])


def first_tokens(f, x, start, size):
    return slices(f, x, 1, start, size)


def spread(f, x, tokens, start):
    """The tokens of x at every second place, with zeros between them."""
    b, n, d = x[1]
    pairs = [f.reshape(x, [b, n, 1, d]), f.constant([b, n, 1, d], 0)]
    both = f.reshape(concat(f, pairs[::-1] if start else pairs, 2), [b, 2 * n, d])
    if 2 * n > tokens:
        return first_tokens(f, both, 0, tokens)
    return concat(f, [both, f.constant([b, tokens - 2 * n, d], 0)], 1) if 2 * n < tokens else both


def associative_scan(f, pair, change=None):
    """What jax.lax.associative_scan makes of h = a * h + u: the states [B,T,D]."""
    def combine(left, right, spoiled=False):
        product = f.binary("arith.mulf", right[0], left[1])
        return (f.binary("arith.mulf", left[0], right[0]),
                f.binary("arith.addf", product, left[1] if spoiled else right[1]))

    def scan(pair, depth=0):
        n = pair[0][1][1]
        if n < 2:
            return pair
        even, odd = ([every_other(f, x, start) for x in pair] for start in (0, 1))
        evens = [first_tokens(f, x, 0, n // 2) for x in even]
        odd = scan(combine(evens, odd, change == "other_part" and depth == 1), depth + 1)
        later = (n + 1) // 2 - 1
        results = []
        if later:
            before = [first_tokens(f, x, 0, later) for x in odd]
            own = [first_tokens(f, x, 1 if change != "other_tokens" or depth else 0, later) for x in even]
            joined = combine(before, own)
            even = [concat(f, [first_tokens(f, x, 0, 1), y], 1) for x, y in zip(even, joined)]
        else:
            even = [first_tokens(f, x, 0, 1) for x in even]
        for x, y in zip(even, odd):
            results.append(f.binary("arith.addf", spread(f, x, n, 0), spread(f, y, n, 1)))
        return results

    return scan(pair)[1]


def associative(f, b, d, change=None, tokens=7):
    return associative_scan(f, [f.argument([b, tokens, d]), f.argument([b, tokens, d])], change)


def selective_tree(f, b, d, n, change=None):
    """Mamba by an associative scan: states of all tokens, [B,T,D,N], times C."""
    a, dt = f.argument([d, n]), f.argument([b, TOKENS, d])
    x, keys, queries = f.argument([b, TOKENS, d]), f.argument([b, TOKENS, n]), f.argument([b, TOKENS, n])
    whole = [b, TOKENS, d, n]
    decay = f.unary("math.exp", f.binary("arith.mulf", f.broadcast(dt, whole, [3]), f.broadcast(a, whole, [0, 1])))
    added = f.binary("arith.mulf", f.broadcast(f.binary("arith.mulf", dt, x), whole, [3]), f.broadcast(keys, whole, [2]))
    pair = [f.reshape(value, [b, TOKENS, d * n]) for value in (decay, added)]
    states = f.reshape(associative_scan(f, pair), whole)
    if change == "contraction":
        return f.contract("btdn,btn->bdt", states, queries)
    read = f.binary("arith.mulf", states, f.broadcast(queries, whole, [2]))
    if change == "rows":
        return f.reduce("arith.addf", f.reshape(read, [b * TOKENS * d, n]), 1, 0)
    y = f.reduce("arith.addf", read, 3, 0)
    if change == "read_elsewhere":
        return f.binary("arith.addf", y, f.reduce("arith.addf", states, 3, 0))
    if change == "over_tokens":
        return f.reduce("arith.addf", f.binary("arith.mulf", states, f.broadcast(queries, whole, [2])), 1, 0)
    return y


def deep(f, b, d, steps=3000):
    """Each step adds a function of the state: what it adds is made by all steps before."""
    h = f.argument([b, d])
    for _ in range(steps):
        h = f.binary("arith.addf", h, f.unary("math.tanh", h))
    return h


def gates(f, b, d, change=None, initial=False):
    """RG-LRU: states that are the outputs."""
    decay, x = f.argument([b, TOKENS, d]), f.argument([b, TOKENS, d])
    h = f.argument([b, d]) if initial else f.constant([b, d], 0)
    outputs = []
    for token, of_decay, of_input in zip(range(TOKENS), tokens_of(change, "decays"), tokens_of(change, "inputs")):
        h = f.binary("arith.addf", f.binary("arith.mulf", at(f, decay, 1, of_decay), h), at(f, x, 1, of_input))
        outputs.append(h)
    if change == "first_token_last":
        return stack(f, outputs, 2)
    if change == "one_state":
        return f.binary("arith.mulf", outputs[1], outputs[3])
    return stack(f, outputs, 1)


def polynomial(f, b, d):
    """Horner's rule: a sequence of coefficients, but no recurrence of states."""
    x, coefficients = f.argument([b, d]), f.argument([TOKENS])
    y = f.constant([b, d], 1)
    for token in range(TOKENS):
        own = slices(f, coefficients, 0, token)
        number = f.add(f"tensor.collapse_shape {own[0]} [] : {f.type(own)} into {{type}}", [])
        y = f.binary("arith.addf", f.binary("arith.mulf", x, y), f.broadcast(number, [b, d], [0, 1]))
    return y


CASES = {
    # te.scan with the contractions that read it.
    "scans": [(selective, dict(change=change)) for change in
              (None, "final", "reversed_outputs", "stacked_first", "one_output", "stacked_twice")]
             + [(selective, dict(initial=True)), (linear_attention, {}), (stepwise, {})]
             + [(undecayed, dict(change=change)) for change in (None, "state_first", "initial")],
    # te.scan of the states alone: something else reads them, or not all is read alike.
    "states": [(selective, dict(change=change)) for change in
               ("read_elsewhere", "unread", "queries_swapped", "queries_again", "other_steps")]
              + [(gates, dict(change=change)) for change in (None, "first_token_last", "one_state")]
              + [(gates, dict(initial=True)), (stepwise, dict(change="other_sum"))],
    # Computed as trees of pairs.
    "trees": [(associative, dict(tokens=tokens)) for tokens in (4, 5, 6, 7, 8, 13)]
             + [(selective_tree, dict(change=change)) for change in
                (None, "contraction", "read_elsewhere", "over_tokens", "rows")],
    "deep": [(deep, {})],
    "other_trees": [(associative, dict(change=change, tokens=6)) for change in ("other_part", "other_tokens")],
    # No recurrence along the tokens.
    "none": [(selective, dict(change=change)) for change in
             ("decays_swapped", "decays_again", "inputs_swapped", "inputs_again", "scaled")]
            + [(gates, dict(change=change)) for change in ("decays_swapped", "inputs_again")]
            + [(stepwise, dict(change=change)) for change in ("other_function", "other_constant")]
            + [(undecayed, dict(change=change)) for change in ("inputs_swapped", "inputs_again", "last", "either")]
            + [(polynomial, {})],
}


def write(make, sizes, name, **settings):
    f = Function()
    f.write(name, make(f, *sizes, **settings))


if sys.argv[1] == "unit":
    for make, count in ((selective, 3), (linear_attention, 3), (undecayed, 3), (stepwise, 3), (selective_tree, 3),
                        (gates, 2)):
        for sizes in itertools.product(*([n, 1] for n in (2, 3, 4)[:count])):
            write(make, sizes, make.__name__ + "_" + "_".join(map(str, sizes)))
else:
    for number, (make, settings) in enumerate(CASES[sys.argv[1]]):
        sizes = (2, 3) if make in (gates, associative, polynomial, deep) else (2, 3, 4)
        write(make, sizes, f"{make.__name__}_{number}", **settings)
