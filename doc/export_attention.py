#!/usr/bin/env python3
"""export_attention.py: attention maps, tokens and labels of a PyTorch transformer, in MAT files that attnpath reads.

SPDX-License-Identifier: BSD-3-Clause

From the command line, for a text model of Hugging Face's transformers (a name, or a folder):

    python3 export_attention.py MODEL sentences.tsv maps --layers 4 5 --readout mean

reads lines "label <TAB> text" and writes maps_001.mat, maps_002.mat, ..., parts of at most 512 MiB. Or from Python, for
any model that returns attentions and hidden states, or that is made of nn.MultiheadAttention:

    from export_attention import export
    export(model, batches, "maps", layers=[4, 5], readout="mean")

Each file holds, in single precision and in the order of dimensions that attnpath takes (Octave, MATLAB and this file
store the same numbers: a C-ordered array of (P, head, query, key) is a column-major one of key x query x head x P):

    X        N0 x T x P         tokens that enter the first of the layers: hidden_states[layers[0]], or what its
                                nn.MultiheadAttention is given
    A        1 x L cell         of T x T x H x P attention probabilities, key x query x head x example
    Lengths  1 x P              tokens of each example; what lies behind them is padding, and zero
    y        P x 1              labels: numbers, or a cell of words
    readout, model, layers, heads    what was exported: text, text, 1 x L (counted from 0, as in the model), 1 x L

In Octave or MATLAB, [paths, y] = attnpath_paths (net, attnpath_source ('maps_*.mat')) takes all parts, one at a time.
Needs torch, and transformers for the command line. MAT files of level 5 are written here, compressed (what save -v7
writes), because scipy's savemat keeps all in memory and is one dependency more.
"""

import argparse
import os
import re
import struct
import sys
import time
import zlib

import torch
from torch.nn.modules.linear import NonDynamicallyQuantizableLinear

READOUTS = ("first", "last", "mean")


# ---- MAT files, level 5 (MathWorks, "MAT-File Format"): elements of a tag, type and bytes, padded to 8 bytes ----

INT8, UINT16, INT32, UINT32, SINGLE, DOUBLE, MATRIX, COMPRESSED = 1, 4, 5, 6, 7, 9, 14, 15
CELL_CLASS, CHAR_CLASS, DOUBLE_CLASS, SINGLE_CLASS = 1, 4, 6, 7


def element(kind, data):
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def matrix(name, array_class, size, content):
    size = tuple(size) + (1,) * (2 - len(size))
    return element(MATRIX, element(UINT32, struct.pack("<II", array_class, 0))
                   + element(INT32, struct.pack("<%di" % len(size), *size))
                   + element(INT8, name.encode("ascii")) + content)


def variable(name, value):
    """A text, a row of numbers, a list of tensors or texts (a cell), or a tensor: its dimensions are turned round."""
    if isinstance(value, str):
        return matrix(name, CHAR_CLASS, (1, len(value)), element(UINT16, value.encode("utf-16-le")))
    if isinstance(value, list) and value and isinstance(value[0], (torch.Tensor, str)):
        size = (len(value), 1) if isinstance(value[0], str) else (1, len(value))
        return matrix(name, CELL_CLASS, size, b"".join(variable("", item) for item in value))
    if isinstance(value, list):
        return matrix(name, DOUBLE_CLASS, (1, len(value)),
                      element(DOUBLE, struct.pack("<%dd" % len(value), *value)))
    content = element(SINGLE, value.to(torch.float32).contiguous().numpy().tobytes())
    return matrix(name, SINGLE_CLASS, value.shape[::-1], content)


def save(file, variables):
    with open(file + ".new", "wb") as out:              # a run that is killed leaves no half part
        out.write(b"MATLAB 5.0 MAT-file, written by export_attention.py of attnpath".ljust(124)
                  + struct.pack("<H", 0x0100) + b"IM")
        for name, value in variables.items():
            packed = zlib.compress(variable(name, value), 1)
            out.write(struct.pack("<II", COMPRESSED, len(packed)))
            out.write(packed)
    os.replace(file + ".new", file)


# ---- from a model to parts ----

