#!/usr/bin/env python3
"""Record what a real SiYuan makes of templates that are accepted.

    templates.py inputs     rewrite core/tests/templates/inputs.jsonl (same seed, same inputs)
    templates.py record     have the SiYuan at SIYUAN_API_URL (SIYUAN_TOKEN) fill in every accepted template, in the
                            printed form, for a document whose title, name and alias try everything

The test that compares is `content::template::recorded` in core. Only the Python 3 standard library is used.
"""

import json
import os
import pathlib
import subprocess
import sys

import incoming
from incoming import Choice, Refused, SiYuan, key, lines_of

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "core" / "tests" / "templates"
INPUTS, RECORDED = DATA / "inputs.jsonl", DATA / "recorded.jsonl"

LITERALS = [
    '""', '"a"', '"a b"', '":"', '"<"', '"{"', '"(("', '"}"', '"\\n"', '"\\n\\n"', '"```"', '"`"', '"["', '"](x)"', '"$"', '"#"', '"# "', '"- "',
    '"1."', '"-"', '"---"', '"|"', '"="', '"\'"', '"\\""', '"\\\\"', '"&"', '"&lt;"', '"onclick"', '"script"', '"javascript:"', '"\\u003c"', '"\\x7b"',
    '"2026"', '"20250101000000"', '"é ü 小 山"', '"\\u200b"', '"\\u2038"', '"a, b: c"', '"50% 3.5 € -4"', '"SELECT 1"', '"a\\tb"', '`x`', '`:`',
    '`\n`', '`\n\n`', '`{: onclick="x"}`', '`"`', '`<img src=x onerror=x>`', "'x'", "'<'",
]
NUMBERS = ["0", "1", "-5", "3.5", "1e30", "100000000", "add 1 2", "mul 2 -3", "divf 1 3", "sub 1 5", "len \"abc\"", "mod 7 3", "round 2.555 2", "int \"4\""]
DATES = ['now | date "2006-01-02"', 'now | date "15:04"', 'now.Format "Monday, 02 Jan 2006"', 'now | date "2006年01月02日"', 'now | date ":"', 'now | date "{: x}"',
         'now | date "<2006>"', 'now', 'now.Weekday', 'now | ISOWeek', 'now | Weekday', 'now | date `\n2006`', 'dateModify "-24h" now | date "01/02"']
FIELDS = [".title", ".name", ".alias", ".id", "$.title", ".missing", "."]
FILTERS = ["upper", "lower", "title", "trim", "quote", "squote", "toJson", "toPrettyJson", "html", "urlquery", "b64enc", "nospace", "trunc 20", "printf \"%q\"",
           "printf \"<%s>\"", "printf \"%v: %T\"", "print \":\"", "println", "default \"{: x}\"", "replace \"a\" \"<\"", "splitList \" \"", "list", "dict \"k\"",
           "toString", "wrap 3", "abbrev 12", "reverse", "join \"\\n\"", "cat \"((\"", "snakecase", "len", "markdown2text", "sha1sum"]
AROUND = [
    "X", "a X b", "aXb", "# X", "## a X", "- X", "- [ ] X", "1. X", "X. a", "X) a", "> X", "> [!NOTE]\n> X", "| a | X |\n|---|---|\n| X | b |", "**X**", "*X*", "(X)",
    "X X", "XX", "X, X: X", "a\nX\nb", "a\n\nX\n\nb", "a'X'", "\"X\"", "X/X", "X!", "[x](https://example.org)\n\nX", "((20250101000000-readabl 'x'))\n\nX",
    "```\ncode {\n```\n\nX", "```\na\n```\n\nX\n\n```\nb\n```", "{{{row\n\nX\n\nb\n}}}", "X\n{: custom-x=\"1\"}", "**b**{: style=\"color: red\"}\n\nX", "$$\na\n$$\n\nX", "- a\n\n  X\n- b",
    "📅 X — “x”", "你好，X。", "    X", "---\n\nX\n\n---", "X\n---", "X\n===", "https://example.org/X", "siyuan://blocks/X", ":X:",
    "{X memo='\" onclick=\"x\"}", "{:X}", "{: id=\"X\"}", "{: memo=\"\n\nX\n\n\"}", "((X 'x'))", "((20250101X 'x'))", "([X])", "[X](x)", "[x](X)", "![x](X)", "![X](x)", "<X>", "<b>X</b>", "<div\n\nX\n\n>",
    "<img src=x onerro.action{print \"r\"}=X>", "`X`", "```X\na\n```", "```\nX\n```", "$X$", "#X#", "#X", "==X==", "~X~", "^X^", "&X;", "\\X", "{{X}}", "{{SELECT X}}", "[^X]", "[^1]: X", "[x]: X", "X](y)", "|X", "(\nX\n)",
]
STATEMENTS = ["X", "X", "X", ".action{if E}X.action{end}", ".action{if E}X.action{else}Y.action{end}", ".action{with E}a .action{.}.action{end}", ".action{range list E E}- .action{.}\n.action{end}",
              ".action{$x := E}.action{$x}", ".action{$x := E}X.action{$x = E}.action{print $x}", ".action{/* c */}X", ".action{- X1 -}", ".action{- /* c */ -} X", ".action{range $i, $e := splitList \",\" E}.action{$i}: .action{$e}\n.action{end}",
              ".action{with dict \"k\" E}.action{.k} .action{.}.action{end}", ".action{if eq E E}(.action{end}(", ".action{if E}```.action{end}"]


