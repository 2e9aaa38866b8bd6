"""Prints what te-raise recognises, as functions whose sizes are given by name, once for
every way to make some of the sizes 1. Between dimensions of 1 reshapes, transposes and
broadcasts look alike.

    unit_dims.py PATTERN
"""

import itertools
import math
import sys

IDENTITY = "affine_map<({0}) -> ({0})>"


class Function:
    """Writes one function; tensors are (name, shape) of f32 unless told otherwise."""

    def __init__(self):
        self.lines, self.arguments, self.count = [], [], 0

    def name(self):
        self.count += 1
        return f"%{self.count}"

    def argument(self, shape, element="f32", attributes=""):
        value = (f"%a{len(self.arguments)}", tuple(shape), element)
        self.arguments.append(f"{value[0]}: {self.type(value)}{attributes}")
        return value

    def type(self, value):
        return f"tensor<{''.join(f'{n}x' for n in value[1])}{value[2]}>"

    def add(self, text, shape, element="f32"):
        value = (self.name(), tuple(shape), element)
        self.lines.append(f"  {value[0]} = {text.format(type=self.type(value))}")
        return value

    def constant(self, shape, number, element="f32"):
        text = number if isinstance(number, str) else f"{float(number):e}"
        return self.add(f"arith.constant dense<{text}> : {{type}}", shape, element)

    def empty(self, shape, element="f32"):
        return self.add("tensor.empty() : {type}", shape, element)

    def binary(self, op, a, b):
        return self.add(f"{op} {a[0]}, {b[0]} : {{type}}", a[1], a[2])

    def unary(self, op, a):
        return self.add(f"{op} {a[0]} : {{type}}", a[1])

    def broadcast(self, a, shape, added):
        init = self.empty(shape, a[2])
        return self.add(
            f"linalg.broadcast ins({a[0]} : {self.type(a)}) outs({init[0]} : {{type}}) dimensions = {list(added)}",
            shape, a[2])

    def transpose(self, a, order):
        init = self.empty([a[1][i] for i in order], a[2])
        return self.add(
            f"linalg.transpose ins({a[0]} : {self.type(a)}) outs({init[0]} : {{type}}) permutation = {list(order)}",
            init[1], a[2])

    def reshape(self, a, shape):
        """By way of a vector, as exporters reshape."""
        size = math.prod(a[1])
        if len(a[1]) > 1:
            a = self.add(f"tensor.collapse_shape {a[0]} [{list(range(len(a[1])))}] : {self.type(a)} into {{type}}",
                         [size], a[2])
        if len(shape) == 1:
            return a
        return self.add(
            f"tensor.expand_shape {a[0]} [{list(range(len(shape)))}] output_shape {list(shape)} : {self.type(a)} into {{type}}",
            shape, a[2])

    def reduce(self, op, a, dim, start):
        shape = a[1][:dim] + a[1][dim + 1:]
        init = self.constant(shape, start)
        return self.add(
            f"linalg.reduce {{{{ {op} }}}} ins({a[0]} : {self.type(a)}) outs({init[0]} : {{type}}) dimensions = [{dim}]",
            shape)

    def counter(self, size):
        init = self.empty([size], "i64")
        return self.add(
            f"linalg.generic {{{{indexing_maps = [{IDENTITY.format('i')}], iterator_types = [\"parallel\"]}}}} "
            f"outs({init[0]} : {{type}}) {{{{\n"
            "  ^bb0(%out: i64):\n"
            "    %i = linalg.index 0 : index\n"
            "    %j = arith.index_cast %i : index to i64\n"
            "    linalg.yield %j : i64\n"
            "  }} -> {type}", [size], "i64")

    def contract(self, text, a, b):
        """An einsum such as "bik,kj->bij"."""
        left, right, result = text.replace("->", ",").split(",")
        loops = sorted(set(left + right))
        sizes = dict(zip(left, a[1])) | dict(zip(right, b[1]))
        of = ", ".join(loops)
        maps = ", ".join(f"affine_map<({of}) -> ({', '.join(part)})>" for part in (left, right, result))
        kinds = ", ".join('"parallel"' if loop in result else '"reduction"' for loop in loops)
        zeros = self.constant([sizes[loop] for loop in result], 0)
        return self.add(
            f"linalg.generic {{{{indexing_maps = [{maps}], iterator_types = [{kinds}]}}}} "
            f"ins({a[0]}, {b[0]} : {self.type(a)}, {self.type(b)}) outs({zeros[0]} : {{type}}) {{{{\n"
            "  ^bb0(%x: f32, %y: f32, %sum: f32):\n"
            "    %p = arith.mulf %x, %y : f32\n"
            "    %s = arith.addf %sum, %p : f32\n"
            "    linalg.yield %s : f32\n"
            "  }} -> {type}", zeros[1])

    def write(self, name, result):
        print(f"func.func @{name}({', '.join(self.arguments)}) -> {self.type(result)} {{")
        print("\n".join(self.lines))
        print(f"  return {result[0]} : {self.type(result)}\n}}")