def run(model, tokens, layers, reads=None):
    """(X, maps, mask) of one batch: (P, T, N0), one (P, H, T, T) for each layer, (P, T)."""
    attentions = [module for module in model.modules() if isinstance(module, torch.nn.MultiheadAttention)]
    if attentions:
        if reads:
            raise ValueError("reads is left out where the model is made of nn.MultiheadAttention: X is what it is given")
        return recorded(model, attentions, tokens, layers)
    if not hasattr(tokens, "keys"):
        raise ValueError("a batch is (tokens, labels), where tokens are what the tokenizer returns, not a "
                         f"{type(tokens).__name__}")
    if "attention_mask" not in tokens and "input_ids" in tokens:
        padding = getattr(getattr(model, "config", None), "pad_token_id", None)
        for ends in (tokens["input_ids"][..., 0] == padding, tokens["input_ids"][..., -1] == padding):
            if padding is not None and ends.any() and not ends.all():
                raise ValueError("some texts are padded, and there is no attention_mask: the model would attend to "
                                 "padding. Give it the attention_mask of the tokenizer, or one of ones")
    model.eval()
    heard = []
    hook = reads and reads.register_forward_pre_hook(
        lambda module, inputs, named: heard.append(inputs[0] if inputs else named["hidden_states"]), with_kwargs=True)
    with torch.no_grad():
        out = model(**tokens, output_attentions=True, output_hidden_states=True)
    states, maps = out.hidden_states, out.attentions
    if reads:
        hook.remove()
        if not heard:
            raise ValueError("the model did not call the module that reads names")
    if maps is None or len(maps) == 0 or any(a is None for a in maps):
        raise ValueError("the model returned no attention maps: load it with attn_implementation='eager', since the "
                         "faster implementations do not compute them")
    check_layers(layers, len(maps))
    X = (heard[0] if reads else states[layers[0]]).float().cpu()
    maps = [maps[layer].float().cpu() for layer in layers]
    P, T = X.shape[:2]
    for layer, a in zip(layers, maps):
        if a.dim() == 3 and a.shape == (P, T, T):
            raise ValueError(f"the maps of layer {layer} are means over heads: the model must return each head's, in "
                             f"PyTorch average_attn_weights=False")
        if a.dim() != 4 or a.shape[0] != P or a.shape[2:] != (T, T):
            raise ValueError(f"the maps of layer {layer} are {tuple(a.shape)}, not (P, H, {T}, {T}): attention that "
                             f"does not see all tokens in one map cannot be exported")
    mask = tokens.get("attention_mask") if hasattr(tokens, "get") else None
    mask = torch.ones(P, T) if mask is None else mask.cpu()
    if mask.dim() != 2:
        raise ValueError(f"attention_mask must be (P, T), not {tuple(mask.shape)}")
    return X, maps, mask.bool()


def run_frozen(model, tokens, layers, norms):
    """The same with X the stream that enters the first norm, and each map's keys divided by what the norm of its layer
    divides their tokens by: a head then reads the stream by linear maps. A norm's weight, and the mean that LayerNorm
    takes off, are linear in a token's features, and so a part of the head's values."""
    heard = {}
    hooks = [norm.register_forward_hook(lambda module, inputs, out: heard.update({module: (inputs[0], out)}))
             for norm in norms]
    try:
        X, maps, mask = run(model, tokens, layers)
    finally:
        for hook in hooks:
            hook.remove()
    own = [module for module in model.modules() if isinstance(module, torch.nn.MultiheadAttention)]
    turned = bool(own) and not own[layers[0]].batch_first
    for k, norm in enumerate(norms):
        if norm not in heard:
            raise ValueError(f"the model did not call the norm of layer {layers[k]}")
        z, out = (value.detach().float().cpu() for value in heard[norm])
        if turned:
            z, out = z.transpose(0, 1), out.transpose(0, 1)
        if z.shape[:2] != X.shape[:2]:
            raise ValueError(f"the norm of layer {layers[k]} sees {tuple(z.shape)}, not {X.shape[0]} examples of "
                             f"{X.shape[1]} tokens")
        maps[k] = maps[k] / divisor(norm, z, out, layers[k])[:, None, None, :]
        if k == 0 and not torch.allclose(out if own else z, X, rtol=1e-3, atol=1e-3 * X.abs().max().item()):
            raise ValueError(f"the norm given for layer {layers[0]} does not stand before its heads, as in a model of "
                             f"norm_first=True, GPT-2 or ViT: where norms come behind, leave norms out")
        X = z if k == 0 else X
    return X, maps, mask


