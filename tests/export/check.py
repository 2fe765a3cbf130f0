"""check.py FOLDER: export_attention.py against the definition of attention, on the model of tiny.py. The last line is
"N passed, N failed". FOLDER then has its files, and the expected contents, for check.m."""

import contextlib
import io
import os
import pathlib
import sys
import warnings

import scipy.io                                             # an independent reader of MAT files; comes with ArviZ
import torch
import transformers
from transformers import AutoModel, AutoTokenizer

import export_attention as ex

folder = sys.argv[1]
os.chdir(folder)
tokenizer = AutoTokenizer.from_pretrained("model")
model = AutoModel.from_pretrained("model", attn_implementation="eager").eval()
labels, texts = ex.read_lines("sentences.tsv")
counts = [0, 0]


def check(title):
    def run(test):
        try:
            test()
            counts[0] += 1
        except Exception as problem:                        # every failure is counted, whatever it is
            print(f"{title}: {type(problem).__name__}: {problem}")
            counts[1] += 1
    return run


def refused(words, call, kind=ValueError):
    try:
        call()
    except kind as problem:
        assert words in str(problem), problem
    else:
        raise AssertionError(f"not refused: {words}")


@contextlib.contextmanager
def masked_heads(modules, mask, rescale=True):
    """These heads are switched off inside of the block."""
    handles = ex.mask_heads(modules, mask, rescale)
    yield handles
    for handle in handles:
        handle.remove()


def by_definition(text, layer):
    """Tokens that enter a layer of BERT and the maps of its heads for one text without padding: softmax (Q' K)."""
    tokens = tokenizer(text, return_tensors="pt")
    x = model.embeddings(tokens["input_ids"])
    for block in model.encoder.layer[:layer]:
        out = block(x)
        x = out[0] if isinstance(out, tuple) else out
    own = model.encoder.layer[layer].attention.self
    H, d = model.config.num_attention_heads, model.config.hidden_size // model.config.num_attention_heads
    q = own.query(x)[0].reshape(-1, H, d)
    k = own.key(x)[0].reshape(-1, H, d)
    return x[0].detach(), torch.softmax(torch.einsum("qhd,khd->hqk", q, k) / d ** 0.5, -1).detach()


def load(file):
    return scipy.io.loadmat(file, squeeze_me=False)


def small(kind, **options):
    """A model of transformers with random weights."""
    torch.manual_seed(6)
    common = dict(vocab_size=50, hidden_size=12, num_hidden_layers=2, num_attention_heads=3, intermediate_size=16,
                  max_position_embeddings=32, attn_implementation="eager")
    if kind == "GPT2":
        common = dict(vocab_size=50, n_positions=16, n_embd=12, n_layer=2, n_head=3, attn_implementation="eager")
    config = getattr(transformers, kind + "Config")(**{**common, **options})
    return getattr(transformers, kind + "Model")(config).eval()


# float32: eps 1.2e-7, through up to six layers of some ten operations each
TOL = 1e-4


@check("one text at a time, by definition: tokens, maps, lengths, labels")
def _():
    ex.export(model, ex.batches_of(tokenizer, labels, texts, 16, 32), "parts", [3, 4], "mean", part_bytes=40000)
    files = sorted(f for f in os.listdir(".") if f.startswith("parts_"))
    assert len(files) > 2, files
    at = 0
    for file in files:
        m = load(file)
        P = m["X"].shape[2]
        assert m["X"].dtype == "float32" and m["A"].shape == (1, 2)
        assert m["Lengths"].shape == (1, P) and m["y"].shape == (P, 1)
        assert 4 * m["X"].shape[1] * (24 + 8 * m["X"].shape[1]) * P <= 40000 or P == 1
        for k in range(P):
            n = int(m["Lengths"][0, k])
            assert m["y"][k, 0] == labels[at]
            for l, layer in enumerate([3, 4]):
                x, a = by_definition(texts[at], layer)
                assert x.shape[0] == n
                if l == 0:
                    assert abs(m["X"][:, :n, k].T - x.numpy()).max() < TOL
                    assert not m["X"][:, n:, k].any()
                map_ = m["A"][0, l][:, :, :, k]             # key x query x head
                assert abs(map_[:n, :n].transpose(2, 1, 0) - a.numpy()).max() < TOL
                assert not map_[n:].any() and not map_[:, n:].any()
            at += 1
    assert at == len(texts)


@check("heads and words of a file")
def _():
    m = load("parts_001.mat")
    assert m["readout"][0] == "mean" and m["layers"].tolist() == [[3, 4]] and m["heads"].tolist() == [[4, 4]]


@check("padding on the left is removed as well: one text alone and among longer ones")
def _():
    gpt = small("GPT2")
    ids = torch.tensor([[0, 0, 5, 6, 7], [1, 2, 3, 4, 5]])
    mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    place = (mask.cumsum(1) - 1).clamp(min=0)
    ex.export(gpt, [({"input_ids": ids, "attention_mask": mask, "position_ids": place}, [1, -1])], "left", [1], "last")
    ex.export(gpt, [({"input_ids": ids[:1, 2:]}, [1])], "alone", [1], "last")
    both, alone = load("left_001.mat"), load("alone_001.mat")
    assert both["Lengths"].tolist() == [[3, 5]] and alone["Lengths"].tolist() == [[3]]
    assert abs(both["X"][:, :3, 0] - alone["X"][:, :, 0]).max() < TOL
    assert abs(both["A"][0, 0][:3, :3, :, 0] - alone["A"][0, 0].reshape(3, 3, 3)).max() < TOL


@check("labels at every token: numbers and words, padding on the left, sub-words as they are")
def _():
    gpt = small("GPT2")
    ids = torch.tensor([[0, 0, 5, 6, 7], [1, 2, 3, 4, 5]])
    mask = torch.tensor([[0, 0, 1, 1, 1], [1, 1, 1, 1, 1]])
    place = (mask.cumsum(1) - 1).clamp(min=0)
    tokens = {"input_ids": ids, "attention_mask": mask, "position_ids": place}
    y = torch.tensor([[-100, -100, 1, -1, -100], [1, 1, -100, -1, 1]])
    ex.export(gpt, [(tokens, y)], "tokens", [1], "all")
    m = load("tokens_001.mat")
    want = [[1, 1], [-1, 1], [float("nan"), float("nan")], [float("nan"), -1], [float("nan"), 1]]
    assert m["readout"][0] == "all" and m["y"].shape == (5, 2)
    assert ((m["y"] == want) | (m["y"] != m["y"]) & (torch.tensor(want) != torch.tensor(want)).numpy()).all()
    words = [["a", "", "b"], ["b", "b", -100, "", "a"]]
    ex.export(gpt, [(tokens, words)], "said", [1], "all")
    m = load("said_001.mat")
    said = [["".join(map(str, cell)) for cell in row] for row in m["y"]]
    assert said == [["a", "b"], ["", "b"], ["b", ""], ["", ""], ["", "a"]], said
    refused("5 tokens and 4 labels", lambda: ex.export(gpt, [(tokens, [[1] * 3, [1] * 4])], "no", [1], "all"))
    refused("3 tokens and 0 labels", lambda: ex.export(gpt, [(tokens, torch.tensor([1, 1]))], "no", [1], "all"))
    refused("labels of 1", lambda: ex.export(gpt, [(tokens, [[1] * 3])], "no", [1], "all"))
    refused("words and others", lambda: ex.export(gpt, [(tokens, [["a"] * 3, [1.0] * 5])], "no", [1], "all"))