def per_channel(f, vector, shape, drops_ones):
    """A number for each element of dimension 1, which repeats along the others; a dimension
    of 1 does not repeat if the vector has it."""
    kept = [dim for dim, n in enumerate(shape) if dim == 1 or (n == 1 and not drops_ones)]
    vector = f.reshape(vector, [shape[dim] for dim in kept])
    added = [dim for dim in range(len(shape)) if dim not in kept]
    return f.broadcast(vector, shape, added) if added else vector


def layer_norm(f, b, s, n):
    x, gamma, beta = f.argument([b, s, n]), f.argument([n]), f.argument([n])
    count, eps = f.constant([b, s], n), f.constant([b, s], 1e-5)
    mean = f.binary("arith.divf", f.reduce("arith.addf", x, 2, 0), count)
    centred = f.binary("arith.subf", x, f.broadcast(mean, x[1], [2]))
    squares = f.binary("arith.mulf", centred, centred)
    variance = f.binary("arith.divf", f.reduce("arith.addf", squares, 2, 0), count)
    root = f.unary("math.sqrt", f.binary("arith.addf", variance, eps))
    y = f.binary("arith.divf", centred, f.broadcast(root, x[1], [2]))
    y = f.binary("arith.mulf", y, f.broadcast(gamma, x[1], [0, 1]))
    return f.binary("arith.addf", y, f.broadcast(beta, x[1], [0, 1]))


def rms_norm(f, b, s, n):
    x, gamma = f.argument([b, s, n]), f.argument([n])
    squares = f.binary("arith.mulf", x, x)
    mean = f.binary("arith.divf", f.reduce("arith.addf", squares, 2, 0), f.constant([b, s], n))
    rstd = f.unary("math.rsqrt", f.binary("arith.addf", mean, f.constant([b, s], 1e-3)))
    y = f.binary("arith.mulf", x, f.broadcast(rstd, x[1], [2]))
    return f.binary("arith.mulf", y, f.broadcast(gamma, x[1], [0, 1]))


def batch_norm_tokens(f, b, c, h, w):
    """A norm with fixed statistics, its pixels as tokens, a layer norm, a product and a
    residual."""
    x, weight, bias = f.argument([b, c, h, w]), f.argument([c]), f.argument([c])
    gamma, beta, product = f.argument([c]), f.argument([c]), f.argument([c, c])
    y = f.binary("arith.mulf", x, per_channel(f, weight, x[1], drops_ones=False))
    y = f.binary("arith.addf", y, per_channel(f, bias, x[1], drops_ones=False))
    tokens = f.transpose(f.reshape(y, [b, c, h * w]), [0, 2, 1])
    rows = f.reshape(tokens, [b * h * w, c])
    norm = f.add(
        f"te.layer_norm {rows[0]}, {gamma[0]}, {beta[0]} {{{{eps = 9.99999974E-6 : f32}}}} : "
        f"{f.type(rows)}, {f.type(gamma)}, {f.type(beta)} -> y {{type}} stats "
        f"tensor<{rows[1][0]}xf32>, tensor<{rows[1][0]}xf32>", rows[1])
    f.lines[-1] = f.lines[-1].replace(f"{norm[0]} =", f"{norm[0]}:3 =")
    norm = (norm[0] + "#0", norm[1], norm[2])
    y = f.reshape(norm, tokens[1])
    y = f.contract("bpc,dc->bpd", y, product)
    return f.binary("arith.addf", tokens, y)