def divisor(norm, z, out, layer):
    """What a norm divides each token by, (P, T): out = weight * z / divisor + bias, of LayerNorm z less its mean."""
    if isinstance(norm, torch.nn.LayerNorm):
        z = z - z.mean(-1, keepdim=True)
    if getattr(norm, "weight", None) is not None:
        z = z * norm.weight.detach().float().cpu()
    if getattr(norm, "bias", None) is not None:
        out = out - norm.bias.detach().float().cpu()
    squares = (z * z).sum(-1)
    scale = torch.where(squares > 0, squares / (z * out).sum(-1), torch.ones(()))       # padding may be zero
    if not ((z / scale.unsqueeze(-1) - out).abs() <= 1e-3 * out.abs().max()).all():
        raise ValueError(f"the norm of layer {layer}, a {type(norm).__name__}, does not divide each token by a number "
                         f"and multiply features by its weight: LayerNorm and RMSNorm do")
    return scale


def check_layers(layers, count):
    if not all(0 <= layer < count for layer in layers):
        raise ValueError(f"the model has layers 0 to {count - 1}, not all of {layers}")


def recorded(model, attentions, tokens, layers):
    """The same of a model in plain PyTorch: what its modules nn.MultiheadAttention are given, and their maps."""
    check_layers(layers, len(attentions))
    seen = {}

    def listen(attention):
        forward = attention.forward

        def heard(query, key, value, *rest, **named):
            if rest:
                raise ValueError("call nn.MultiheadAttention with names: attention(query, key, value, "
                                 "key_padding_mask=...)")
            if query.dim() != 3 or query.shape != key.shape:
                raise ValueError("only attention of a batch of sequences to themselves can be exported")
            joined, maps = forward(query, key, value, **{**named, "need_weights": True, "average_attn_weights": False})
            tokens = query if attention.batch_first else query.transpose(0, 1)
            seen[attention] = tokens.float().cpu(), maps.float().cpu(), named.get("key_padding_mask")
            return joined, maps.mean(1) if named.get("average_attn_weights", True) else maps

        attention.forward = heard

    fast = torch.backends.mha.get_fastpath_enabled()
    torch.backends.mha.set_fastpath_enabled(False)          # it does not call the modules
    for layer in layers:
        listen(attentions[layer])
    model.eval()
    try:
        with torch.no_grad():
            outputs_of(model, tokens)
    finally:
        for layer in layers:
            del attentions[layer].forward
        torch.backends.mha.set_fastpath_enabled(fast)
    silent = [layer for layer in layers if attentions[layer] not in seen]
    if silent:
        raise ValueError(f"the model did not call the nn.MultiheadAttention of its layers {silent}")
    X, _, padding = seen[attentions[layers[0]]]
    if padding is None:
        padding = torch.zeros(X.shape[:2], dtype=torch.bool)
    elif padding.dtype != torch.bool:                       # torch turns it into numbers to add: -inf on padding
        padding = padding == float("-inf")
    return X, [seen[attentions[layer]][1] for layer in layers], ~padding.cpu()


def outputs_of(model, tokens):
    if hasattr(tokens, "keys"):
        return model(**tokens)
    return model(*tokens) if isinstance(tokens, (tuple, list)) else model(tokens)


def without_padding(X, maps, mask):
    """One (tokens (n, N0), [map (H, n, n), ..]) for each example, wherever its padding was."""
    examples = []
    for k in range(X.shape[0]):
        real = mask[k].nonzero().flatten()
        if len(real) == 0:
            raise ValueError(f"example {k + 1} of a batch has no token that is not masked")
        # clones: a view would keep the batch alive
        examples.append((X[k, real].clone(), [a[k][:, real][:, :, real].clone() for a in maps]))
    return examples