@check("the cost of a head by a loss for each token: the mean over the tokens with labels")
def _():
    tokens = tokenizer(texts[:6], padding=True, return_tensors="pt")
    targets = torch.where(tokens["attention_mask"] > 0, tokens["input_ids"] % 3, -100)
    each = lambda out, y: out.last_hidden_state[:, :, 0] - y.clamp(min=0)
    mean = lambda out, y: torch.stack([values[there].mean() for values, there in zip(each(out, y), y != -100)])
    dense = [model.encoder.layer[5].attention.output.dense]
    ex.head_costs(model, [(tokens, targets)], each, "by_token.mat", dense)
    ex.head_costs(model, [(tokens, targets)], mean, "by_mean.mat", dense)
    a, b = load("by_token.mat"), load("by_mean.mat")
    for name in set(a) & set(b):
        if getattr(a[name], "dtype", None) is not None and a[name].dtype.kind == "f":
            assert abs(a[name] - b[name]).max() < TOL, name
    first = lambda out, y: out.last_hidden_state[:, :, 0]
    refused("of this shape", lambda: ex.head_costs(model, [(tokens, [0] * 6)], first, "no.mat", dense))


@check("refusals")
def _():
    fast = AutoModel.from_pretrained("model", attn_implementation="sdpa")
    batch = ex.batches_of(tokenizer, labels, texts, 16, 32)
    refused("eager", lambda: ex.export(fast, batch, "no", [0], "mean"))
    refused("0 to 5", lambda: ex.export(model, ex.batches_of(tokenizer, labels, texts, 16, 32), "no", [6], "mean"))
    refused("follow each other", lambda: ex.export(model, [], "no", [1, 3], "mean"))
    refused("readout", lambda: ex.export(model, [], "no", [1], "middle"))
    refused("no examples", lambda: ex.export(model, [], "no", [1], "mean"))
    assert not any(f.startswith("no_") for f in os.listdir("."))


@check("a head switched off: as if the columns that read it were zero, the others rescaled; and back")
def _():
    tokens = tokenizer(texts[:4], padding=True, return_tensors="pt")
    dense = model.encoder.layer[5].attention.output.dense
    with torch.no_grad():
        before = model(**tokens).last_hidden_state
        with open("mask.txt", "w") as out:
            out.write("1,0,1,0\n")
        with masked_heads([dense], "mask.txt"):
            masked = model(**tokens).last_hidden_state
        assert (model(**tokens).last_hidden_state == before).all()
        weight = dense.weight.clone()
        dense.weight.mul_(torch.tensor([1.0, 0, 1, 0]).repeat_interleave(6) * 2 ** 0.5)
        want = model(**tokens).last_hidden_state
        dense.weight.copy_(weight)
        assert (want - before).abs().max() > 100 * TOL
        assert (want - masked).abs().max() < TOL
    refused("rows in the mask", lambda: ex.mask_heads([dense, dense], "mask.txt", False))
    refused("keeps no head", lambda: ex.mask_heads([dense], [[0, 0, 0, 0]], False))
    refused("zeros", lambda: ex.mask_heads([dense], [[0, 0.5, 1, 1]], False))
    with masked_heads([dense], [[1, 0, 1, 0, 1]]):
        refused("5 heads", lambda: model(**tokens))
    with open("mask.txt", "w") as out:
        out.write("1.0 0.0 1 0\n")
    with masked_heads([dense], pathlib.Path("mask.txt")):
        assert (model(**tokens).last_hidden_state - masked).abs().max() < TOL


def encoder(**options):
    """Two layers of four heads in plain PyTorch, with padding on the right."""
    torch.manual_seed(3)
    layer = torch.nn.TransformerEncoderLayer(24, 4, 32, dropout=0.0, **options)
    return torch.nn.TransformerEncoder(layer, 2).eval()


@check("heads of nn.MultiheadAttention switched off, with and without torch's fast path: as zero columns of its weight")
def _():
    pad = torch.arange(5) >= torch.tensor([[5], [4], [3]])
    x = torch.randn(3, 5, 24)
    for options in {"batch_first": True}, {"batch_first": False}, {"batch_first": True, "norm_first": True}:
        net = encoder(**options)
        given = x if options["batch_first"] else x.transpose(0, 1)
        run = lambda: (net(given, src_key_padding_mask=pad) if options["batch_first"] else
                       net(given, src_key_padding_mask=pad).transpose(0, 1))[~pad]
        for grad in False, True:                            # with and without torch's fast path
            with torch.set_grad_enabled(grad):
                before = run()
                with masked_heads([layer.self_attn for layer in net.layers], [[1, 0, 1, 0], [1, 1, 1, 0, 1, 1]]):
                    masked = run()
                assert (run() - before).abs().max() < TOL and torch.backends.mha.get_fastpath_enabled()
                kept = [torch.tensor([1.0, 0, 1, 0]) * 2 ** 0.5, torch.tensor([1.0, 1, 1, 0]) * (4 / 3) ** 0.5]
                weights = [layer.self_attn.out_proj.weight for layer in net.layers]
                saved = [weight.detach().clone() for weight in weights]
                with torch.no_grad():
                    for weight, row in zip(weights, kept):
                        weight.mul_(row.repeat_interleave(6))
                want = run()
                with torch.no_grad():
                    for weight, old in zip(weights, saved):
                        weight.copy_(old)
                assert (want - before).abs().max() > 100 * TOL
                assert (want - masked).abs().max() < TOL


@check("a mask that cannot act is an error: out_proj, which torch never calls, and a module that the model never calls")
def _():
    net = encoder(batch_first=True)
    projection = net.layers[0].self_attn.out_proj
    refused("give the nn.MultiheadAttention", lambda: ex.mask_heads([projection], [[1, 0, 1, 1]], False))
    net.layers[1].spare = torch.nn.Linear(24, 24)
    with masked_heads([net.layers[0].self_attn, net.layers[1].spare], [[1, 0, 1, 1], [1, 0, 1, 1]]):
        refused("layer 2 of the mask was not called", lambda: net(torch.randn(2, 3, 24)), RuntimeError)
    net(torch.randn(2, 3, 24))
    refused("has 3 heads", lambda: ex.mask_heads(net.layers[0].self_attn, [[1, 0, 1]], False))
    refused("has 5 heads", lambda: ex.mask_heads([net.layers[0].self_attn], [[1, 0, 1, 1, 0]], False))


@check("a mask of layers with different numbers of heads, as attnpath_mask writes it; removed heads are printed")
def _():
    with open("mask.txt", "w") as out:
        out.write("# heads 4 3\n0 1 0 1\n1 1 0 1\n")
    told = io.StringIO()
    with contextlib.redirect_stdout(told):
        handles = ex.mask_heads([torch.nn.Linear(24, 24), torch.nn.Linear(24, 24)], "mask.txt", rescale=True)
    assert told.getvalue() == ("layer 1 of the mask: 2 of 4 heads removed: 1, 3\n"
                               "layer 2 of the mask: 1 of 3 heads removed: 3\n"), told.getvalue()
    one, two = (handle.projection for handle in handles)
    x = torch.randn(1, 24)
    with torch.no_grad():
        assert (one(x) - one.forward(x * torch.tensor([0, 1, 0, 1]).repeat_interleave(6) * 2 ** 0.5)).abs().max() < TOL
        assert (two(x) - two.forward(x * torch.tensor([1, 1, 0]).repeat_interleave(8) * 1.5 ** 0.5)).abs().max() < TOL


