/** Which programs of Python are known to compute, print and read files that they name, and which files these are. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { shadowsModule } from '../../src/command/languages/python-names.js';
import { readPythonProgram } from '../../src/command/languages/python-program.js';

const READS: readonly (readonly [program: string, ...files: string[]])[] = [
  ['print(1)'],
  [''],
  ['import json; print(json.load(open("a.json"))["x"])', 'a.json'],
  ["import json,sys\nd=json.load(sys.stdin)\nprint(len(d.get('items', [])), sorted(d)[:3])"],
  [
    "with open('a.txt', encoding='utf-8') as f:\n    for i, line in enumerate(f, 1):\n        if 'x' in line: print(i, line.rstrip())",
    'a.txt',
  ],
  [
    "for f in ['a.json', 'b.json']:\n  try:\n    open(f)\n  except Exception as e:\n    print(f'{f}: {e}')\n    exit(1)",
    'a.json',
    'b.json',
  ],
  ["files = ('a', 'b')\nfor f in files: print(open(f).read())", 'a', 'b'],
  ["p = 'a.txt'\nprint(open(p, 'rb').read()[:20])", 'a.txt'],
  ["from pathlib import Path; print(Path('a').read_text(encoding='utf-8').splitlines())", 'a'],
  ["import pathlib\nprint(pathlib.Path('a').exists())", 'a'],
  ["import os.path\nprint(os.path.join('a', 'b'), os.path.getsize('c'))", 'c'],
  ["[print(open(f).read()) for f in ('a', 'b')]", 'a', 'b'],
  ['import re\nprint([m.group(1) for m in re.finditer(r"(\\w+)=", "a=1", re.M)])'],
  [
    'from collections import Counter, defaultdict as dd\nc = Counter("abc"); d = dd(list); d["x"].append(1); print(c.most_common(3))',
  ],
  ['from datetime import datetime, timedelta\nprint((datetime.now() - timedelta(days=1)).strftime("%Y"))'],
  [
    'def walk(o, path=""):\n  if isinstance(o, dict):\n    for k, v in o.items(): walk(v, path + "." + k)\n  else: print(path, type(o).__name__)\nwalk({"a": [1]})',
  ],
  ['x = lambda a, *b, c=1, **d: a if a else c\nprint(x(1), "{:>10} {x!r}".format(1, x=2), "%s" % 3)'],
  ['print(type(1), str(type(2)), type(1) == int, type(1) is not str)'],
  ['print(f"{1 + 2:>{3}} {\'a\'!r} {{}} {[x for x in [1]][0]=}")'],
  [
    'd = {"a": 1, **{}}; s = {1, 2}; t = {k: v for k, v in d.items() if v not in s}; d["b"] = 2; d["b"] += 1; a, *b = [1, 2]; print(t, a, b)',
  ],
  ['import sys\nsys.stdout.write("x")\nprint("e", file=sys.stderr)\nif __name__ == "__main__": sys.exit(0)'],
  ['if (m := "a"): print(m)\nwhile False: pass\nelse: print(1 if m else 2)\nassert m, "no"\nraise SystemExit'],
  ['import ast; ast.parse(open("a.py").read())', 'a.py'],
  ["x = 'é'  # ünïcode\nprint(x, '''a\nb''', r'\\d', b'x')"],
  ['print("a" \\\n  "b")'],
  ['def g():\n  global n\n  n = 1\n  yield n\nn = 0\nprint(list(g()))'],
];

const REFUSED: readonly (readonly [program: string, why: string])[] = [
  ['import ast; ast.parse("a b", ".env")', 'shows a line of another file'],
  ['import ast; ast.parse("a b", filename=".env")', 'the same by its name'],
  ['import ast; ast.parse(*["a b", ".env"])', 'the same by a star'],
  ['import ast; print(list(map(ast.parse, ["a b"], [".env"])))', 'the same as a value'],
  ['from ast import parse; parse("a b", ".env")', 'the same under its own name'],
  ['open("a", "w")', 'writes'],
  ['open("a", mode="w")', 'writes'],
  ['open("a", *["w"])', 'a mode that is not written out'],
  ['open("a", **{"mode": "w"})', 'a mode that is not written out'],
  ['open(file="a")', 'a path by name'],
  ['open("a", "rb", buffering=0)', 'the type of an unbuffered file opens files'],
  ['open("a", opener=print)', 'calls what opens'],
  ['open("a" "b")', 'two texts'],
  ['open("a" + "b")', 'a path that is computed'],
  ['open(f"a")', 'a path that is computed'],
  ['open("\\x61")', 'an escape'],
  ['open("")', 'no name'],
  ['open(0)', 'a descriptor'],
  ['print(open)', 'open as a value'],
  ['x = open', 'open as a value'],
  ['map(open, ["a"])', 'open as a value'],
  ['files = ["a"]; files.append("b")\nfor f in files: open(f)', 'a list that grows'],
  ['files = ["a"]; files += ["b"]\nfor f in files: open(f)', 'a list that grows'],
  ['files = ["a"]; g = files\nfor f in files: open(f)', 'another name for the list'],
  ['for f in ["a"]:\n  f = f + "x"; open(f)', 'a name that gets another value'],
  ['p = "a"; p += "b"; open(p)', 'a name that gets another value'],
  ['p = "a"\ndef g(p): return open(p)', 'a parameter of that name'],
  ['for f in (*"ab",): open(f)', 'the letters of a text'],
  ['for f in "ab": open(f)', 'the letters of a text'],
  ['def g():\n  x = yield "a"\n  open(x)', 'what is sent'],
  ['import os; os.system("x")', 'runs a program'],
  ['import os; os.path.os.system("x")', 'a module of a module'],
  ['import os; print(os.environ)', 'the environment'],
  ['import os; os.path.expandvars("$X")', 'the environment'],
  ['import os; os.listdir(x)', 'a folder that is not named'],
  ['import sys; sys.path.insert(0, "x")', 'where modules are loaded from'],
  ['import sys; sys.modules', 'all modules'],
  ['import sys; x = sys', 'a module as a value'],
  ['import sys; print(f"{sys}")', 'a module as a value'],
  ['import sys as s; s = 1', 'one name for a module and a value'],
  ['import sys as a; import json as a', 'one name for two modules'],
  ['import json as print', 'the name of a builtin'],
  ['import json; json.codecs', 'a module of a module'],
  ['import json; json.load = print', 'another function in a module'],
  ['import json; json.load, x = print, 1', 'another function in a module'],
  ['import json\nfor json.load in [print]: pass', 'another function in a module'],
  ['import collections; collections.namedtuple("x", "y")', 'evaluates code'],
  ['import operator; operator.attrgetter("x")', 'any attribute'],
  ['import string; string.Formatter()', 'any attribute'],
  ['import xml.etree.ElementTree', 'its trees write files'],
  ['import subprocess', 'not known'],
  ['import pickle', 'not known'],
  ['import x.__main__', 'not known'],
  ['from json import *', 'any name'],
  ['from . import json', 'a module of the folder'],
  ['from re import compile', 'the name of a builtin'],
  ['from json import load as open', 'the name of a builtin'],
  ['from pathlib import Path; Path("a").write_text("x")', 'writes'],
  ['from pathlib import Path; x = [Path("a")]; x[0].replace("b")', 'moves'],
  ['from pathlib import Path; p = Path("a")', 'a path as a value'],
  ['().__class__.__bases__', 'leads to all classes'],
  ['print.__globals__', 'two underscores'],
  ['(lambda: 0).func_globals', 'leads to all names'],
  ['(x for x in []).gi_frame', 'leads to all names'],
  ['print("{0.__class__}".format(1))', 'an attribute'],
  ['print("{0.__cl" "ass__}".format(1))', 'an attribute in two texts'],
  ['print("{0[a]}".format(1))', 'looks into a value'],
  ['print(("{0.x}").format(1))', 'a format that is not looked at'],
  ['x = "{0.x}"; x.format(1)', 'a format that is not looked at'],
  ['str.format("{0.x}", 1)', 'a format that is not looked at'],
  ['print("\\x7b0.x}".format(1))', 'an escape'],
  ['print(f"{eval(1)}")', 'code in a text'],
  ['print(f"{1:{eval(1)}}")', 'code in a format'],
  ['print(f"{{{eval(1)}}}")', 'code in a text'],
  ['print(rF"{eval(1)}")', 'code in a text'],
  ['print(t"{1}")', 'a prefix that is not known'],
  ['type("X", (), {})', 'makes a class'],
  ['type(1)(2)', 'a class as a value'],
  ['x = type(1)', 'a class as a value'],
  ['def f(): return type(1)', 'a class as a value'],
  ['print = lambda x: x\nprint(type(1))', 'a class as a value'],
  ['x = [type(1)]', 'a class as a value'],
  ['x = type(1) or 2', 'a class as a value'],
  ['map(type, [1])', 'a class as a value'],
  ['if 0: eval = 1\neval("1")', 'the builtin, where the text gives it no value'],
  ['[eval for eval in []]', 'the name of a builtin'],
  ['def f(eval): pass\neval("1")', 'the builtin, outside of the function'],
  ['unknown', 'a name that nothing gives a value'],
  ['@print\ndef f(): pass', 'a decorator'],
  ['class A: pass', 'a class'],
  ['async def f(): pass', 'not known'],
  ['match x:\n  case str(gi_frame=y): pass', 'an attribute in a pattern'],
  ['exec "1"', 'a statement of Python 2'],
  ['`1`', 'a sign of Python 2'],
  ['# coding: utf-7\nprint(1)', 'another encoding'],
  ['print(1)\r', 'a line end that not all take for one'],
  ['#\rexec(1)', 'a line end that not all take for one'],
  ['print(1)\0', 'a NUL'],
  ['ｅval("1")', 'a letter that Python takes for another'],
  ['x.y = 1', 'an attribute gets a value'],
  ['del x', 'not known'],
  ['__name__ = "x"', 'two underscores'],
  ['print("\\\\", exec(1))', 'code behind an escape'],
  ["print(r'\\', exec(1), r'\\')", 'a name behind a raw text'],
  ['"unterminated', 'no end'],
  ['(]', 'brackets'],
  [`${'('.repeat(200)}1${')'.repeat(200)}`, 'too deep'],
];

/** Names that reach more, at every place that a value or a name can have. */
const NAMES: readonly string[] =
  'eval exec compile __import__ getattr setattr globals vars dir input breakpoint memoryview object super execfile file __builtins__ class'.split(
    ' ',
  );