def together(examples):
    """X (P, T, N0), maps (P, H, T, T) each, lengths: zero-padded to the longest example."""
    lengths = [x.shape[0] for x, _ in examples]
    P, T, N0 = len(examples), max(lengths), examples[0][0].shape[1]
    X = torch.zeros(P, T, N0)
    A = [torch.zeros(P, a.shape[0], T, T) for a in examples[0][1]]
    for k, (x, maps) in enumerate(examples):
        n = lengths[k]
        X[k, :n] = x
        for whole, a in zip(A, maps):
            whole[k, :, :n, :n] = a
    return X, A, lengths


def pairs_of(batches):
    for batch in batches:
        if not isinstance(batch, (tuple, list)) or len(batch) != 2:
            raise ValueError("batches must give pairs (what the model takes, labels), such as those of a DataLoader, not "
                             f"{tuple(batch.shape) if isinstance(batch, torch.Tensor) else type(batch).__name__}")
        yield batch


def labels_of(y):
    """Numbers, or words as they are."""
    if isinstance(y, torch.Tensor) and y.dim() != 1:
        raise ValueError(f"labels of a batch must be one for each example, (P,), not {tuple(y.shape)}")
    return [value if isinstance(value, str) else float(value) for value in y]


def size_of(T, N0, heads, P):
    return 4 * P * T * (N0 + T * sum(heads))


def export(model, batches, out, layers, readout, part_bytes=2 ** 29, name="", reads=None, norms=None):
    """Write OUT_001.mat, ...: parts of a data set. Returns their names.

    model       returns attentions and hidden_states if told so, as those of transformers do.
                Or it is made of nn.MultiheadAttention, which are listened to
    batches     iterable of (tokens, labels): what the model takes, with attention_mask if there is padding, on either
                side; labels are numbers, or words where there are more than two classes
    layers      of the model, counted from 0, one after the other: [4, 5]
    readout     'first' (a class token), 'last' or 'mean': where the classifier reads. Only noted in the file
    reads       a module of the first layer whose input becomes X, in place of hidden_states: where a norm stands before
                the heads (GPT-2, Llama, ViT), what they read is what the attention is called with, model.h[4].attn
    norms       or, for networks with skip connections, the norm of each layer, [model.h[4].ln_1, model.h[5].ln_1]: X is
                the stream before the first, and the scale that a norm gives each token is frozen and put into the maps,
                which then do not sum to 1. A model of attention alone, without biases, is then exactly (T26)
    part_bytes  a part is at most this large, unless one example is larger; no MAT file of level 5 can hold 4 GiB
    """
    layers = [int(layer) for layer in ([layers] if isinstance(layers, int) else layers)]
    if layers != list(range(layers[0], layers[0] + len(layers))):
        raise ValueError(f"layers must follow each other, such as [4, 5], not {layers}: the tokens that enter one are "
                         f"what the one before made of them")
    if readout not in READOUTS:
        raise ValueError(f"readout must be one of {READOUTS}, not {readout!r}")
    if norms and (reads or len(norms) != len(layers)):
        raise ValueError(f"norms are one for each of the {len(layers)} layers, not {len(norms)}, and reads is left out")
    files, examples, labels, heads, longest = [], [], [], [], 0

    def write():
        X, A, lengths = together(examples)
        file = "%s_%03d.mat" % (out, len(files) + 1)
        save(file, {"X": X, "A": A, "Lengths": [float(n) for n in lengths],
                    "y": labels[:] if isinstance(labels[0], str) else torch.tensor([labels], dtype=torch.float32),
                    "readout": readout, "model": name,
                    "layers": [float(layer) for layer in layers], "heads": [float(h) for h in heads]})
        files.append(file)
        print(f"{file}: {len(examples)} examples of up to {X.shape[1]} tokens, {X.shape[2]} features, heads {heads}",
              flush=True)
        examples.clear()
        labels.clear()

    for tokens, y in pairs_of(batches):
        read = run_frozen(model, tokens, layers, norms) if norms else run(model, tokens, layers, reads)
        found = without_padding(*read)
        y = labels_of(y)
        if len({isinstance(value, str) for value in y + labels}) > 1:
            raise ValueError("some labels are words and others numbers")
        if len(y) != len(found):
            raise ValueError(f"a batch has {len(found)} examples and {len(y)} labels")
        for example, label in zip(found, y):
            heads = [a.shape[0] for a in example[1]]
            T = max(longest, example[0].shape[0]) if examples else example[0].shape[0]
            if examples and size_of(T, example[0].shape[1], heads, len(examples) + 1) > part_bytes:
                write()
                T = example[0].shape[0]
            longest = T
            examples.append(example)
            labels.append(label)
    if examples:
        write()
    if not files:
        raise ValueError("there are no examples: batches is empty")
    return files