@check("a model in plain PyTorch, padded on the right: tokens and maps by definition; three words as labels")
def _():
    for options in {"batch_first": True, "norm_first": True}, {"batch_first": False}:
        net = encoder(**options)
        x = torch.randn(3, 5, 24)
        pad = torch.arange(5) >= torch.tensor([[5], [4], [2]])
        given = x if options["batch_first"] else x.transpose(0, 1)
        tokens = {"src": given, "src_key_padding_mask": pad}
        ex.export(net, [(tokens, ["a", "bc", "a"])], "plain", [1], "mean")
        m = load("plain_001.mat")
        assert m["Lengths"].tolist() == [[5, 4, 2]]
        assert [str(word[0]) for word in m["y"][:, 0]] == ["a", "bc", "a"] and m["y"].shape == (3, 1)
        own = net.layers[1].self_attn
        assert "forward" not in vars(own) and torch.backends.mha.get_fastpath_enabled()
        for k, n in enumerate([5, 4, 2]):
            with torch.no_grad():
                one = x[k:k + 1, :n] if options["batch_first"] else x[k:k + 1, :n].transpose(0, 1)
                z = net.layers[0](one)
                z = net.layers[1].norm1(z) if net.layers[1].norm_first else z
                z = z.reshape(n, 24)                        # one example
                q, key, _ = (z @ own.in_proj_weight.T + own.in_proj_bias).reshape(n, 3, 4, 6).unbind(1)
                a = torch.softmax(torch.einsum("qhd,khd->hqk", q, key) / 6 ** 0.5, -1)
            assert abs(m["X"][:, :n, k].T - z.numpy()).max() < TOL and not m["X"][:, n:, k].any()
            assert abs(m["A"][0, 0][:n, :n, :, k].transpose(2, 1, 0) - a.numpy()).max() < TOL
    refused("0 to 1", lambda: ex.export(net, [(tokens, [1, 2, 3])], "no", [2], "mean"))
    refused("some labels are words", lambda: ex.export(net, [(tokens, ["a", 1, 2])], "no", [1], "mean"))
    refused("not (3, 2)", lambda: ex.export(net, [(tokens, torch.eye(3)[:, :2])], "no", [1], "mean"))
    refused("3 examples and 2 labels", lambda: ex.export(net, [(tokens, [1, 2])], "no", [1], "mean"))
    refused("pairs", lambda: ex.export(net, [given], "no", [1], "mean"))
    refused("pairs", lambda: ex.head_costs(net, given, None))
    refused("reads is left out", lambda: ex.export(net, [(tokens, [1, 2, 3])], "no", 1, "mean", reads=own))
    refused("does not stand before", lambda: ex.export(net, [(tokens, [1, 2, 3])], "no", 1, "mean",
                                                       norms=[net.layers[1].norm1]))


@check("inputs of the heads of a model with a norm before them; maps that are means over heads")
def _():
    gpt = small("GPT2")
    ids = torch.tensor([[1, 2, 3, 4, 5]])
    tokens = {"input_ids": ids, "attention_mask": torch.ones(1, 5)}
    ex.export(gpt, [(tokens, [1])], "normed", [1], "last", reads=gpt.h[1].attn)
    with torch.no_grad():
        z = gpt.h[1].ln_1(gpt(**tokens, output_hidden_states=True).hidden_states[1])
    assert abs(load("normed_001.mat")["X"].reshape(12, 5).T - z[0].numpy()).max() < TOL
    refused("did not call", lambda: ex.export(gpt, [(tokens, [1])], "no", [1], "last", reads=torch.nn.Linear(1, 1)))

    class Averaged(torch.nn.Module):
        def forward(self, **named):
            out = gpt(**named)
            out.attentions = tuple(a.mean(1) for a in out.attentions)
            return out
    refused("average_attn_weights=False", lambda: ex.export(Averaged(), [(tokens, [1])], "no", [1], "last"))


class Residual(torch.nn.Module):
    """Attention alone, behind norms, added to the stream: no MLP and no bias."""

    def __init__(self, norm, batch_first):
        super().__init__()
        self.norms = torch.nn.ModuleList(norm(12) for _ in range(2))
        self.heads = torch.nn.ModuleList(torch.nn.MultiheadAttention(12, h, bias=False, batch_first=batch_first)
                                         for h in (2, 3))
        for norm in self.norms:
            torch.nn.init.normal_(norm.weight)

    def forward(self, z, pad):
        for norm, heads in zip(self.norms, self.heads):
            n = norm(z)
            z = z + heads(n, n, n, key_padding_mask=pad, need_weights=False)[0]
        return z


@check("norms frozen: the residual network of (T26) with the exported maps gives the model's outputs, by paths too")
def _():
    pad = torch.arange(5) >= torch.tensor([[5], [4], [2]])
    z = torch.randn(3, 5, 12) * torch.exp(torch.randn(3, 5, 1))             # tokens of very different size
    norms = {"rms": lambda n: torch.nn.RMSNorm(n, eps=1e-5), "layer": lambda n: torch.nn.LayerNorm(n, bias=False)}
    for name, norm in norms.items():
        torch.manual_seed(4)
        net = Residual(norm, name == "rms").eval()
        given = {"z": z if name == "rms" else z.transpose(0, 1), "pad": pad}
        ex.export(net, [(given, [1, 2, 3])], name, [0, 1], "mean", norms=list(net.norms))
        m = load(name + "_001.mat")
        with torch.no_grad():
            want = net(**given)
            want = want if name == "rms" else want.transpose(0, 1)
        values = []                                         # linear map of each head on a token of the stream
        for own, heads in zip(net.norms, net.heads):
            H, d = heads.num_heads, 12 // heads.num_heads
            v = heads.in_proj_weight[24:].detach() * own.weight.detach()
            v = v - v.mean(1, keepdim=True) if name == "layer" else v
            o = heads.out_proj.weight.detach()
            values.append([o[:, d * h:d * (h + 1)] @ v[d * h:d * (h + 1)] for h in range(H)])
        for k, n in enumerate([5, 4, 2]):
            stream = torch.tensor(m["X"][:, :n, k])
            for layer, own in enumerate(values):
                maps = torch.tensor(m["A"][0, layer][:n, :n, :, k])
                stream = stream + sum(own[h] @ stream @ maps[:, :, h] for h in range(len(own)))
            assert (stream.T - want[k, :n]).abs().max() < TOL, (name, k)
        # for check.m: the linear map of each path, the first layer's head slowest, 0 before the heads
        paths = [(torch.eye(12) if b is None else b) @ (torch.eye(12) if a is None else a)
                 for a in [None] + values[0] for b in [None] + values[1]]
        output = torch.stack([want[k, :n].mean(0) for k, n in enumerate([5, 4, 2])], 1)
        scipy.io.savemat(name + "_paths.mat", {"W": torch.stack(paths, 2).numpy(), "output": output.numpy()})
    refused("one for each", lambda: ex.export(net, [(given, [1, 2, 3])], "no", [0, 1], "mean", norms=net.norms[:1]))
    given = {"z": z.transpose(0, 1), "pad": pad}
    refused("did not call the norm", lambda: ex.export(net, [(given, [1, 2, 3])], "no", [0], "mean",
                                                       norms=[torch.nn.LayerNorm(12)]))
    net.norms[0].register_forward_hook(lambda module, inputs, out: torch.tanh(out))
    refused("does not divide", lambda: ex.export(net, [(given, [1, 2, 3])], "no", [0], "mean", norms=[net.norms[0]]))

    gpt = small("GPT2")
    tokens = {"input_ids": torch.tensor([[1, 2, 3, 4, 5]]), "attention_mask": torch.ones(1, 5)}
    ex.export(gpt, [(tokens, [1])], "plainly", [1], "last")
    ex.export(gpt, [(tokens, [1])], "frozen", [1], "last", norms=[gpt.h[1].ln_1])
    plainly, frozen = load("plainly_001.mat"), load("frozen_001.mat")
    sd = (plainly["X"].var(0, keepdims=True) + gpt.h[1].ln_1.eps) ** 0.5            # 1 x tokens x examples
    assert abs(frozen["X"] - plainly["X"]).max() < TOL
    assert abs(frozen["A"][0, 0] * sd.reshape(5, 1, 1, 1) - plainly["A"][0, 0]).max() < TOL