const PLACES: readonly string[] = (
  'N("1")|print(N)|x = N|x = [N]|x = (N,)|f = lambda: N|f = lambda x=N: x|def f(x=N): pass|def f(x: N): pass|def f() -> N: pass|map(N, ["1"])|' +
  'sorted(["1"], key=N)|f"{N}"|f"{1:{N}}"|[N for x in [1]]|[x for x in N]|[x for x in [1] if N]|{N: 1}|{1: N}|{**N}|print(*N)|print(**N)|(y := N)|' +
  'x: N = 1|x[N] = 1|x = 1 if N else 2|x = 1 or N|x = not N|assert N|raise N|for x in N: pass|while N: pass|N = print|for N in [1]: pass|' +
  'def N(): pass|lambda N: 1|import json as N|from json import loads as N|with open("a") as N: pass|try: pass\nexcept Exception as N: pass|' +
  '@N\ndef f(): pass|N\\\n("1")|[N][0]("1")|x = yield N|global N|"a".N("1")|import N|from N import x|import json; json.N|import json; json.loads.N|' +
  'import re; re.sub("a", N, "a")|isinstance(1, N)|x, y = N, 1|x += N|del N|"""a"""; N("1")|"#"; N("1") # "|x = 1;N("1")'
).split('|');

const OWN: readonly (readonly [program: string, modules: string, shown: string])[] = [
  ["from shop.cart import Cart; print('ok')", 'shop', 'shop cart Cart'],
  ['import shop; print(shop.__version__, shop.cart.LIMIT)', 'shop', 'shop version cart LIMIT'],
  ['import shop.cart as c, json\nprint(f"{c.LIMIT}")\nassert c.LIMIT == 3', 'shop', 'shop cart LIMIT'],
  ['try:\n  from shop import a as b, c\nexcept ImportError as e:\n  print(e)\n', 'shop', 'shop a c'],
];