def attention(f, b, h, s, t, d, masked, swapped):
    """Heads are transposed, scores are scaled, a mask is added, or scores are written with
    no transposes at all."""
    q, k, v = f.argument([b, s, h, d]), f.argument([b, t, h, d]), f.argument([b, t, h, d])
    if swapped:
        scores = f.contract("bihd,bjhd->bhij", q, k)
    else:
        qt, kt = f.transpose(q, [0, 2, 1, 3]), f.transpose(f.transpose(k, [0, 2, 1, 3]), [0, 1, 3, 2])
        scores = f.contract("bhid,bhdj->bhij", qt, kt)
    scores = f.binary("arith.mulf", scores, f.constant(scores[1], 0.5))
    if masked:
        mask = f.argument([b, 1, 1, t])
        scores = f.binary("arith.addf", scores, f.broadcast(f.reshape(mask, [b, t]), scores[1], [1, 2]))
    highest = f.reduce("arith.maximumf", scores, 3, "0xFF800000")
    e = f.unary("math.exp", f.binary("arith.subf", scores, f.broadcast(highest, scores[1], [3])))
    total = f.reduce("arith.addf", e, 3, 0)
    p = f.binary("arith.divf", e, f.broadcast(total, scores[1], [3]))
    if swapped:
        return f.contract("bhij,bjhd->bihd", p, v)
    o = f.contract("bhij,bhjd->bhid", p, f.transpose(v, [0, 2, 1, 3]))
    return f.transpose(o, [0, 2, 1, 3])


def grouped_attention(f, b, k, g, s, d):
    """k key heads, each repeated for g query heads."""
    q, keys, values = f.argument([b, k * g, s, d]), f.argument([b, k, s, d]), f.argument([b, k, s, d])

    def repeat(x):
        return f.reshape(f.broadcast(x, [b, k, g, s, d], [2]), [b, k * g, s, d])

    scores = f.contract("bhid,bhjd->bhij", q, repeat(keys))
    highest = f.reduce("arith.maximumf", scores, 3, "0xFF800000")
    e = f.unary("math.exp", f.binary("arith.subf", scores, f.broadcast(highest, scores[1], [3])))
    p = f.binary("arith.divf", e, f.broadcast(f.reduce("arith.addf", e, 3, 0), scores[1], [3]))
    return f.contract("bhij,bhjd->bhid", p, repeat(values))


def product(f, b, s, k, n, text):
    sizes = {"b": b, "s": s, "k": k, "n": n}
    left, right, result = text.replace("->", ",").split(",")
    x, w, bias = (f.argument([sizes[loop] for loop in part]) for part in (left, right, "n"))
    y = f.contract(text, x, w)
    added = [dim for dim, loop in enumerate(result) if loop != "n"]
    return f.binary("arith.addf", y, f.broadcast(bias, y[1], added))


def gelu(f, b, s, n):
    x = f.argument([b, s, n])
    number = lambda value: f.constant(x[1], value)
    cubic = f.binary("arith.mulf", number(0.044715), f.binary("arith.mulf", x, x))
    inner = f.binary("arith.mulf", f.binary("arith.mulf", number(0.7978845608), x),
                     f.binary("arith.addf", number(1), cubic))
    y = f.binary("arith.mulf", f.binary("arith.addf", number(1), f.unary("math.tanh", inner)), x)
    return f.binary("arith.mulf", y, number(0.5))


def swiglu(f, s, n):
    x = f.argument([s, 2 * n])
    half = f"tensor<{s}x{n}xf32>"
    pair = f.name()
    f.lines.append(f"  {pair}:2 = te.split {x[0]} axis 1 : {f.type(x)} -> {half}, {half}")
    gate, up = (pair + "#0", (s, n), "f32"), (pair + "#1", (s, n), "f32")
    s = f.add(f"te.activation sigmoid {gate[0]} : {{type}} -> y {{type}}", gate[1])
    return f.binary("arith.mulf", f.binary("arith.mulf", gate, s), up)