@check("three words as labels of a file stay words, two become numbers")
def _():
    for words, want in (["a", "b", "c", "a", "b", "c"],) * 2, (["no", "yes"] * 3, [-1.0, 1.0] * 3):
        with open("words.tsv", "w") as out:
            out.write("".join(f"{word}\tsome text\n" for word in words))
        assert ex.read_lines("words.tsv")[0] == want
    with open("words.tsv", "w") as out:
        out.write("".join(f"w{k}\tsome text\n" for k in range(6)))
    refused("a few words", lambda: ex.read_lines("words.tsv"))


def cross_entropy(output, labels):
    """A model of two classes, by the mean of the first two features."""
    return torch.nn.functional.cross_entropy(output.mean(1)[:, :2], labels, reduction="none")


@check("costs of heads: the loss with columns of the weight at zero; importance by differences")
def _():
    net = encoder(batch_first=True)
    x, y = torch.randn(7, 5, 24), torch.tensor([0, 1, 1, 0, 1, 0, 0])
    batches = [(x[:4], y[:4]), ((x[4:],), y[4:])]
    costs = ex.head_costs(net, batches, cross_entropy, "costs.mat")
    m = load("costs.mat")
    for name in costs:
        assert m[name].tolist() == [costs[name]], name
    assert costs["layer"] == [1] * 4 + [2] * 4 and costs["head"] == [1, 2, 3, 4] * 2
    shared = ex.head_costs(net, batches, cross_entropy, "groups.mat", groups=2)
    net.double()                                            # small steps need more digits
    x = x.double()
    with torch.no_grad():
        before = cross_entropy(net(x), y)
        for k, (layer, first) in enumerate([(l, h) for l in (0, 1) for h in range(4)]):
            for many, got in (1, costs), (2, shared):
                if first % many:
                    continue
                row = 4 * layer + first if many == 1 else 2 * layer + first // 2
                weight = net.layers[layer].self_attn.out_proj.weight
                saved, columns = weight.clone(), slice(6 * first, 6 * (first + many))
                weight[:, columns] = 0
                grown = cross_entropy(net(x), y) - before
                assert abs(grown.mean() - got["cost"][row]) < TOL, (many, k)
                assert abs(grown.std() / 7 ** 0.5 - got["cost_se"][row]) < TOL
                slope = 0
                for sign in 1, -1:
                    weight[:, columns] = saved[:, columns] * (1 + sign * 1e-4)
                    slope = slope + sign * cross_entropy(net(x), y) / 2e-4
                weight.copy_(saved)
                assert abs(slope.abs().mean() - got["importance"][row]) < TOL, (many, k)
                assert abs(slope.abs().std() / 7 ** 0.5 - got["importance_se"][row]) < TOL
    assert len(shared["head"]) == 4


@check("costs of heads of BERT: its layers are found by their names, and impossible requests are refused")
def _():
    tokens = tokenizer(texts[:6], padding=True, return_tensors="pt")
    loss = lambda output, y: (output.last_hidden_state[:, 0, 0] - y) ** 2
    y = torch.tensor(labels[:6])
    costs = ex.head_costs(model, [(tokens, y)], loss, "bert.mat", rescale=True)
    assert len(costs["cost"]) == 24
    dense = [layer.attention.output.dense for layer in model.encoder.layer]
    with torch.no_grad():
        with masked_heads(dense, [[1] * 4] * 5 + [[1, 1, 0, 1]]):
            masked = loss(model(**tokens), y)
        assert abs(masked.mean() - loss(model(**tokens), y).mean() - costs["cost"][22]) < TOL
    assert [r is d for r, d in zip(ex.readers_of(model), dense)] == [True] * 6
    refused("reduction='none'", lambda: ex.head_costs(model, [(tokens, y)], lambda out, y: loss(out, y).mean()))
    refused("no module has a name", lambda: ex.head_costs(torch.nn.Linear(2, 2), [], loss))
    refused("heads=4", lambda: ex.head_costs(torch.nn.Linear(2, 2), [], loss, modules=[torch.nn.Linear(2, 2)]))
    refused("2 numbers, for 6 layers", lambda: ex.head_costs(model, [], loss, heads=[4, 4]))
    refused("do not divide by groups", lambda: ex.head_costs(model, [], loss, groups=3))
    refused("no examples", lambda: ex.head_costs(model, [], loss))
    wrong = [torch.nn.Linear(24, 24)]
    model.spare = wrong[0]
    refused("layer 1 was not called", lambda: ex.head_costs(model, [(tokens, y)], loss, modules=wrong), RuntimeError)
    del model.spare


@check("a batch of padded texts without its mask, or of bare texts, is refused")
def _():
    tokens = tokenizer(texts[:4], padding=True, return_tensors="pt")
    ids = {"input_ids": tokens["input_ids"]}
    refused("attention_mask", lambda: ex.export(model, [(ids, [1, -1, 1, -1])], "out", layers=[5], readout="mean"))
    refused("not a list", lambda: ex.export(model, [(texts[:2], [1, -1])], "out", layers=[5], readout="mean"))


class Padded(torch.nn.Module):
    """Two layers of nn.MultiheadAttention, called with the given masks, one after the other."""

    def __init__(self, calls=(0, 1), **options):
        super().__init__()
        torch.manual_seed(5)
        self.heads = torch.nn.ModuleList(torch.nn.MultiheadAttention(8, 2, batch_first=True, **options) for _ in "12")
        self.calls = calls

    def forward(self, x, masks):
        for k, layer in enumerate(self.calls):
            x = x + self.heads[layer](x, x, x, **(masks[k] if isinstance(masks, list) else masks))[0]
        return x


def parts_of(net, x, masks, layers=(0, 1), labels=(1, -1, 1)):
    ex.export(net.eval(), [({"x": x, "masks": masks}, list(labels)[:len(x)])], "masked", list(layers), "mean")
    return load("masked_001.mat")


