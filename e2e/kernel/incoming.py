#!/usr/bin/env python3
"""Record what a real SiYuan makes of Markdown that the gate accepts, and of Markdown that it refuses.

    incoming.py inputs      rewrite core/tests/incoming/inputs.jsonl (same seed, same inputs)
    incoming.py record      ask the SiYuan at SIYUAN_API_URL (SIYUAN_TOKEN) for every text that has no
                            recording yet; with --all for every text

Each text is written in three ways into a notebook of its own: appended, in place of a block, and as
a new document. The recordings contain facts, not texts: names of attributes, elements, ids,
references and databases in what SiYuan sends to its windows and in what it stores. The test that
compares the gate with them is `content::incoming::recorded` in core. Only the Python 3 standard library is used.
"""

import argparse
import hashlib
import html
import html.parser
import http.client
import json
import os
import pathlib
import re
import subprocess
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "core" / "tests" / "incoming"
INPUTS, RECORDED = DATA / "inputs.jsonl", DATA / "recorded.jsonl"

# ---------------------------------------------------------------- SiYuan's rendering of a text

# Attributes and elements of SiYuan's own frame around a block, whatever the text.
FRAME = set("""
align alt aria-label class colspan content contenteditable data-content data-footnotes-inline data-href data-id
data-inline-memo-content data-marker data-node-id data-node-index data-position data-src data-subtype
data-task data-title data-type draggable frameborder loading rowspan spellcheck spin src title
updated xlink:href
""".split())
ELEMENTS = set("""
br col colgroup div img protyle-html span svg table tbody td th thead tr use u iframe video audio
""".split())
# Styles of SiYuan's own frame, whatever the text.
FRAME_STYLES = {"position: absolute"}
# Languages that SiYuan draws.
DRAWN = "abc echarts flowchart graphviz infographic mermaid mindmap plantuml".split()
OURS = re.compile(r"(?<![\w-])2025\d{10}-[0-9a-z]{7}")  # ids of the inputs; SiYuan's own are of the day
RUNS = re.compile(r"^\s*(?:javascript|vbscript|data:text)", re.I)


class Dom(html.parser.HTMLParser):
    """Facts about the text sent to the windows."""

    def __init__(self, facts):
        super().__init__(convert_charrefs=True)
        self.facts = facts

    def handle_starttag(self, tag, attrs):
        add = self.facts.add
        if tag not in ELEMENTS:
            add("elements", tag)
        for name, value in attrs:
            value = value or ""
            if name.startswith("on") or name == "srcdoc" or (RUNS.match(value) and name in ("src", "href", "data-href", "data")):
                add("runs", name)
            elif name == "data-node-id":
                add("ids", *OURS.findall(value))
            elif name == "data-av-id":
                add("databases", value)
            elif name not in FRAME:
                add("names", name)
            if name == "style" and value not in FRAME_STYLES:
                add("styles", value)
            if (name, tag) == ("data-content", "protyle-html"):
                Html.read(self.facts, value)
            if name == "data-subtype" and value in DRAWN:
                add("drawn", value + "\n" + html.unescape(dict(attrs).get("data-content") or ""))
            if name in ("data-id", "data-href", "href", "src") or (name == "data-content" and tag == "div"):
                add("refs", *OURS.findall(value))
            if (name, value) == ("data-type", "NodeAttributeView"):
                add("databases", "")

    handle_startendtag = handle_starttag


class Html(html.parser.HTMLParser):
    """The attributes of an HTML block, as one reads them that decodes them once more than the page does."""

    @staticmethod
    def read(facts, text):
        for depth in (text, html.unescape(text)):
            parser = Html(convert_charrefs=True)
            parser.facts = facts
            parser.feed(depth)
            parser.close()

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            self.facts.add("html", f"{name}={(value or '')[:200]}" if value is not None else name)

    handle_startendtag = handle_starttag


class Facts(dict):
    def add(self, kind, *values):
        if values:
            self.setdefault(kind, set()).update(values)

    def of_dom(self, dom):
        parser = Dom(self)
        parser.feed(dom)
        parser.close()

    def of_tree(self, node):
        for name, value in (node.get("Properties") or {}).items():
            if name == "id":
                self.add("ids", *OURS.findall(value))
            elif name.startswith("on"):
                self.add("runs", name)
            elif name not in FRAME:
                self.add("names", name)
            if name in ("style", "parent-style"):
                self.add("styles", value)
            if name == "class":
                self.add("classes", value)
        self.add("ids", *OURS.findall(node.get("ID", "")))
        for key in ("TextMarkBlockRefID", "TextMarkAHref"):
            self.add("refs", *OURS.findall(node.get(key, "")))
        if node.get("Type") in ("NodeBlockQueryEmbedScript", "NodeLinkDest", "NodeBlockRefID"):
            self.add("refs", *OURS.findall(node.get("Data", "")))
        if node.get("Type") == "NodeAttributeView":
            self.add("databases", node.get("AttributeViewID", ""))
        for child in node.get("Children") or []:
            self.of_tree(child)


class SiYuan:
    def __init__(self, url, token):
        self.host = urllib.parse.urlsplit(url)
        self.token = token
        self.link = None

    def ask(self, endpoint, raw=False, **body):
        self.link = self.link or http.client.HTTPConnection(self.host.hostname, self.host.port, timeout=60)
        headers = {"Content-Type": "application/json", "Authorization": "Token " + self.token}
        self.link.request("POST", endpoint, json.dumps(body), headers)
        reply = json.loads(self.link.getresponse().read())
        if raw:
            return reply
        if reply.get("code") != 0 or (reply.get("data") is None and "/remove" not in endpoint):
            raise Refused(reply.get("msg", ""))
        return reply["data"]


    def ask_nothing(self, endpoint, **body):
        """Like `ask`, of an endpoint that answers without data."""
        reply = self.ask(endpoint, raw=True, **body)
        if reply.get("code") != 0:
            raise Refused(reply.get("msg", ""))


