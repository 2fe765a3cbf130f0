"""python_shapes.py PAGE: shapes.mat, of python_shapes.m, read by the lines of doc/python.md, which PAGE holds."""
import sys

import numpy

blocks = open(sys.argv[1]).read().split("\n\nd = loadmat")[0]           # plain
reshapes = open(sys.argv[1]).read().split("import arviz\n")[1].split("idata")[0]
exec(blocks)
d = loadmat("shapes.mat")
passed = 0
for case in plain(d["cases"]):
    rows, C, probes, count, chains, layers = case["sizes"].ravel().astype(int)
    post, sol = case["post"], case["sol"]
    exec(reshapes)
    assert chains_first["U"].shape == (chains, count, rows, rows)
    assert (chains_first["U"][0, 0] == case["first"]).all() and (chains_first["U"][-1, -1] == case["last"]).all()
    assert chains_first["f"].shape == (chains, count, probes, C) and chains_first["f"][-1, -1, -1, -1] == case["f"].item()
    assert isinstance(sol["order"], list) and len(sol["order"]) == layers and (sol["order"][0] == sol["U"]).all()
    assert sol["U"].shape == (rows, rows) and sol["y"].shape == (12, C) and isinstance(sol["reason"], str)
    assert post["acceptance"].shape == (1, chains) and post["logpost"].shape == (count, chains)
    passed += 1
sweep = plain(d["sweep"])
assert sweep.shape == (2, 1, 3, 2) and sweep[1, 0, 2, 0]["x"].item() == 12 and sweep[1, 0, 2, 0]["cell"]["c"].item() == 3
print(f"{passed + 1} passed, 0 failed")