@check("padding by any mask of nn.MultiheadAttention: lengths, tokens and maps as of one text at a time, or refused")
def _():
    net, x = Padded(), torch.randn(3, 5, 8)
    real = torch.arange(5) < torch.tensor([[5], [4], [2]])
    added = [float("-inf"), -1e9, -1e4, torch.finfo(torch.float32).min, -100.0]
    keys = (~real)[:, None, :].expand(3, 5, 5)
    both = ~(real[:, None, :] & real[:, :, None])
    causal = torch.ones(5, 5, dtype=torch.bool).triu(1)
    by_heads = lambda mask: mask.repeat_interleave(2, 0)
    number = lambda mask, value: torch.zeros(mask.shape).masked_fill(mask, value)
    plain = [{"key_padding_mask": ~real}, {"attn_mask": by_heads(keys)}]
    plain += [{"key_padding_mask": number(~real, value)} for value in added]
    plain += [{"attn_mask": number(by_heads(keys), value)} for value in added]
    plain += [{"attn_mask": number(by_heads(both), value)} for value in added[1:-1]]
    ordered = [{"key_padding_mask": ~real, "attn_mask": causal}, {"attn_mask": by_heads(keys | causal)}]
    ordered += [{"key_padding_mask": number(~real, value), "attn_mask": number(causal, value)} for value in added]
    ordered += [{"attn_mask": number(by_heads(keys | causal), value)} for value in added]
    for cases, alone in (plain, {}), (ordered, {"attn_mask": causal}):
        for masks in cases:
            m = parts_of(net, x, masks)
            assert m["Lengths"].tolist() == [[5, 4, 2]], (masks, m["Lengths"])
            for k, n in enumerate([5, 4, 2]):
                one = parts_of(net, x[k:k + 1, :n], {name: mask[:n, :n] for name, mask in alone.items()})
                assert abs(m["X"][:, :n, k] - one["X"].reshape(8, n)).max() < TOL
                for layer in 0, 1:
                    a = m["A"][0, layer][:n, :n, :, k]
                    assert abs(a - one["A"][0, layer].reshape(n, n, 2)).max() < TOL
    eye = torch.eye(5, dtype=torch.bool)
    packed = torch.block_diag(torch.ones(2, 2), torch.ones(3, 3)) == 0
    for mask in by_heads(keys & ~eye), packed, by_heads(torch.stack([keys[0], packed, keys[2]])):
        refused("key_padding_mask", lambda: parts_of(net, x, {"attn_mask": mask}))
    refused("to padding", lambda: parts_of(net, x, {"key_padding_mask": number(~real, -1.0)}))
    refused("NaN", lambda: parts_of(net, x, {"attn_mask": by_heads(both)}))         # rows that are masked whole
    refused("NaN", lambda: parts_of(net, x, {"key_padding_mask": ~real.flip(1), "attn_mask": causal}))
    refused("no token", lambda: parts_of(net, x, {"key_padding_mask": torch.ones(3, 5, dtype=torch.bool)}))
    refused("no token", lambda: parts_of(net, x, {"key_padding_mask": torch.full((3, 5), -1e9)}))
    refused("mask other tokens", lambda: parts_of(net, x, [{"key_padding_mask": ~real}, {}]))


@check("nn.MultiheadAttention that is shared, out of order, or has keys that are no tokens; queries of other tokens")
def _():
    x = torch.randn(2, 3, 8)
    for options in {"add_bias_kv": True}, {"add_zero_attn": True}:
        refused("add_bias_kv", lambda: parts_of(Padded(**options), x, {}))
    refused("more than once", lambda: parts_of(Padded((0, 0)), x, {}, [0]))
    refused("more than once", lambda: parts_of(Padded((0, 1, 0)), x, {}, [0]))
    refused("in the order [1, 0]", lambda: parts_of(Padded((1, 0)), x, {}))
    net = Padded((0, 0))
    with masked_heads(net.heads[0], [[1, 0]]):
        refused("2 times in one pass", lambda: net(x, {}))
    net(x, {})
    assert torch.backends.mha.get_fastpath_enabled() and "forward" not in vars(net.heads[0])

    class Crossed(Padded):
        def forward(self, x, masks):
            return self.heads[0](x, masks, masks)[0]

    class Placed(Padded):                                   # positions for queries and keys alone
        def forward(self, x, masks):
            return self.heads[0](x + 1, x + 1, x)[0]
    refused("to themselves", lambda: parts_of(Crossed(), x, torch.randn(2, 3, 8), [0]))
    assert abs(parts_of(Placed(), x, {}, [0])["X"].transpose(2, 1, 0) - x.numpy()).max() < 1e-6


@check("left padding and sliding windows: a batch has what its texts have one at a time, whatever the positions")
def _():
    texts = [[5, 6, 7], [1, 2, 3, 4, 5], [9]]
    mistral = dict(num_key_value_heads=1, head_dim=4, sliding_window=2, num_attention_heads=2)
    for net in small("GPT2"), small("Bert"), small("Mistral", **mistral), small("Llama", num_key_value_heads=1):
        for left in False, True:
            ids = torch.zeros(3, 5, dtype=torch.long)
            mask = torch.zeros(3, 5, dtype=torch.long)
            for k, text in enumerate(texts):
                part = slice(5 - len(text), 5) if left else slice(0, len(text))
                ids[k, part], mask[k, part] = torch.tensor(text), 1
            ex.export(net, [({"input_ids": ids, "attention_mask": mask}, [1, -1, 1])], "batch", [0, 1], "last")
            m = load("batch_001.mat")
            assert m["Lengths"].tolist() == [[3, 5, 1]]
            for k, text in enumerate(texts):
                n = len(text)
                ex.export(net, [({"input_ids": torch.tensor([text])}, [1])], "single", [0, 1], "last")
                one = load("single_001.mat")
                assert abs(m["X"][:, :n, k] - one["X"].reshape(-1, n)).max() < TOL, type(net)
                for layer in 0, 1:
                    a = m["A"][0, layer][:n, :n, :, k]
                    assert abs(a - one["A"][0, layer].reshape(a.shape)).max() < TOL, type(net)
                    if n == 5 and isinstance(net, transformers.MistralModel):       # the window is two tokens wide
                        assert not a[:3, 4].any() and a[3:, 4].all()
    ids = torch.tensor([[1, 2, 3]])
    for mask in torch.tensor([[0.0, -1e9, -1e9]]), torch.ones(1, 1, 3, 3), torch.tensor([[0.5, 1, 1]]):
        given = {"input_ids": ids, "attention_mask": mask}
        refused("attention_mask", lambda: ex.export(net, [(given, [1])], "no", 0, "mean"))
    bert = small("Bert", pad_token_id=0, eos_token_id=2)
    for padded in [[1, 2, 0, 0]], [[0, 1, 2, 3]]:
        given = {"input_ids": torch.tensor(padded)}
        refused("attention_mask", lambda: ex.export(bert, [(given, [1])], "no", 0, "mean"))

    class Deaf(torch.nn.Module):                            # ignores its mask, or pads by itself
        def __init__(self, own):
            super().__init__()
            self.own, self.bert = own, bert

        def forward(self, input_ids, attention_mask=None, **named):
            return self.bert(input_ids, attention_mask=(input_ids > 0).long() if self.own else None, **named)
    ids = torch.tensor([[1, 2, 0, 0], [1, 2, 3, 4]])
    given = {"input_ids": ids, "attention_mask": (ids > 0).long()}
    refused("to padding", lambda: ex.export(Deaf(False), [(given, [1, 1])], "no", 0, "mean"))
    refused("no attention at all", lambda: ex.export(Deaf(True), [({"input_ids": ids}, [1, 1])], "no", 0, "mean"))