class Refused(Exception):
    pass


class Desk:
    """A notebook to write into, and a document in it that takes blocks."""

    MOST = 50  # texts in one document

    def __init__(self, siyuan):
        self.siyuan, self.used = siyuan, self.MOST
        self.notebook = siyuan.ask("/api/notebook/createNotebook", name="Incoming Markdown")["notebook"]["id"]

    def close(self):
        self.siyuan.ask("/api/notebook/removeNotebook", notebook=self.notebook)

    def document(self, markdown):
        return self.siyuan.ask("/api/filetree/createDocWithMd", notebook=self.notebook, path="/in", markdown=markdown)

    def first_block(self):
        blocks = self.siyuan.ask("/api/block/getChildBlocks", id=self.parent)
        if not blocks:
            raise Refused("the document has no blocks any more")
        return blocks[0]["id"]

    def stored(self, doc):
        path = self.siyuan.ask("/api/filetree/getPathByID", id=doc)["path"]
        return self.siyuan.ask("/api/file/getFile", raw=True, path=f"/data/{self.notebook}{path}")

    def facts(self, text):
        if self.used == self.MOST:
            self.used, self.parent = 0, self.document("x")
            self.first = self.first_block()
        self.used += 1
        facts = Facts()
        block = {"dataType": "markdown", "data": text}
        try:
            doms = [sent(self.siyuan.ask("/api/block/appendBlock", **block, parentID=self.parent))]
            made = set(re.findall(r'data-node-id="([^"]+)', doms[0]))
            children = self.stored(self.parent).get("Children") or []
            for node in children:
                if node.get("ID") in made:
                    facts.of_tree(node)
            if self.first not in text:
                doms.append(sent(self.siyuan.ask("/api/block/updateBlock", **block, id=self.first)))
                self.first = self.first_block()
            for dom in doms:
                facts.of_dom(dom)
        except Refused:
            facts.add("refused", "block")
            self.used = self.MOST
        try:
            facts.of_tree(self.stored(self.document(text)))
        except Refused:
            facts.add("refused", "document")
        if "ids" in facts:
            self.used = self.MOST  # the next text must not meet these blocks
        return {kind: sorted(values) for kind, values in sorted(facts.items()) if values}


def sent(transactions):
    operations = (it for transaction in transactions for it in transaction["doOperations"] or [])
    return "".join(it["data"] for it in operations if isinstance(it.get("data"), str))


def lines_of(file):
    return [json.loads(line) for line in file.read_text().split("\n") if line]


def key(text):
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def texts_sent(test="content::incoming::recorded::checked_text_passes_the_check_unchanged"):
    """The text that the gate sends for each input, or the input where it refuses, printed by the test."""
    command = ["cargo", "test", "-q", "-p", "puppy-core", "--lib", "--", "--exact", "--nocapture", test]
    output = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return [json.loads(line[5:]) for line in output.split("\n") if line.startswith("sent ")]


def record(everything):
    siyuan = SiYuan(os.environ["SIYUAN_API_URL"], os.environ["SIYUAN_TOKEN"])
    texts = {key(text): text for text in texts_sent()}
    known = {}
    if RECORDED.exists() and not everything:
        known = {it["key"]: it for it in lines_of(RECORDED)}
    missing = [it for it in texts if it not in known]
    desk = Desk(siyuan)
    try:
        for number, it in enumerate(missing):
            known[it] = {"key": it, **desk.facts(texts[it])}
            if number % 100 == 0:
                print(f"{number} of {len(missing)}", flush=True)
    finally:
        keep(known, texts)
        desk.close()
    print(f"{len(missing)} recorded, {len(known)} in all")


def keep(known, texts):
    lines = [json.dumps(known[it], ensure_ascii=False, separators=(",", ":")) for it in sorted(known) if it in texts]
    RECORDED.write_text("\n".join(lines) + "\n")


# ---------------------------------------------------------------- the inputs

READABLE, HIDDEN, OLD = "20250101000000-readabl", "20250101000000-hidden0", "20250101000000-oldold0"


class Choice:
    """The same choices on every machine."""

    def __init__(self, seed):
        self.state = seed

    def below(self, end):
        self.state = (self.state * 6364136223846793005 + 1442695040888963407) % (1 << 64)
        return (self.state >> 33) % end

    def of(self, items):
        return items[self.below(len(items))]

    def some(self, items, least, most):
        return [self.of(items) for _ in range(least + self.below(most - least + 1))]