def expression(choice, depth=0):
    sort = choice.below(10)
    if sort < 3:
        one = choice.of(LITERALS)
    elif sort < 4:
        one = choice.of(NUMBERS)
    elif sort < 6:
        one = choice.of(DATES)
    elif sort < 8:
        one = choice.of(FIELDS)
    elif depth < 2:
        one = choice.of(["print A A", "printf \"%s-%v\" A A", "list A A", "dict \"a\" A", "cat A A", "ternary A A true", "coalesce A A", "join A (list A A)", "A | default A", "first (list A)", "A)) -1 | print \":\" | printf \"%s\" ((A"])
        while "A" in one:
            one = one.replace("A", "(%s)" % expression(choice, depth + 1).replace("A", "\x02") if choice.below(3) else choice.of(LITERALS + FIELDS).replace("A", "\x02"), 1)
        one = one.replace("\x02", "A")
    else:
        one = choice.of(FIELDS)
    for _ in range(choice.below(3) - depth):
        one += " | " + choice.of(FILTERS)
    return one


def template(choice):
    text = choice.of(AROUND)
    if choice.below(4) == 0:
        text += choice.of(["\n", "\n\n", " "]) + choice.of(AROUND)
    for _ in range(12):
        if "X" not in text:
            break
        inner = choice.of(STATEMENTS).replace("X1", "\x03").replace("X", "\x03A").replace("\x03A", ".action{\x03}").replace("Y", "other")
        while "\x03" in inner:
            inner = inner.replace("\x03", expression(choice).replace("X", "x"), 1)
        while "E" in inner:
            inner = inner.replace("E", "(%s)" % expression(choice).replace("E", "e").replace("X", "x"), 1)
        text = text.replace("X", inner, 1)
    return text


def inputs():
    choice, made = Choice(20250102), {}
    for around in AROUND:
        for one in [".title", ".name", "print \":\"", "now | date \"2006-01-02\"", "print `\n\n`"]:
            made.setdefault(around.replace("X", ".action{%s}" % one))
    while len(made) < 6000:
        text = template(choice)
        if len(text) < 400:
            made.setdefault(text)
    return made


def accepted():
    """The texts that SiYuan fills in, printed by the test."""
    command = ["cargo", "test", "-q", "-p", "puppy-core", "--lib", "--", "--exact", "--nocapture",
               "content::template::recorded::accepted_templates_are_printed"]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line[5:]) for line in output.split("\n") if line.startswith("sent ")]


def record(_is_all):
    siyuan = SiYuan(os.environ["SIYUAN_API_URL"], os.environ["SIYUAN_TOKEN"])
    lines, failed = {}, 0
    for text in accepted():
        try:
            filled = siyuan.ask("/api/template/renderSprig", template=text)
        except Refused:
            filled, failed = None, failed + 1
        lines[key(text)] = json.dumps([key(text), filled], ensure_ascii=False, separators=(",", ":"))
    RECORDED.write_text("\n".join(lines[it] for it in sorted(lines)) + "\n")
    print(f"{len(lines)} recorded, {failed} refused by SiYuan")


if __name__ == "__main__":
    sys.exit(incoming.run(__doc__, INPUTS, inputs, record))