# ---- back: heads that attnpath says can go ----

class Reader:
    """What reads the joined outputs of a layer's heads, as a module that is called. While `scale` is a tensor, (H,) or
    (P, H), it multiplies each head's output, of each example; remove () ends that."""

    def __init__(self, module, heads, place):
        if isinstance(module, NonDynamicallyQuantizableLinear):
            raise ValueError(f"{place} is out_proj of an nn.MultiheadAttention. torch reads its weight and never calls "
                             f"it: give the nn.MultiheadAttention itself, such as layer.self_attn")
        self.attention = module if isinstance(module, torch.nn.MultiheadAttention) else None
        if self.attention and heads not in (None, module.num_heads):
            raise ValueError(f"{place} has {module.num_heads} heads, not {heads}")
        self.heads = module.num_heads if self.attention else heads
        self.examples = 1 if self.attention and not module.batch_first else 0       # dimension of its input
        self.projection, self.place, self.scale = module, place, None
        if self.attention:
            self.projection = module.out_proj
            call_projection(module)
        self.hook = self.projection.register_forward_pre_hook(self.multiply)
        self.watch = torch.nn.modules.module.register_module_forward_hook(self.never_called)

    def multiply(self, module, inputs):
        self.watch.remove()                                 # it is called
        x = inputs[0]
        if x.shape[-1] % self.heads:
            raise ValueError(f"{self.place} has {self.heads} heads, and {x.shape[-1]} columns do not divide by that")
        if self.scale is None:
            return None
        scale = self.scale.to(x).repeat_interleave(x.shape[-1] // self.heads, -1)
        if scale.dim() == 2:
            if x.dim() != 3 or x.shape[self.examples] != scale.shape[0]:
                raise ValueError(f"{self.place} sees {tuple(x.shape)}, not {scale.shape[0]} x tokens x columns")
            scale = scale.unsqueeze(1 - self.examples)
        return (x * scale,) + tuple(inputs[1:])

    def never_called(self, module, inputs, output):
        if module is not self.projection and any(own is self.projection for own in module.modules()):
            raise RuntimeError(f"{self.place} was not called when {type(module).__name__} ran, and no head of it is "
                               f"masked: give the module whose input is the joined outputs of the heads")

    def remove(self):
        self.watch.remove()
        self.hook.remove()
        if self.attention:
            call_projection(self.attention, -1)
            self.attention = None


masked = []             # nn.MultiheadAttention that call_projection changed, behind whether torch's fast path was on


def call_projection(attention, more=1):
    """nn.MultiheadAttention reads out_proj.weight. From here on it joins its heads by an identity and calls out_proj,
    where hooks see them; torch's fast path, which reads the weight too, is off meanwhile. more = -1 undoes a call."""
    if not masked:
        masked.append(torch.backends.mha.get_fastpath_enabled())
        torch.backends.mha.set_fastpath_enabled(False)
    if more < 0:
        masked.remove(attention)
        if attention not in masked:
            del attention.forward
        if len(masked) == 1:
            torch.backends.mha.set_fastpath_enabled(masked.pop())
        return
    masked.append(attention)
    if masked.count(attention) > 1:
        return
    forward, projection = attention.forward, attention.out_proj
    size = attention.embed_dim
    identity = NonDynamicallyQuantizableLinear(size, size, bias=projection.bias is not None).to(projection.weight)
    torch.nn.init.eye_(identity.weight.requires_grad_(False))
    if identity.bias is not None:
        torch.nn.init.zeros_(identity.bias.requires_grad_(False))

    def through(*inputs, **named):
        attention.out_proj = identity
        try:
            joined, maps = forward(*inputs, **named)
        finally:
            attention.out_proj = projection
        return projection(joined), maps

    attention.forward = through


def rows_of(mask):
    """(rows, heads of each layer) of a mask: a file, whose line '# heads 4 3' attnpath_mask writes, or rows."""
    heads = None
    if isinstance(mask, (str, os.PathLike)):
        with open(mask) as lines:
            text = lines.read().splitlines()
        noted = [line.split()[2:] for line in text if line.startswith("# heads ")]
        heads = [int(number) for number in noted[0]] if noted else None
        rows = [line.replace(",", " ").split() for line in text if line.strip() and not line.startswith("#")]
        mask = [[float(value) for value in row] for row in rows]
    if any(value not in (0, 1) for row in mask for value in row):
        raise ValueError("a mask has zeros, for heads to remove, and ones")
    return mask, heads or [None] * len(mask)


def list_of(modules):
    """Modules, one for each layer; one alone need not be in a list."""
    many = (torch.nn.ModuleList, torch.nn.Sequential)
    return [modules] if isinstance(modules, torch.nn.Module) and not isinstance(modules, many) else list(modules)


def mask_heads(modules, mask, rescale=True):
    """Switch heads off: what the others' outputs are joined by sees zeros in their place. Tells which, and returns
    handles; h.remove() undoes one. If the model runs and one of the modules is not called, that is an error.

    modules   for each row of the mask, the module whose input is the joined outputs of the layer's heads: in BERT
              layer.attention.output.dense, in Llama layer.self_attn.o_proj, in GPT-2 block.attn.c_proj; or an
              nn.MultiheadAttention
    mask      file of attnpath_mask, or any of rows of zeros and ones with commas or blanks between, one for each layer:
              1 keeps a head, 0 removes it; or a list of such rows. A row may be filled up with ones
    rescale   multiply the heads that are left by sqrt (H / those left), as attnpath_prune normalises layers
    """
    mask, heads = rows_of(mask)
    modules = list_of(modules)
    if len(modules) != len(mask):
        raise ValueError(f"there are {len(modules)} layers and {len(mask)} rows in the mask")
    readers = []
    try:
        for number, (module, row, H) in enumerate(zip(modules, mask, heads), 1):
            if H is None and not isinstance(module, torch.nn.MultiheadAttention):
                H = len(row)
            reader = Reader(module, H, f"layer {number} of the mask")
            readers.append(reader)
            if len(row) < reader.heads or not all(row[reader.heads:]):
                raise ValueError(f"row {number} of the mask is of {len(row)} heads, and the layer has {reader.heads}")
            kept = torch.tensor(row[:reader.heads])
            if not kept.any():
                raise ValueError(f"row {number} of the mask keeps no head")
            reader.scale = kept * (reader.heads / kept.sum()) ** 0.5 if rescale else kept
    except ValueError:
        for reader in readers:
            reader.remove()
        raise
    for reader in readers:
        gone = [str(head) for head, value in enumerate(reader.scale.tolist(), 1) if value == 0]
        print(f"{reader.place}: {len(gone)} of {reader.heads} heads removed" + (f": {', '.join(gone)}" if gone else ""))
    return readers


# ---- what each head costs the model itself ----

JOINED = re.compile(r"(attention\.(output\.dense|out_lin|wo|dense|o_proj|out_proj|proj)|"
                    r"attn\.(c_proj|o_proj|out_proj|proj|dense)|SelfAttention\.o)$")


def readers_of(model):
    """For each layer of attention the module whose input is the joined outputs of its heads, by the names that models
    give it, or its nn.MultiheadAttention."""
    found = {name: module for name, module in model.named_modules()
             if isinstance(module, torch.nn.MultiheadAttention)
             or JOINED.search(name) and not isinstance(module, NonDynamicallyQuantizableLinear)}
    if not found:
        raise ValueError("no module has a name by which one knows what reads the joined outputs of heads: give them, "
                         "modules=[layer.attention.output.dense for layer in ...], one for each layer")
    return list(found.values())


def number_of_heads(model, module):
    config = getattr(model, "config", None)
    for owner, name in (module, "num_heads"), (config, "num_attention_heads"), (config, "n_head"), (config, "n_heads"):
        if isinstance(getattr(owner, name, None), int):
            return getattr(owner, name)
    raise ValueError("the model does not say how many heads a layer has: give heads=4, or heads=[4, 4] for two layers")


def losses_of(model, tokens, labels, loss):
    values = loss(outputs_of(model, tokens), labels)
    if not isinstance(values, torch.Tensor) or values.dim() != 1:
        raise ValueError("loss (output, labels) must return a loss for each example, (P,), not "
                         f"{tuple(values.shape) if isinstance(values, torch.Tensor) else type(values).__name__}: "
                         "cross_entropy, for one, with reduction='none'")
    return values


def mean_and_error(values):
    """Columns' means over rows, the examples, and their standard errors."""
    return values.mean(0).tolist(), (values.std(0) / values.shape[0] ** 0.5).tolist()


def head_costs(model, batches, loss, out="costs.mat", modules=None, heads=None, groups=None, rescale=False):
    """What each head costs the model itself: by how much the loss grows when the head's output is set to zero, one
    forward pass a head, and the importance by gradients, mean |d loss / d mask| (Michel, Levy, Neubig,
    arXiv:1905.10650), one backward pass for all. Writes layer, head, cost, cost_se, importance, importance_se, each
    1 x heads, to a MAT file that attnpath_scores reads, and returns them in a dict. Standard errors are over examples.

    model     the trained model; it is run by model(**tokens), model(*tokens) or model(tokens), whichever tokens are
    batches   iterable of (tokens, labels), of examples that the model was not trained on
    loss      function of the model's output and of labels: a loss for each example, (P,)
    modules   what reads the joined outputs of heads, for each layer, as for mask_heads: those whose heads are to be
              judged, found by their usual names if left out. Layers are numbered from 1 in their order
    heads     how many each layer has: a number, a list of numbers, or None if the model says so
    groups    how many groups of heads share keys and values (grouped-query attention), a number or a list: then a row
              is about a group, all of whose heads are removed together, and that is what `head` numbers
    rescale   multiply the heads that are left by sqrt (H / those left), as mask_heads does
    """
    modules = readers_of(model) if modules is None else list_of(modules)
    L = len(modules)
    heads = [number_of_heads(model, module) for module in modules] if heads is None else as_list(heads, L, "heads")
    groups = heads if groups is None else as_list(groups, L, "groups")
    if any(H % G for H, G in zip(heads, groups)):
        raise ValueError(f"heads do not divide by groups that share keys and values: {heads} heads, {groups} groups")
    rows = [(layer, head) for layer in range(L) for head in range(groups[layer])]
    model.eval()
    readers, costs, slopes, begun, told = [], [], [], time.monotonic(), 0.0
    try:
        for layer, (module, H) in enumerate(zip(modules, heads), 1):
            readers.append(Reader(module, H, f"layer {layer}"))
        for number, (tokens, labels) in enumerate(pairs_of(batches), 1):
            own = [torch.ones(len(labels), G, requires_grad=True) for G in groups]
            for reader, mask, H in zip(readers, own, heads):
                reader.scale = mask.repeat_interleave(H // mask.shape[1], 1)
            with torch.enable_grad():
                whole = losses_of(model, tokens, labels, loss)
                slopes.append(torch.cat(torch.autograd.grad(whole.sum(), own), 1).abs())
            for reader in readers:
                reader.scale = None
            without = []
            for layer, head in rows:
                H, size = heads[layer], heads[layer] // groups[layer]
                kept = torch.ones(H)
                kept[head * size:(head + 1) * size] = 0
                left = H - size
                readers[layer].scale = kept * (H / left) ** 0.5 if rescale and left else kept
                with torch.no_grad():
                    without.append(losses_of(model, tokens, labels, loss).cpu())
                readers[layer].scale = None
                if time.monotonic() - begun > told + 5:
                    told = time.monotonic() - begun
                    print(f"head_costs: batch {number}, {len(without)} of {len(rows)} heads, after {told:.0f} s",
                          flush=True)
            costs.append(torch.stack(without, 1) - whole.detach().cpu()[:, None])
    finally:
        for reader in readers:
            reader.remove()
    if not costs:
        raise ValueError("there are no examples: batches is empty")
    result = {"layer": [float(layer + 1) for layer, _ in rows], "head": [float(head + 1) for _, head in rows]}
    result["cost"], result["cost_se"] = mean_and_error(torch.cat(costs).double())
    result["importance"], result["importance_se"] = mean_and_error(torch.cat(slopes).cpu().double())
    save(out, result)
    print(f"{out}: what {len(rows)} {'heads' if groups == heads else 'groups of heads'} in {L} layers cost on "
          f"{sum(len(part) for part in costs)} examples, after {time.monotonic() - begun:.0f} s")
    return result


def as_list(numbers, L, name):
    numbers = [numbers] * L if isinstance(numbers, int) else list(numbers)
    if len(numbers) != L:
        raise ValueError(f"{name} has {len(numbers)} numbers, for {L} layers")
    return numbers


# ---- the command line: text models of transformers ----

def read_lines(file):
    """(labels, texts) of lines "label <TAB> text". Two words as labels become +1 and -1; more stay words."""
    with open(file, encoding="utf-8") as lines:
        rows = [line.rstrip("\r\n").split("\t", 1) for line in lines if line.strip()]
    for number, row in enumerate(rows, 1):
        if len(row) != 2:
            raise ValueError(f"{file}: line {number} is not 'label <TAB> text': {row[0][:60]!r}")
    words = [row[0].strip() for row in rows]
    try:
        labels = [float(word) for word in words]
    except ValueError:
        names = sorted(set(words))
        if len(names) != 2:
            if len(names) > len(words) // 2:
                raise ValueError(f"{file}: labels must be numbers or a few words, not {names[:5]}") from None
            print(f"labels: the classes {', '.join(names)}")
            return words, [row[1] for row in rows]
        print(f"labels: {names[1]} is +1, {names[0]} is -1")
        labels = [1.0 if word == names[1] else -1.0 for word in words]
    return labels, [row[1] for row in rows]


def batches_of(tokenizer, labels, texts, size, most):
    for k in range(0, len(texts), size):
        yield tokenizer(texts[k:k + size], padding=True, truncation=True, max_length=most, return_tensors="pt"), \
            labels[k:k + size]


def main():
    parser = argparse.ArgumentParser(description="Attention maps of a transformer for attnpath, in MAT files")
    parser.add_argument("model", help="a name of Hugging Face's, or a folder")
    parser.add_argument("file", help="lines of label <TAB> text")
    parser.add_argument("out", help="OUT_001.mat, OUT_002.mat, ... are written")
    parser.add_argument("--layers", type=int, nargs="+", required=True, help="counted from 0, such as 4 5")
    parser.add_argument("--readout", choices=READOUTS, required=True,
                        help="where the classifier reads: a class token in front, the last token, or their mean")
    parser.add_argument("--batch", type=int, default=32)
    parser.add_argument("--tokens", type=int, default=64, help="longer texts are cut")
    parser.add_argument("--part", type=int, default=512, help="MiB of a part")
    options = parser.parse_args()

    from transformers import AutoModel, AutoTokenizer
    tokenizer = AutoTokenizer.from_pretrained(options.model)
    if tokenizer.pad_token is None:
        tokenizer.pad_token = tokenizer.eos_token
    model = AutoModel.from_pretrained(options.model, attn_implementation="eager")
    labels, texts = read_lines(options.file)
    export(model, batches_of(tokenizer, labels, texts, options.batch, options.tokens), options.out, options.layers,
           options.readout, options.part * 2 ** 20, options.model)


if __name__ == "__main__":
    try:
        main()
    except (ValueError, OSError) as problem:
        sys.exit(f"export_attention.py: {problem}")