@check("models whose maps and hidden states do not fit each other, or that have none")
def _():
    ids = {"input_ids": torch.tensor([[1, 2, 3, 4]]), "attention_mask": torch.ones(1, 4)}
    take = lambda net, layers=0, **named: ex.export(net, [(ids, [1])], "no", layers, "mean", **named)
    bert = small("Bert")

    class Some(torch.nn.Module):
        def __init__(self, change):
            super().__init__()
            self.change = change

        def forward(self, **named):
            out = bert(**named)
            out.attentions = self.change(out.attentions)
            return out
    refused("not one more", lambda: take(Some(lambda maps: maps[1:])))              # hybrids: attention in some layers
    refused("not one more", lambda: take(Some(lambda maps: (None,) + maps[1:])))
    refused("eager", lambda: take(Some(lambda maps: (None, None))))
    refused("eager", lambda: take(Some(lambda maps: None)))
    refused("get_encoder", lambda: take(small("Bart", d_model=12, encoder_layers=1, decoder_layers=1, encoder_ffn_dim=8,
                                              decoder_ffn_dim=8, encoder_attention_heads=2, decoder_attention_heads=2)))
    refused("get_encoder", lambda: take(small("T5", d_model=12, num_layers=1, d_kv=4, num_heads=3, d_ff=8)))
    mamba = transformers.MambaModel(transformers.MambaConfig(vocab_size=50, hidden_size=8, num_hidden_layers=1,
                                                             state_size=2)).eval()
    refused("Mamba", lambda: take(mamba))
    lfm = transformers.Lfm2Config(vocab_size=50, hidden_size=16, num_hidden_layers=3, num_attention_heads=2,
                                  num_key_value_heads=1, intermediate_size=16, attn_implementation="eager",
                                  layer_types=["conv", "conv", "full_attention"])
    refused("not one more", lambda: take(transformers.Lfm2Model(lfm).eval()))
    refused("there is no folder", lambda: ex.export(bert, [(ids, [1])], "nowhere/maps", 0, "mean"))
    refused("there is no folder", lambda: ex.head_costs(bert, [], None, "nowhere/costs.mat"))
    refused("finite", lambda: ex.export(bert, [(ids, [float("nan")])], "no", 0, "mean"))
    albert = small("Albert", embedding_size=8)
    attention = albert.encoder.albert_layer_groups[0].albert_layers[0].attention
    ex.export(albert, [(ids, [1])], "albert", [0, 1], "mean")                       # it returns maps for each call
    refused("2 times", lambda: take(albert, reads=attention))
    refused("2 times", lambda: take(albert, [0, 1], norms=[attention.LayerNorm, bert.embeddings.LayerNorm]))
    with masked_heads([attention.dense], [[1, 0, 1]]):
        refused("2 times in one pass", lambda: albert(**ids))
    gpt = small("GPT2")
    refused("in layer 1, not in layer 0", lambda: take(gpt, [0, 1], reads=gpt.h[1].attn))
    for norms in [gpt.h[0].ln_1, gpt.h[0].ln_2], [gpt.h[1].ln_1, gpt.h[0].ln_1], [gpt.h[0].ln_1, gpt.h[1].ln_2]:
        refused("does not stand before", lambda: take(gpt, [0, 1], norms=norms))
    refused("one norm twice", lambda: take(gpt, [0, 1], norms=[gpt.h[0].ln_1] * 2))
    assert not any(f.startswith("no_") for f in os.listdir("."))


@check("norms of a model in half precision; training mode is restored; parts of an older, longer export are removed")
def _():
    llama = small("Llama", num_key_value_heads=1).bfloat16()
    llama.train()
    llama.norm.eval()
    tokens = {"input_ids": torch.tensor([[1, 2, 3, 4]] * 3)}
    norms = [layer.input_layernorm for layer in llama.layers]
    ex.export(llama, [(tokens, [1, 2, 3])], "half", [0, 1], "last", norms=norms, part_bytes=1)
    assert llama.training and llama.layers[0].training and not llama.norm.training
    m = load("half_001.mat")
    with torch.no_grad():
        out = llama.eval()(**{name: value[:1] for name, value in tokens.items()}, output_attentions=True,
                           output_hidden_states=True)
    for layer in 0, 1:
        scale = (out.hidden_states[layer].float() ** 2).mean(-1).sqrt()[0]          # of each key
        got = m["A"][0, layer].reshape(4, 4, 3) * scale.numpy()[:, None, None]
        assert abs(got - out.attentions[layer][0].float().numpy().transpose(2, 1, 0)).max() < 2 ** -7
    assert os.path.exists("half_003.mat")
    ex.export(llama, [(tokens, [1, 2, 3])], "half", [1], "last", norms=norms[1:])
    assert sorted(f for f in os.listdir(".") if f.startswith("half_")) == ["half_001.mat"]


@check("reader of joined heads: found in attention; layers, values and masks of other numbers of heads are refused")
def _():
    llama, gpt = small("Llama", num_key_value_heads=1, intermediate_size=12), small("GPT2")
    ids = {"input_ids": torch.tensor([[1, 2, 3, 4]])}
    bert = small("Bert")
    loss = lambda out, y: out.last_hidden_state[:, 0, 0] - y
    y = torch.ones(1)
    own = llama.layers[1].self_attn, gpt.h[1].attn, bert.encoder.layer[1].attention
    joins = own[0].o_proj, own[1].c_proj, own[2].output.dense
    for net, attention, joined in zip((llama, gpt, bert), own, joins):
        with masked_heads([attention], [[1, 0, 1]]) as handles:
            assert handles[0].projection is joined
            net(**ids)
        assert len(ex.head_costs(net, [(ids, y), (ids, y)], loss, modules=[attention])["cost"]) == 3
        with masked_heads([joined], [[1, 0, 1, 1, 1, 1]]):
            refused("but 3 in this model", lambda: net(**ids))
        refused("but 3 in this model", lambda: ex.head_costs(net, [(ids, y)], loss, modules=[joined], heads=2))
        net(**ids)
    for layer in llama.layers[0], gpt.h[0], bert.encoder.layer[0], llama:
        refused("not what reads", lambda: ex.mask_heads([layer], [[1, 0, 1]], False))
    attention = llama.layers[0].self_attn
    other = [(llama, own) for own in (attention.q_proj, attention.v_proj, llama.layers[0].mlp.down_proj)]
    other += [(gpt, gpt.h[0].attn.c_attn), (gpt, gpt.h[0].mlp.c_proj), (bert, bert.encoder.layer[0].output.dense),
              (bert, bert.encoder.layer[0].attention.self.value)]
    for net, module in other:
        with masked_heads([module], [[1, 0, 1]]):
            for _ in "again":
                refused("not what reads", lambda: net(**ids))
        net(**ids)

    class Named(torch.nn.Module):                           # unusual names
        def __init__(self):
            super().__init__()
            self.a, self.b, self.c = (torch.nn.Linear(12, 12) for _ in range(3))

        def forward(self, x):
            return self.c(torch.tanh(self.a(x) * self.b(x)))
    net = Named()
    for module, good in (net.a, False), (net.b, False), (net.c, True):
        with masked_heads([module], [[1, 0, 1]]):
            for _ in "again":
                if good:
                    net(torch.randn(2, 12))
                else:
                    refused("same input", lambda: net(torch.randn(2, 12)))


@check("a byte order mark is no part of a label, and nan is not a number")
def _():
    with open("marked.tsv", "w", encoding="utf-8-sig") as out:
        out.write("-1\ta b\n1\tb a\n1\tc\n")
    assert ex.read_lines("marked.tsv")[0] == [-1.0, 1.0, 1.0]
    with open("marked.tsv", "w", encoding="utf-8") as out:
        out.write("nan\ta b\nyes\tb a\nnan\tc\n")
    assert ex.read_lines("marked.tsv")[0] == [-1.0, 1.0, -1.0]
    with open("marked.tsv", "w", encoding="utf-16") as out:
        out.write("-1\ta b\n")
    refused("UTF-8", lambda: ex.read_lines("marked.tsv"))
    with open("mask.txt", "w", encoding="utf-8-sig") as out:
        out.write("1,0\n")
    assert ex.rows_of("mask.txt")[0] == [[1.0, 0.0]]