const CALLED: readonly string[] = [
  'from shop import run; run("x")',
  'from shop import run; x = run',
  'from shop import run; list(map(run, ["x"]))',
  'from shop import run; sorted([1], key=run)',
  'from shop import run; print(sep=run)',
  'from shop import run; print(*run)',
  'from shop import run; print(run())',
  'from shop import run; print(run.os.system("x"))',
  'from shop import run; print(run["x"])',
  'from shop import run; print([run][0]("x"))',
  'from shop import run; print((run)("x"))',
  'from shop import run; print((run, 1))',
  'from shop import run; run.x = 1',
  'from shop import run; del run',
  'from shop import run; lambda: run',
  'from shop import run\n@run\ndef f(): pass',
  'from shop import run\nwith run as r: pass',
  'from shop import run\nfor x in run: pass',
  'from shop import run\nraise run',
  'from shop import run; print(run + "x")',
  'from shop import run; print(run if 1 else 2)',
  'from shop import run; print(run or print)',
  'from shop import open; open("x", "w")',
  'from shop import x as print; print("x")',
  'from shop import json; import json; json.loads("1")',
  'import json; from shop import json; json.loads("1")',
  'from shop import *',
  'from . import x',
  'from shop import _x; print(_x.__globals__)',
  'import subprocess; print(subprocess.run)',
  'from os import system; print(system)',
  'from json import tool; print(tool)',
];

test('modules of the project are loaded and shown, and nothing of them is called', () => {
  for (const [program, modules, shown] of OWN)
    assert.equal(readPythonProgram(program), { files: [], modules: modules.split(' '), shown: shown.split(' ') }, program);
  for (const program of CALLED) assert.is(readPythonProgram(program), null, program);
});

test('programs that only compute, print and read what they name', () => {
  for (const [program, ...files] of READS) assert.equal(readPythonProgram(program), { files, modules: [], shown: [] }, program);
});

test('programs that may do more', () => {
  for (const [program, why] of REFUSED) assert.is(readPythonProgram(program), null, `${why}: ${program}`);
});

test('names that reach more, wherever they stand', () => {
  for (const name of NAMES)
    for (const place of PLACES) {
      const program = place.replaceAll('N', () => name);
      assert.is(readPythonProgram(program), null, program);
    }
});

test('files that Python loads in the place of its own', () => {
  for (const name of [
    'json.py',
    'JSON.py',
    're',
    'enum.cpython-311-x86_64-linux-gnu.so',
    '_strptime.py',
    'datetimemodule.so',
    'traceback.pyc',
  ])
    assert.ok(shadowsModule(name), name);
  for (const name of ['main.py', 'setup.py', 'conftest.py', '__init__.py', 'src', 'a.json', 'test'])
    assert.not.ok(shadowsModule(name), name);
});

test.run();