QUOTED = """{: memo='"><iframe srcdoc="&lt;script&gt;x&lt;/script&gt;"></iframe><div a="'}"""
LISTS = [
    QUOTED,
    """{: memo='" onmouseover="x" y="'}""",
    """{: memo='" onmouseover="x'}""",
    """{: a=x onclick=y}""",
    """{: onclick="x"}""",
    """{: ONCLICK="x"}""",
    """{: onclick='x'}""",
    """{: on&#99;lick="x"}""",
    """{:\tonclick="x"}""",
    """{:  a="1"  onclick = 'x' }""",
    """{: a="1" onclick='x'}""",
    """{: a="1"\tonclick='x'}""",
    """{: a="}" onclick='x'}""",
    """{: a='}' onclick="x"}""",
    """{: a="1"b='" onclick="x'}""",
    """{: a b onclick='x'}""",
    """{: a=1 b='" onclick="x'}""",
    """{: a="{: b='" onclick="x'}"}""",
    """{:{: a='" onclick="x'}""",
    """{: a="x'" b='" onclick="y'}""",
    """{: a='1'\n b='" onclick="x'}""",
    """{:\na='" onclick="x'}""",
    """{: a="1\n2" b='" onclick="x'}""",
    """{: _a='" onclick="x'}""",
    """{: :a='" onclick="x'}""",
    """{: a.b='" onclick="x'}""",
    """{: a:b="1" c='" onclick="x'}""",
    """{: a="&quot; onclick=&quot;x"}""",
    """{: a='&quot; onclick=&quot;x'}""",
    """{: a="1" a='" onclick="x'}""",
    """{: style='" onclick="x'}""",
    """{: style="color: red" onclick='x'}""",
    """{: class="fn__none" onclick="x"}""",
    """{: colspan="2" onclick='x'}""",
    """{: srcdoc="x"}""",
    """{: data-type="NodeAttributeView" data-av-id="%s"}""" % HIDDEN,
    """{: id='%s'}""" % HIDDEN,
    """{: id="%s"}""" % HIDDEN,
    """{: id=%s}""" % HIDDEN,
    """{: id='&#50;0250101000000-hidden0'}""",
    """{: id="&#50;0250101000000-hidden0"}""",
    """{: ID="%s"}""" % HIDDEN,
    """{: Id='%s'}""" % HIDDEN,
    """{: id="20250101000000-HIDDEN0"}""",
    """{: id="20250101000000\u200b-hidden0"}""",
    """{: id="2025\u20380101000000-hidden0"}""",
    """{: a="1" id='%s'}""" % HIDDEN,
    """{: id="%s" id="%s"}""" % (READABLE, HIDDEN),
    """{: id="%s" title='x' type="doc"}""" % HIDDEN,
    """{: id='%s' type='doc'}""" % HIDDEN,
    """{: custom-avs="%s"}""" % HIDDEN,
    """{: custom-avs='%s' custom-sy-readonly='true' custom-riff-decks='x' updated='20991231235959'}""" % HIDDEN,
    """{: custom-sy-readonly="true" updated="20991231235959"}""",
    """{: Custom-Avs="%s"}""" % HIDDEN,
    """{: custom-x='"></div><div data-node-id="&#50;0250101000000-hidden0" data-type="NodeAttributeView" DATA-AV-ID="&#50;0250101000000-hidden0" data-av-type="table"></div><div a="'}""",
    """{: custom-x="1"}""",
    """{: style="color: red"}""",
    """{: custom-x="a&quot;b" memo="x_esc_newline_y"}""",
    """{: .note }""",
    """{: #anchor }""",
    """{:toc}""",
    """{:ok, x}""",
    """{: x }""",
    """{:}""",
    """{: custom-a="``" custom-b="</div>"}""",
    """{\u200b: id='%s'}""" % HIDDEN,
    """{</span>: id='%s'}""" % HIDDEN,
    """&#123;: id='%s'}""" % HIDDEN,
    """\x0bid='%s'""" % HIDDEN,
    """\x0cid='%s'}""" % HIDDEN,
]
AROUND_LISTS = [
    "X", "text\nX", "text X", "text X more", "a\n\nX", "a\n\n\nX\n\nb", "X\nX", "- Xtext", "- X", "- text\n  X", "- text\n  X\nX",
    "* Xa\n* Xb", "1. Xtext", "- - Xtext", "- [ ] Xtext", "- X[ ] text", "- [x] a\n  X", "> a\n> X", "> a\n>\nX", "> X", "> > X", "- > X",
    "> - Xa", "**x**X", "*x*X", "`x`X", "``x` ``X", "![a](b)X", "[a](b)X", "$x$X", "#t#X", "==x==X", "~~x~~X", "<u>x</u>X",
    "<kbd>x</kbd>X", "<sup>x</sup>X", "<span data-type=\"text\">x</span>X", "<span data-type=\"strong em\">x</span>X", "<b>x</b>X", "((R 'x'))X",
    "|a|b|\n|-|-|\n|Xc|d|", "|Xa|\n|-|\n|b|", "|a|\n|-|\n|**b**X|", "|a|\n|-|\n|b|\nX", "|`a`|\n|-|\n|` X `|", "# h X", "# h\nX", "## X",
    "{{{row\na\nX\n\nb\n}}}\nX", "{{{\nX\n}}}", "```\na\n```\nX", "```\nX\n```", "```\nX", "~~~\nX\n~~~", "```a~b\nX\n```", "~~~ a~\nX\n~~~",
    "```\na\n```\u00a0\n```\nX\n```", "```\na\n\x0c```\nX\n```", "{{{row\n```\n}}}\nX\n```", "    ```\n    X\n    ```", "- ```\n  X\n  ```",
    "- a\n  ```\n  X\n  ```", "- a\n\n      ```\n      X\n      ```", "text\n10. a\n    ```\n    X\n    ```", "- - - -\n        ```\n        X\n        ```",
    "> ```\n> X\n> ```", "> ```\nX\n```", "$$\na\n$$\nX", "$$\nX\n$$", "<div>\na\n</div>\nX", "<div>X</div>", "<div>\nX\n</div>", "<!-- X -->",
    "<!--\n```\n-->\nX\n```", "<!--\n\n```\n-->\nX\n```", "<div>\n\n```\nX\n```", "<div>\n```\n\nX\n```", "<div>\n- a\n\n    ```\n    X\n    ```", "<b>a</b>\n\n`X`", "$$\na\n$$\n```\nX\n```", "$$\na $$\n```\nX\n```", "> [!NOTE]\n> a\n> X", "> [!NOTE] X\n> a", "> [!X]\n> a", "***\nX", "\\X", "\\\\X", "a\\\\X", "{{SELECT 1}}\nX",
    "<iframe src=\"https://e.org\"></iframe>\nX", "a\r\nX\r\n", "a\rX", "a\0X", "    X", "\tX", "   X", "`a` X", "`a X b`", "``a ` X``", "`a\nX`",
    "`a`` X `` b`", "a ` b\n` X `", "\\`X`", "[a](`) X [b](`)", "![a](`) X `", "[`](a) X `b`", "<a title=\"`\">X`", "$`$ X `$`", "a &#96; X `",
    "~~~\n```\n~~~\nX", ":::\nX", ";;;x\nX\n;;;", "<<<<<<< a\nX\n=======\n>>>>>>> b", "`<span data-type=\"x\">` X </span>", "`<span data-type=\"x\">`</span>X",
    "**x**\u200bX", "**x** X", "**x**\u2038X", "**x**{: custom-x=\"1\"}X", "- {: custom-x=\"1\"}X", "((x))X", "[x]: y\nX", "x[^1]\n\n[^1]: X", "---\nX\n---",
]
REFERENCES = [
    "((H 'x'))", "((H \"x\"))", "((H))", "(( H 'x'))", "((H  'x' ))", "((H\n'x'))", "!((H))", "![[H]]", "((\u200bH 'x'))", "((2025\u200b0101000000-hidden0 'x'))",
    "((2025\u20380101000000-hidden0 'x'))", "(\u2038(H 'x'))", "((&#50;0250101000000-hidden0 'x'))", "((H 'a<b onclick=x>b'))", "((H 'a&lt;img src=x onerror=y&gt;'))",
    "((R 'a<b onclick=x>b'))", "((R 'a<iframe src=x></iframe>'))", "((R '\" onclick=\"x'))", "((R 'a&#34; onclick=&#34;b'))",
    "[x](siyuan://blocks/H)", "[x](SIYUAN://BLOCKS/H)", "[x](siyuan://blocks/&#50;0250101000000-hidden0)", "<siyuan://blocks/H>", "siyuan://blocks/H", "[x](<siyuan://blocks/H>)",
    "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"H\">x</span>", "<span data-type=\"block-ref\" data-subtype=\"d\" Data-Id=\"H\">x</span>",
    "<span data-type=\"block-ref\" data-subtype=\"d\" data-id='H'>x</span>", "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=H>x</span>",
    "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"&#50;0250101000000-hidden0\">x</span>", "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"&#x32;0250101000000-hidden0\">x</span>",
    "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"20250101000000&#45;hidden0\">x</span>", "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"2025&ZeroWidthSpace;0101000000-hidden0\">x</span>",
    "<span data-type=\"strong block-ref\" data-subtype=\"s\" data-id=\"H\">x</span>", "<span\ndata-type=\"block-ref\" data-id=\"H\">x</span>", "<SPAN data-type=\"block-ref\" data-id=\"H\">x</SPAN>",
    "<span data-type=\"a\" data-href=\"siyuan://blocks/H\">x</span>", "<span data-type=\"a\" data-href=\"siyuan&colon;//blocks/H\">x</span>", "<u>((H 'x'))</u>", "<u>[x](siyuan://blocks/H)</u>",
    "<strong>((H 'x'))</strong>", "<sup>((&#50;0250101000000-hidden0 'x'))</sup>", "`<span data-type=\"x\">` ((2025</span>0101000000-hidden0 'x'))", "`<span data-type=\"x\">` ((2025</span>{: a=\"1\"}0101000000-hidden0 'x'))",
    "<strong>((2025</b>0101000000-hidden0 'x'))</strong>", "<sup>((2025<!-- -->0101000000-hidden0 'x'))</sup>", "<u>[x](siyuan://blocks/2025</i>0101000000-hidden0)</u>", "<em>((2025<b></b>0101000000-hidden0 'x'))</em>",
    "{{SELECT * FROM blocks WHERE id='H'}}", "{{ SELECT * FROM blocks WHERE id = \"H\" }}", "((R 'x'))", "[x](siyuan://blocks/R)", "((R))", "H", "[H](x)", "#H#", "$H$", "`((H 'x'))`", "``((H 'x'))``",
]
AROUND_REFERENCES = [
    "X", "a X b", "- X", "- [ ] X", "> X", "# X", "**X**", "==X==", "~~a X~~", "[a X](b)", "![X](b)", "|a|\n|-|\n|X|", "| a ` | X | ` b |\n|---|---|---|", "|a|\n|-|\n|`X`|", "`X`", "a `X` b",
    "[a](`) X [b](`)", "![a](`) X `", "[a] `X`", "\\`X`", "$`$ X `$`", "<b title=\"`\">X`", "```\nX\n```", "    ```\n    X\n    ```", "```a~b\nX\n```", "{{{row\n```\n}}}\nX\n```", "```\na\n```\u00a0\n```\nX\n```",
    "<div>\n```\n\nX\n```", "<pre>\n\n```\nX\n```\n</pre>", "<!--\n\n```\nX\n```", "<script>\n\n```\nX\n```", "<div>\n- a\n\n    ```\n    X\n    ```", "<span>\n\n```\nX\n```", "$$\na\n$$\n```\nX\n```", "$$\na$$\n```\nX\n```", "<<<<<<< a\n\n```\nX\n```\n=======\n>>>>>>> b", "- <div>\n\n  ```\n  X\n  ```", "> <div>\n\n```\nX\n```",
    "- a\n  ```\n  X\n  ```", "text\n10. a\n    ```\n    X\n    ```", "> [!NOTE] X\n> a", "> [!NOTE]\n> X", "<div>X</div>", "<div>\nX\n</div>", "<u>X</u>", "<kbd>X</kbd>", "<sub>a X</sub>", "a\nX\nb", "a  \nX", "`a\nX`", "#a ` b# X `", "a ` X", "https://e.org/`X`", ":a`b: X `",
]
TAGS = [
    "<img src=x onerror=y>", "<img src=\"x\" onerror=\"y\">", "<iframe srcdoc=\"x\"></iframe>", "<svg onload=x>", "<script>x</script>", "<a href=\"javascript:x\">y</a>", "<iframe src=\"javascript:x\"></iframe>",
    "<style>x</style>", "<base href=x>", "<b onclick=x>y</b>", "<div data-type=\"NodeAttributeView\" data-av-id=\"H\" data-av-type=\"table\"></div>", "<div data-node-id=\"H\" data-type=\"NodeParagraph\"></div>", "<object data=\"data:text/html,x\"></object>", "<iframe src=\"data:text/html,x\"></iframe>",
    "<form action=\"javascript:x\">", "<meta http-equiv=refresh content=0>", "<math href=\"javascript:x\">", "<IMG SRC=x ONERROR=y>", "<img/src=x/onerror=y>", "<video src=x onplay=\"y\"></video>", "<audio src=x onplay='y'></audio>", "<details open ontoggle=x>",
    "<input autofocus onfocus=x>", "&lt;img src=x on</b>error=y&gt;", "&lt;img src=x on<!---->error=y&gt;", "<</b>img src=x onerror=y>", "<</span>iframe src=x>", "&lt;</i>iframe srcdoc=x&gt;", "**x**&#123;: onclick='y'}", "**x**{</b>: onclick='y'}", "**x**&lcub;&colon; onclick='y'}", "<img src=x style='\" onclick=\"y'>", "<img src=x width='\" onclick=\"y'>", "<img src=x alt='\" onclick=\"y'>", "<span data-type='x\" onclick=\"y'>z</span>", "<span data-type=\"text\" style='\" onclick=\"y'>z</span>",
    "<span data-type=\"file-annotation-ref\" data-id='a\" onclick=\"y'>z</span>", "<span data-type=\"block-ref\" data-id='R\" onclick=\"y'>z</span>", "<span data-type=\"block-ref\" data-id=\"R\" data-subtype='d\" onclick=\"y'>z</span>",
    "<span data-type=\"inline-memo\" data-inline-memo-content='a\" onclick=\"y'>z</span>", "<span data-type=\"text\" custom-x='\" onclick=\"y'>z</span>", "<span data-type=\"a\" data-href='a\" onclick=\"y'>z</span>", "<span data-type=\"a\" data-href=\"javascript:y\">z</span>",
    "<span data-type=\"inline-math\" data-content='\" onclick=\"y'></span>", "<iframe src=\"x\" style='a\" onclick=\"y'></iframe>", "<iframe src=\"x\" onload=y></iframe>", "<br onclick=x>", "<caretreplacement onclick=x>", "<b caretreplacement onclick=x>",
]
AROUND_TAGS = [
    "X", "a X b", "<u>X</u>", "<kbd>X</kbd>", "<strong>X</strong>", "<em>X</em>", "<sup>X</sup>", "<mark>X</mark>", "<s>X</s>", "<span data-type=\"text\">X</span>", "<span data-type=\"strong mark\">X</span>", "<span data-type=\"u\">X</span>", "<span data-type=\"code\">X</span>",
    "`X`", "**X**", "==X==", "#X#", "$X$", "[X](a)", "[a](X)", "[a](b \"X\")", "![X](a)", "![a](X)", "![a](b \"X\")", "((R 'X'))", "> [!X]\n> a", "> [!NOTE] X\n> a", "```X\na\n```", "~~~X\na\n~~~", "- ```X\n  a\n  ```", "```mermaid X\na\n```", "|X|\n|-|\n|X|",
    "|a|\n|-|\n|<u>X</u>|", "- X", "- [X] a", "# X", "<div>X</div>", "<div>\nX\n</div>", "{{{X\na\n}}}", "$$\nX\n$$", ":X:", "{{X}}", "<!-- X -->", "<u>`X`</u>", "`<u>X</u>`", "<<assets/X.pdf/R \"a\">>", "{: custom-x=\"X\"}", "a\n{: custom-x=\"X\"}", "**a**{: custom-x=\"X\"}",
]
BREAKS = ["x\" onmouseover=\"y", "x' onmouseover='y", "x&quot; onmouseover=&quot;y", "x&#34; onmouseover=&#34;y", "x\" data-av-id=\"H", "x\" data-node-id=\"H", "\"", "x\\\" onmouseover=\\\"y"]
AROUND_BREAKS = [
    "> [!X]\n> a", "> [! X ]\n> a", ">[!X]\n> a", "- > [!X]\n  > a", "> > [!X]\n> > a", "> [!NOTE] X\n> a", "> [!NOTE] :X:\n> a", "```X\na\n```", "```mermaid X\na\n```", "~~~X\na\n~~~", "![X](a)", "![a](X)", "![a](b \"X\")", "[a](X)", "[a](b 'X')", "[X](a)",
    "#X#", ":X:", "$X$", "$$\nX\n$$", "{{X}}", "{{{X\na\n}}}", "- [X] a", "((R 'X'))", "((R \"X\"))", "<<assets/a-R.pdf/R X \"a\">>", "<<assets/X.pdf/R \"X\">>", "<u>X</u>", "<kbd>X</kbd>", "`X`", "|X|\n|-|\n|a|", "<span data-type=\"X\">a</span>", "<span data-type='X'>a</span>",
    "<span data-type=\"text\" custom-a='X'>a</span>", "<span data-type=\"block-ref\" data-id='X'>a</span>", "<img src='X'>", "<img src=a title='X'>", "<iframe src='X'></iframe>", "<video src='X'></video>", "<div style='X'>a</div>", "X. a", "X", "**X**", "a\n{: custom-a=\"X\"}", "a\n{: custom-a='X'}",
]
ORDINARY = [
    "# Garden", "## Beds & borders", "Plain words, and more of them.", "Two lines\nof one paragraph.", "A **bold** and an *italic* word, ~~gone~~, ==marked==.", "- one\n- two\n  - nested\n- three", "1. first\n2. second\n   more", "- [ ] to do\n- [x] done",
    "> a quote\n> of two lines", "> [!NOTE]\n> mind the step", "> [!TIP] A title\n> and text", "| a | b |\n|---|---|\n| 1 | 2 |", "| name | code |\n|---|---|\n| a | `x = 1` |", "```rust\nfn main() {}\n```", "```\n{: id=\"20250101000000-hidden0\" custom-x='1'}\n```",
    "~~~text\n((20250101000000-hidden0 'x'))\n~~~", "Inline `code`, and `{: style=\"x\"}` of kramdown.", "Use `<b>` and `<script>` with care.", "$E = mc^2$ and more", "$$\n\\frac{1}{2}\n$$", "[a link](https://example.org/x?y=1&z=2#a)", "![a picture](assets/image-20250101000000-abcdefg.png)",
    "![](assets/a%20b.png \"title\")", "<https://example.org>", "see https://example.org/a_b for more", "a < b, b > c & d", "x <- y -> z", "List<String> and Map<K, V>", "It's \"quoted\" -- and so on...", "#tag# and #another tag#", "***", "Line with trailing blanks  \nand a break", "é ü 小 山 😀",
    "{: .no_toc }", "The list {: .class } is Jekyll's.", "{:toc}", "Elixir says {:ok, value} and {:error, reason}.", "Clojure's {:a 1 :b 2} is a map.", "Set {: x } of y", "a dict: {: 1}", "Template {{ name }} is filled in later.", "{{{row\nleft\n\nright\n}}}", "<div>\n<p>html</p>\n</div>", "H<sub>2</sub>O and x<sup>2</sup>",
    "<kbd>Ctrl</kbd>+<kbd>C</kbd>", "<u>underlined</u>", "a<br>b", "<!-- a comment -->", "&copy; 2025 &amp; more &lt;tag&gt;", "((not a reference))", "f((x)) = y", "((20250101000000-readabl 'a bed'))", "((20250101000000-readabl))", "[to a bed](siyuan://blocks/20250101000000-readabl)", "C:\\path\\to\\file", "1 \\* 2 \\_ 3",
    "once = 1, only = 2, on = 3", "Set the onclick handler of a button.", "JavaScript: the good parts", "| a \\| b | c |\n|---|---|\n| `x` | y |", "text\n{: custom-status=\"done\"}", "**red**{: style=\"color: red\"} text", "- {: custom-a=\"1\"}item\n- item", "# Title\n{: memo=\"a note\"}", "a | b | c", "[x] not a task", "`a` and ``b ` c``", "a `b\nc` d",
    "[docs](https://example.org), then `{: a='1'}`", "if (a && b) { return c[0]; }", "{\"a\": {\"b\": [1, 2]}}", "a {b: c} d", "~200 m, ~3 h", "50% off, #1, $5 and $6", "10:30 :smile: :+1:", "a_b_c and __init__", "foo@example.org", "<iframe src=\"https://example.org\"></iframe>", "<video controls=\"controls\" src=\"assets/a.mp4\"></video>",
    "{{SELECT * FROM blocks WHERE content LIKE '%bed%'}}", "- a\n\n  b\n\n  ```\n  c\n  ```\n- d", "10. ten\n11. eleven", "Term\n: definition", "[^1] and more\n\n[^1]: a note", "---\ntitle: x\n---", "***\n\ntext", "\\{: x='1'}", "a\tb\tc", "    indented", "\"quoted\" 'words' “so” ‘that’", "== not marked", "== a == b ==", "a\u00a0b\u200bc",
]
PIECES = [
    "{: ", "{:", "}", "id=\"", "id='", "H", "R", "\"", "'", " ", "\n", "\n\n", "  ", "    ", "- ", "> ", "1. ", "* ", "[ ] ", "`", "``", "```", "~~~", "$", "$$", "#", "((", "))", "(", ")", "[", "](", "!", "|", "|-|", "<u>", "</u>", "<span data-type=\"", "</span>", "<div>", "</div>", "<!--", "-->", "<",
    ">", "&lt;", "&gt;", "&quot;", "&#34;", "&#50;", "&", ";", "=", "\\", "**", "==", "~~", "{{", "}}", "{{{", "}}}", "onclick=", " onclick=\"x\"", "custom-x=\"1\"", "data-id=\"", "data-av-id=\"", "siyuan://blocks/", "block-ref\"", "text\">", "x", "word", "\u200b", "\u2038", "\u00a0", "\r", "\t", "\0", "[!NOTE]", "[!", "caretreplacement",
    "<img src=x ", "iframe", "script", "style=\"a\"", "\x0b", "\x0c", "\u2028",
]
STYLE_NAMES = [
    "color", "background-color", "background", "font-size", "width", "height", "text-align", "margin", "flex", "--b3-parent-background", "position", "z-index", "inset", "top", "pointer-events", "transform", "display", "opacity", "visibility", "content", "filter",
    "animation", "background-image", "margin-top", "POSITION", "pos\\69tion", "p&#111;sition", "translate", "all", "float", "overflow", "--b3-theme-background", "text-shadow", "min-width", "vertical-align",
]
STYLE_VALUES = [
    "red", "var(--b3-font-color1)", "var(--b3-x, red)", "#fff", "rgba(1, 2, 3, 0.5)", "18px", "1.2em", "50%", "calc(50% - 8px)", "center", "none", "0 auto", "fixed", "2147483647", "-9px", "0", "url(x)", "url(&quot;x&quot;)", "scale(9)", "absolute", "red !important", "99999px",
    "red;position:fixed", "red&#59;position:fixed", "red&quot;;position:fixed", "red/*x*/", "red}", "\\66ixed", "expression(x)", "1px 1px red", "@x",
]
ATTRIBUTES = [
    "popover", "popover=\"auto\"", "popovertarget=\"x\"", "class=\"b3-dialog\"", "class=\"emoji\"", "class='fn__none protyle-util'", "id=\"message\"", "autofocus", "contenteditable=\"true\"", "draggable=\"true\"", "accesskey=\"x\"", "command=\"show-modal\"", "allow=\"fullscreen\"", "allowfullscreen",
    "open", "slot=\"x\"", "is=\"x\"", "part=\"x\"", "unknown=\"x\"", "width=\"9\"", "align=\"center\"", "title=\"style=position:fixed\"", "data-subtype=\"echarts\"", "data-subtype=\"d\"", "colgroup=\"width:9px|position:fixed\"", "colgroup=\"width: 60px;|\"", "parent-style=\"position:fixed\"",
    "caption=\"&lt;b style=position:fixed>\"", "colspan=\"2\"", "fold=\"1\"", "custom-x=\"position:fixed\"", "Style=\"position:fixed\"", "style=position:fixed", "st&#121;le=\"inset:0\"", "linewrap=\"true\"", "type=\"x\"", "icon=\"x\"", "title-img=\"position:fixed\"",
]
AROUND_STYLES = [
    "text\n{: A}", "**x**{: A}", "- {: A}text", "![a](b){: A}", "|a|\n|-|\n|{: A}b|", "|a|\n|-|\n|b|\n{: A}", "# h\n{: A}", "> a\n{: A}", "<span data-type=\"text\" A>x</span>", "<div A>x</div>", "<div\nA>x</div>", "<b A>x</b>", "<img src=\"x\" A>", "<iframe src=\"https://e.org\" A></iframe>", "<video src=\"x\" A></video>",
    "&lt;div A&gt;x", "<u>&lt;b A></u>", "<u><b A>x</b></u>", "<table><tr><td A>x</td></tr></table>", "<pre>\n<b\n\nA>x</b>\n</pre>", "<svg A><path d=\"M0 0\"/></svg>", "<!-- <b A> -->", "a <b and A c > d", "<x:y A>x</x:y>", "<div>\n<p A>x</p>\n</div>", "<mark A>x</mark>", "<kbd A>x</kbd>", "<audio src=\"x\" A></audio>", "<dialog A>x</dialog>",
    "<div x='>' A>x</div>", "<div a=\"b\"A>x</div>", "<div/A>x</div>", "<span data-type=\"strong em\" A>x</span>", "<br A>", "<style A>x</style>", "<link rel=\"stylesheet\" href=\"x\" A>", "{{{row\na\n\nb\n}}}\n{: A}", "```js\nx\n```\n{: A}", "$$\nx\n$$\n{: A}",
]
DRAWINGS = [
    "(x, {})", "{}", "X:1\nK:C\nC", "%%params ({})\nX:1", "A -> B", "flowchart LR\n  A --> B", "flowchart LR\n  click A \"x\"", "%%{init: {}}%%\nflowchart LR", "flowchart LR\n  A[\"<img src=x>\"]", "flowchart LR\n  A[\"one<br>two\"]", "digraph { a -> b }", "digraph { a [URL=\"x\"] }",
    "digraph { a [\"U\" + \"RL\"=\"x\"] }", "st=>start: Start", "st=>start: Start:>x", "- a\n  - b", "classDiagram\n  <<interface>> A", "flowchart LR\n  style A fill:#fff", "flowchart LR\n  style A position:fixed",
]
AROUND_DRAWINGS = [
    "```L\nX\n```", "~~~L\nX\n~~~", "``` L\nX\n```", "- ```L\n  X\n  ```", "> ```L\n> X\n> ```", "```L x\nX\n```", "````L\nX\n```\nX\n````", "````md\n```L\nX\n```\n````", "{{{row\n```L\nX\n```\n}}}", "```L\nX", "<div>\n```L\nX\n```", "a\n```L\nX\n```\nb", "```M\nX\n```", "    ```L\n    X\n    ```", "```L\u200b\nX\n```", "$$\na\n$$\n```L\nX\n```",
    "1. ```L\n   X\n   ```", "```{L}\nX\n```", "```L,x\nX\n```", "```L\\x\nX\n```",
]
FORMULAS = ["$X$", "$$\nX\n$$", "a $X$ b", "- $X$", "|$X$|\n|-|\n|$X$|", "<span data-type=\"inline-math\" data-content=\"X\"></span>", "**$X$**", "$`X`$"]
COMMANDS = ["\\href{javascript:x}{y}", "\\htmlStyle{position:fixed}{x}", "\\frac{1}{2}", "\\&#104;ref{x}{y}", "\\def\\x{\\url}", "\\hreflang", "\\includegraphics{x}", "\\htmlClass{b3-dialog}{x}"]
OLDS = [
    "a ((H 'old')) b\n{: id=\"O\" updated=\"20250101000000\" custom-x=\"1\"}",
    "- {: id=\"O\" custom-avs=\"20250101000000-oldbase\"}one\n  {: id=\"20250101000000-inner00\"}\n{: id=\"20250101000000-list000\"}",
    "<div data-type=\"NodeAttributeView\" data-av-id=\"20250101000000-oldbase\" data-av-type=\"table\"></div>\n{: id=\"O\"}",
    "```\n((H 'x'))\n{: id=\"20250101000000-incode0\"}\n```\n{: id=\"O\"}",
    "mentions H and [a link](siyuan://blocks/H)\n{: id=\"O\" memo=\"m\"}",
]
OVER_OLDS = [
    "a ((H 'old')) c\n{: id=\"O\" custom-x=\"1\"}", "a ((H 'new'))\n{: id=\"O\"}", "((H))\n{: id=\"O\"}", "x\n{: id=\"O\"}\n\ny\n{: id=\"O\"}", "x\n{: id=\"O\" custom-avs=\"20250101000000-oldbase\"}", "x\n{: id=\"O\" custom-avs=\"H\"}", "x\n{: id='O'}",
    "- {: id=\"O\"}one\n  {: id=\"20250101000000-inner00\"}\n- two\n{: id=\"20250101000000-list000\"}", "x\n{: id=\"20250101000000-incode0\"}", "((20250101000000-incode0 'x'))\n{: id=\"O\"}",
    "<div data-type=\"NodeAttributeView\" data-av-id=\"20250101000000-oldbase\" data-av-type=\"table\"></div>\n{: id=\"O\"}", "<div data-type=\"NodeAttributeView\" data-av-id=\"H\" data-av-type=\"table\"></div>\n{: id=\"O\"}",
    "<div data-type=\"NodeAttributeView\" data-av-id=\"20250101000000-oldbase\" data-av-type=\"table\"></div>\n\n<div data-type=\"NodeAttributeView\" data-av-id=\"20250101000000-oldbase\" data-av-type=\"table\"></div>",
    "[a link](siyuan://blocks/H) and H\n{: id=\"O\"}", "<span data-type=\"block-ref\" data-subtype=\"d\" data-id=\"H\">x</span>\n{: id=\"O\"}", "plain\n{: id=\"O\" memo=\"n\" onclick='x'}",
]