@check("reads must be what the heads average; a norm before them is told once, when the file is written")
def _():
    gpt, llama, bert = small("GPT2"), small("Llama", num_key_value_heads=1), small("Bert")
    tokens = {"input_ids": torch.tensor([[1, 2, 3, 4, 5]]), "attention_mask": torch.ones(1, 5)}
    take = lambda net, **named: ex.export(net, [(tokens, [1]), (tokens, [1])], "told", [1], "mean", **named)
    for net, wrong, right in (gpt, gpt.h[1].mlp, "model.h[1].attn"), (gpt, gpt.h[1], "model.h[1].attn"), \
            (gpt, gpt.h[1].attn.c_proj, "model.h[1].attn"), (llama, llama.layers[1].mlp, "model.layers[1].self_attn"), \
            (bert, bert.encoder.layer[1].intermediate, "model.encoder.layer[1].attention.self"):
        refused(f"reads={right}", lambda: take(net, reads=wrong))
    for net, reads in (gpt, gpt.h[1].attn), (gpt, gpt.h[1].attn.c_attn), (bert, bert.encoder.layer[1]), \
            (bert, bert.encoder.layer[1].attention), (llama, llama.layers[1].self_attn.q_proj):
        with contextlib.redirect_stdout(io.StringIO()) as told:
            take(net, reads=reads)
        assert "reads=" not in told.getvalue()
    for net, words in (gpt, "reads=model.h[1].attn,"), (llama, "reads=model.layers[1].self_attn,"), (bert, None):
        with contextlib.redirect_stdout(io.StringIO()) as told:
            take(net, part_bytes=1)
        assert told.getvalue().count("told_00") == 2 + (words is not None)          # two parts, and one remark
        assert words is None or words in told.getvalue(), told.getvalue()
    with contextlib.redirect_stdout(io.StringIO()) as told:
        take(gpt, norms=[gpt.h[1].ln_1])
    assert "reads=" not in told.getvalue()


class ByHand(torch.nn.Module):
    """Attention written by hand, in two layers, which keeps its inputs and maps if asked."""

    def __init__(self):
        super().__init__()
        torch.manual_seed(7)
        self.q, self.k, self.v, self.o = (torch.nn.ModuleList(torch.nn.Linear(8, 8) for _ in "12") for _ in "qkvo")
        self.kept = None

    def forward(self, x):
        for layer in 0, 1:
            q, k, v = (part[layer](x).unflatten(-1, (2, 4)).transpose(1, 2) for part in (self.q, self.k, self.v))
            a = torch.softmax(q @ k.transpose(2, 3) / 2, -1)
            if self.kept is not None:
                self.kept.append((x, a))
            x = x + self.o[layer]((a @ v).transpose(1, 2).flatten(2))
        return x.mean(1)


def kept_by_hand(net, x):
    net.kept = []
    net(x)
    (first, _), *_ = kept = net.kept
    net.kept = None
    return first, [a for _, a in kept], None


@check("attention written by hand: the error names the interface, whose function gives tokens and maps; answers")
def _():
    net, x = ByHand(), torch.randn(3, 5, 8)
    batch = [(x, ["a", "b", "b"])]
    refused("maps=f", lambda: ex.export(net, batch, "no", [0, 1], "mean"))
    refused("maps=f", lambda: ex.export(net, [({"x": x}, [1, 1, 1])], "no", [0, 1], "mean"))
    words = lambda out: ["ab"[int(v > 0)] for v in out[:, 0]]
    ex.export(net, batch, "hand", [0, 1], "mean", maps=kept_by_hand, answer=words)
    m = load("hand_001.mat")
    assert abs(m["X"].transpose(2, 1, 0) - x.numpy()).max() < 1e-6
    with torch.no_grad():
        q, k = (part[0](x).reshape(3, 5, 2, 4) for part in (net.q, net.k))
        want = torch.softmax(torch.einsum("pqhd,pkhd->phqk", q, k) / 2, -1)
        said = words(net(x))
    assert abs(m["A"][0, 0].transpose(3, 2, 1, 0) - want.numpy()).max() < TOL
    assert [str(word[0]) for word in m["answer"][:, 0]] == said
    X, maps, _ = kept_by_hand(net, x)
    give = lambda *found: ex.export(net, batch, "no", [0, 1], "mean", maps=lambda *_: found)
    refused("each of the 2 layers", lambda: give(X, maps[:1], None))
    refused("a mask or None", lambda: give(X, maps))
    refused("query, key", lambda: give(X, [a.transpose(2, 3) for a in maps], None))
    refused("behind the softmax", lambda: give(X, [a.log() for a in maps], None))
    refused("not (P, H, 5, 5)", lambda: give(X, [a[:, :, :4] for a in maps], None))
    refused("(3, 4)", lambda: give(X, maps, torch.ones(3, 4)))
    refused("omit it", lambda: ex.export(net, batch, "no", [0], "mean", maps=kept_by_hand, reads=net.q[0]))
    refused("omit reads and maps", lambda: ex.export(net, batch, "no", [0], "mean", maps=kept_by_hand,
                                                     norms=[net.q[0]]))
    refused("3 words for a batch", lambda: ex.export(net, batch, "no", [0, 1], "mean", maps=kept_by_hand,
                                                     answer=lambda out: out[:, 0]))
    padded = torch.arange(5) < torch.tensor([[5], [3], [4]])
    whole = [a.masked_fill(~padded[:, None, None], 0) for a in maps]
    give_all = [a / a.sum(-1, keepdim=True) for a in whole]
    ex.export(net, batch, "hand", [0, 1], "mean", maps=lambda *_: (X, give_all, padded))
    assert load("hand_001.mat")["Lengths"].tolist() == [[5, 3, 4]]


@check("steep slopes of ALiBi are no padding where key_padding_mask says what is")
def _():
    net, x = Padded(), torch.randn(2, 6, 8)
    far = (torch.arange(6)[:, None] - torch.arange(6)).abs()
    slopes = torch.stack([-25.0 * far, -40.0 * far]).repeat(2, 1, 1)
    pad = torch.arange(6) >= torch.tensor([[6], [4]])
    for padding in pad, torch.zeros(2, 6).masked_fill(pad, float("-inf")):
        m = parts_of(net, x, {"attn_mask": slopes, "key_padding_mask": padding}, labels=(1, -1))
        assert m["Lengths"].tolist() == [[6, 4]]
    refused("of False where there is none", lambda: parts_of(net, x, {"attn_mask": slopes}, labels=(1, -1)))


@check("masks do not rescale, and say so once for a while")
def _():
    net, x = encoder(batch_first=True), torch.randn(2, 3, 24)
    own = [layer.self_attn for layer in net.layers]
    masks = [[1, 0, 1, 1], [1, 1, 1, 1]]
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for handle in (handles := ex.mask_heads(own, masks)):
            pass
        assert [w.category for w in told] == [FutureWarning] and "rescale" in str(told[0].message)
        silent = net(x)
        for handle in handles:
            handle.remove()
    with warnings.catch_warnings():
        warnings.simplefilter("error", FutureWarning)
        with masked_heads(own, masks, False):
            assert torch.equal(net(x), silent)
        with masked_heads(own, masks, True):
            assert (net(x) - silent).abs().max() > 100 * TOL