def rope(f, b, h, s, d):
    """Halves of each head turned by constant angles."""
    x = f.argument([b, h, s, 2 * d])
    angles = [[i * 0.3 + j * 0.7 for j in range(d)] * 2 for i in range(s)]
    table = lambda of: str([[float(f"{of(a):.6f}") for a in row] for row in angles])
    cos, sin = (f.broadcast(f.constant([s, 2 * d], table(of)), x[1], [0, 1]) for of in (math.cos, math.sin))
    part = lambda at: f.add(
        f"tensor.extract_slice {x[0]}[0, 0, 0, {at}] [{b}, {h}, {s}, {d}] [1, 1, 1, 1] : {f.type(x)} to {{type}}",
        [b, h, s, d])
    first, second = part(0), f.unary("arith.negf", part(d))
    turned = f.add(
        f"tensor.concat dim(3) {second[0]}, {first[0]} : ({f.type(second)}, {f.type(first)}) -> {{type}}", x[1])
    return f.binary("arith.addf", f.binary("arith.mulf", x, cos), f.binary("arith.mulf", turned, sin))


def cross_entropy(f, b, s, c):
    """The logits' softmax, and the logarithms of the labels' probabilities by lookup."""
    x = f.argument([b, s, c])
    labels = f.argument([b, s], "i64", f" {{test.range = [0.0, {float(c)}]}}")
    rows, logits = b * s, f.reshape(x, [b * s, c])
    highest = f.reduce("arith.maximumf", logits, 1, "0xFF800000")
    shifted = f.binary("arith.subf", logits, f.broadcast(highest, logits[1], [1]))
    total = f.reduce("arith.addf", f.unary("math.exp", shifted), 1, 0)
    scores = f.binary("arith.subf", shifted, f.broadcast(f.unary("math.log", total), logits[1], [1]))
    position = f.reshape(labels, [rows])
    starts = f.binary("arith.muli", f.counter(rows), f.constant([rows], str(c), "i64"))
    position = f.binary("arith.addi", position, starts)
    table = f.reshape(f.reshape(scores, [rows * c]), [rows * c, 1])
    taken = f.add(f"te.embedding {position[0]}, {table[0]} : {f.type(position)}, {f.type(table)} -> {{type}}",
                  [rows, 1])
    loss = f.reduce("arith.addf", f.reshape(taken, [rows]), 0, 0)
    return f.unary("arith.negf", f.binary("arith.divf", loss, f.constant([], rows)))


def in_every_way(sizes, make, name):
    """`make` with each of the sizes as it is, and as 1."""
    for chosen in itertools.product(*([n, 1] for n in sizes)):
        f = Function()
        f.write(name + "_" + "_".join(map(str, chosen)), make(f, *chosen))


PATTERNS = {
    "norms": [(layer_norm, [2, 3, 4], ""), (rms_norm, [2, 3, 4], "")],
    "images": [(batch_norm_tokens, [2, 3, 2, 4], "")],
    "attention": [(lambda *a, m=masked, w=swapped: attention(*a, m, w), [2, 3, 4, 5, 2], f"attention_{masked}_{swapped}")
                  for masked in (False, True) for swapped in (False, True)],
    "grouped": [(grouped_attention, [2, 2, 3, 4, 5], "")],
    "products": [(lambda *a, t=text: product(*a, t), [2, 3, 4, 5], "product_" + text.replace(",", "_").replace("->", "_"))
                 for text in ("bsk,nk->bsn", "bsk,kn->bsn", "bks,nk->bns", "nk,bks->nbs", "kbs,nk->snb")],
    "pointwise": [(gelu, [2, 3, 4], ""), (swiglu, [3, 4], ""), (rope, [2, 3, 4, 2], "")],
    # Of one class the loss is 0, whatever it is computed from.
    "losses": [(lambda f, b, s: cross_entropy(f, b, s, 4), [2, 3], "cross_entropy")],
}

if __name__ == "__main__":
    for make, sizes, name in PATTERNS[sys.argv[1]]:
        in_every_way(sizes, make, name or make.__name__)