def ids(text):
    text = re.sub(r"(?<![A-Za-z&])H(?![A-Za-z<])", HIDDEN, text)
    text = re.sub(r"(?<![A-Za-z&])R(?![A-Za-z<])", READABLE, text)
    return re.sub(r"(?<![A-Za-z&])O(?![A-Za-z<])", OLD, text)


def encoded(tag, choice):
    way = choice.below(6)
    if way == 0:
        return tag
    if way == 1:
        return tag.replace("<", "&lt;").replace(">", "&gt;")
    if way == 2:
        return tag.replace("<", "&#60;").replace(">", "&#x3e;").replace("\"", "&quot;")
    if way == 3:
        return tag.replace("&", "&amp;").replace("<", "&amp;lt;").replace(">", "&amp;gt;")
    if way == 4:
        return re.sub("on([a-z])", lambda it: f"on&#{ord(it[1])};", tag, flags=re.I)
    return tag.replace("=", "\u200b=").replace("<", "&LT")


def inputs():
    choice = Choice(20250101)
    made = {}

    def add(text, harmless=False, old=None):
        # A frame contains a page of its own, which is refused.
        made.setdefault((text, old), harmless and "<iframe" not in text)

    for text in ORDINARY:
        add(text, True)
    for _ in range(700):
        add("\n\n".join(choice.some(ORDINARY, 2, 5)), True)
    for text in LISTS:
        add("text\n" + text)
        add("- " + text + "text")
        add("**x**" + text)
        add("a\n\n" + text)
    for around in AROUND_LISTS:
        for text in choice.some(LISTS, 5, 5) + [QUOTED, LISTS[36]]:
            add(ids(around.replace("X", "\x02")).replace("\x02", text))
    for text in REFERENCES:
        for around in ["X", "a X b"] + choice.some(AROUND_REFERENCES, 7, 7):
            add(ids(around.replace("X", text)))
    for around in AROUND_REFERENCES:
        add(ids(around.replace("X", "((H 'x'))")))
    for tag in TAGS:
        for around in ["X"] + choice.some(AROUND_TAGS, 8, 8):
            add(ids(around.replace("X", encoded(tag, choice))))
    for around in AROUND_TAGS:
        for tag in [TAGS[0], TAGS[1]]:
            add(ids(around.replace("X", tag.replace("<", "&lt;").replace(">", "&gt;"))))
            add(ids(around.replace("X", tag)))
    for around in AROUND_BREAKS:
        for text in BREAKS:
            add(ids(around.replace("X", text)))
    for old in OLDS:
        for text in OVER_OLDS:
            add(ids(text), False, ids(old))
    for _ in range(900):
        add(ids("".join(choice.some(PIECES, 3, 14))))
    for _ in range(300):
        parts = choice.some(ORDINARY, 1, 2) + [ids(choice.of(AROUND_LISTS).replace("X", choice.of(LISTS))), ids(choice.of(REFERENCES))]
        add("\n\n".join(parts[choice.below(2):]))
    for around in AROUND_STYLES:
        for _ in range(32):
            styles = [f"{choice.of(STYLE_NAMES)}:{' ' * choice.below(2)}{choice.of(STYLE_VALUES)}" for _ in range(1 + choice.below(2))]
            attributes = [choice.of(ATTRIBUTES)] if choice.below(2) else ["style=\"%s\"" % ";".join(styles)]
            attributes += [choice.of(ATTRIBUTES)] if choice.below(4) == 0 else []
            add(re.sub(r"\bA\b", lambda _: " ".join(attributes), around))
    for around in AROUND_DRAWINGS:
        for _ in range(12):
            language, text = choice.of(DRAWN), choice.of(DRAWINGS)
            encoded_language = f"&#{ord(language[0])};{language[1:]}"
            line = "\n" + re.match(r"[ >]*", around.split("X")[0].split("\n")[-1])[0]
            add(around.replace("L", language).replace("M", encoded_language).replace("X", text.replace("\n", line)))
    for around in FORMULAS:
        for command in COMMANDS:
            add(around.replace("X", command))
    for (text, old), harmless in made.items():
        line = {"text": text}
        if harmless:
            line["harmless"] = True
        if old:
            line["old"] = old
        yield line


def write_lines(path, made):
    """Writes values as lines of JSON."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(it, ensure_ascii=False, separators=(",", ":")) for it in made]
    path.write_text("\n".join(lines) + "\n")
    print(f"{len(lines)} inputs")


def run(about, path, inputs, record):
    """The command of a script that makes inputs and records what SiYuan makes of them."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["inputs", "record"])
    parser.add_argument("--all", action="store_true", help="record every text again")
    asked = parser.parse_args()
    if asked.what == "inputs":
        write_lines(path, inputs())
    else:
        record(asked.all)


if __name__ == "__main__":
    sys.exit(run(__doc__, INPUTS, inputs, record))