@check("mean and resampled ablation, by definition; norms of W_O W_V; groups in the file")
def _():
    gpt, llama, bert = small("GPT2"), small("Llama", num_key_value_heads=1, num_attention_heads=6), small("Bert")
    loss = lambda out, y: (out.last_hidden_state[:, 0, :2].sum(1) - y) ** 2
    ids = torch.tensor([[1, 2, 3, 4], [5, 6, 7, 8], [9, 8, 7, 6]])
    tokens = {"input_ids": ids, "attention_mask": torch.tensor([[1, 1, 1, 1], [1, 1, 1, 0], [1, 1, 0, 0]])}
    y = torch.tensor([1.0, 2, 3])
    dense = bert.encoder.layer[1].attention.output.dense
    got = ex.head_costs(bert, [(tokens, y)], loss, "kinds.mat", ablations=["mean", "resampled"])
    seen = []
    hook = dense.register_forward_pre_hook(lambda module, inputs: seen.append(inputs[0]))
    with torch.no_grad():
        before = loss(bert(**tokens), y)
        hook.remove()
        mean = seen[0][tokens["attention_mask"] > 0].mean(0)
        other = seen[0][ex.other_examples(3, 1)]
        assert not (ex.other_examples(3, 1) == torch.arange(3)).any()
        for name, fill in ("mean", mean.expand(3, 4, 12)), ("resampled", other):
            for head in 0, 1, 2:
                part = slice(4 * head, 4 * head + 4)

                def put(module, inputs):
                    x = inputs[0].clone()
                    x[..., part] = fill[..., part]
                    return (x,)
                hook = dense.register_forward_pre_hook(put)
                grown = loss(bert(**tokens), y) - before
                hook.remove()
                assert abs(grown.mean() - got[name][3 + head]) < TOL, (name, head)
                assert abs(grown.std() / 3 ** 0.5 - got[name + "_se"][3 + head]) < TOL, (name, head)
    refused("ablations must be", lambda: ex.head_costs(bert, [(tokens, y)], loss, ablations="none"))
    one = {name: value[:1] for name, value in tokens.items()}
    refused("one example alone", lambda: ex.head_costs(bert, [(one, y[:1])], loss, ablations="resampled"))
    del tokens["attention_mask"]
    got = ex.head_costs(gpt, [(tokens, y)], loss, "kinds.mat")
    v, o = gpt.h[1].attn.c_attn.weight[:, 24:], gpt.h[1].attn.c_proj.weight         # in x out
    want = [(v[:, part] @ o[part]).norm().item() for part in (slice(4 * h, 4 * h + 4) for h in range(3))]
    assert max(abs(a - b) for a, b in zip(got["norm"][3:], want)) < TOL
    got = ex.head_costs(llama, [(tokens, y)], loss, "kinds.mat", groups=3)
    own = llama.layers[0].self_attn
    square = lambda h: (own.o_proj.weight[:, 2 * h:2 * h + 2] @ own.v_proj.weight).norm() ** 2
    want = [(square(2 * g) + square(2 * g + 1)) ** 0.5 for g in range(3)]
    assert max(abs(a - b.item()) for a, b in zip(got["norm"], want)) < TOL
    assert load("kinds.mat")["groups"].tolist() == [[3, 3]] and got["head"] == [1, 2, 3] * 2
    hand, x = ByHand(), torch.randn(4, 5, 8)
    given = dict(modules=list(hand.o), heads=2)
    score = lambda out, y: out.sum(1) * y
    assert "norm" not in ex.head_costs(hand, [(x, torch.ones(4))], score, "kinds.mat", **given)
    got = ex.head_costs(hand, [(x, torch.ones(4))], score, "kinds.mat", values=list(hand.v), **given)["norm"]
    want = [(hand.o[1].weight[:, 4 * h:4 * h + 4] @ hand.v[1].weight[4 * h:4 * h + 4]).norm().item() for h in (0, 1)]
    assert max(abs(a - b) for a, b in zip(got[2:], want)) < TOL


class Stopped(Exception):
    """What ends a search in these tests."""


@check("the greedy search: by all masks one after the other; resumed after its end at any pass; its mask is read")
def _():
    torch.manual_seed(8)
    net, x = encoder(batch_first=True), torch.randn(60, 5, 24)
    y = torch.randint(0, 2, (60,))
    batches, held = [(x[:20], y[:20]), (x[20:40], y[20:40])], [(x[40:], y[40:])]
    own, passes = [layer.self_attn for layer in net.layers], [0, 1e9]

    def counted(output, labels):
        passes[0] += 1
        if passes[0] > passes[1]:
            raise Stopped
        return cross_entropy(output, labels)

    def mean_of(gone, pairs):
        mask = [[float((layer, head) not in gone) for head in (1, 2, 3, 4)] for layer in (1, 2)]
        with contextlib.redirect_stdout(io.StringIO()), masked_heads(own, mask, False), torch.no_grad():
            return torch.cat([cross_entropy(net(a), b) for a, b in pairs]).double()
    for old in "search", "resumed", "groups":
        pathlib.Path(old + ".txt.search").unlink(missing_ok=True)
    gone, loss, curve = [], [mean_of([], batches).mean()], [(0.0, 0.0)]
    for _ in range(5):
        some = [(layer, head) for layer in (1, 2) for head in (1, 2, 3, 4) if (layer, head) not in gone
                and sum(row[0] == layer for row in gone) < 3]
        losses = [mean_of(gone + [row], batches).mean() for row in some]
        gone.append(some[int(torch.stack(losses).argmin())])
        loss.append(min(losses))
        rise = mean_of(gone, held) - mean_of([], held)
        curve.append((rise.mean().item(), (rise.std() / 20 ** 0.5).item()))
    search = lambda file, **named: ex.head_search(net, batches, counted, file, held=held, most=5, **named)
    whole = search("search.txt")
    assert whole["removed"] == gone
    for name, want in ("loss", loss), ("held", [a for a, _ in curve]), ("held_se", [b for _, b in curve]):
        assert max(abs(a - float(b)) for a, b in zip(whole[name], want)) < TOL and len(whole[name]) == 6
    worse = [k for k, (a, b) in enumerate(curve) if a > 2 * b]
    kept = worse[0] - 1 if worse else 5
    rows, heads = ex.rows_of("search.txt")
    assert heads == [4, 4]
    assert [(l + 1, h + 1) for l in (0, 1) for h in range(4) if rows[l][h] == 0] == sorted(gone[:kept])
    ex.head_search(net, batches, counted, "search.txt", held=held, most=5, remove=3)
    assert sum(map(sum, ex.rows_of("search.txt")[0])) == 5
    needed = passes[0]
    keep, ex.time.monotonic = ex.time.monotonic, iter(range(0, 10 ** 6, 10)).__next__       # state is kept every pass
    try:
        passes[:], runs = [0, 7], 0
        while True:
            try:
                again = search("resumed.txt")
                break
            except Stopped:
                runs, passes[1] = runs + 1, passes[0] + 9
    finally:
        ex.time.monotonic = keep
    assert again == whole and runs > 5
    passes[1] = 1e9
    refused("of another search", lambda: ex.head_search(net, batches[:1], counted, "resumed.txt", held=held, most=5))
    refused("of another search", lambda: search("resumed.txt", rescale=True))
    with open("broken.txt.search", "w") as out:
        out.write("{")
    refused("no state of head_search", lambda: search("broken.txt"))
    refused("from 1 to 6", lambda: ex.head_search(net, batches, counted, "no.txt", most=7))
    refused("from 0 to most", lambda: search("no.txt", remove=6))
    refused("no examples", lambda: ex.head_search(net, [], counted, "no.txt"))
    refused("there is no folder", lambda: search("nowhere/no.txt"))
    shared = ex.head_search(net, batches, counted, "groups.txt", groups=2, most=2)
    assert shared["held"] == [0.0] and sum(map(sum, ex.rows_of("groups.txt")[0])) == 4
    with masked_heads(own, "groups.txt", False), torch.no_grad():
        got = torch.cat([cross_entropy(net(a), b) for a, b in batches]).double().mean().item()
    assert abs(got - shared["loss"][2]) < TOL


print("%d passed, %d failed" % tuple(counts))
sys.exit(counts[1] > 0)
