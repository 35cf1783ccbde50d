#!/usr/bin/env python3
"""Record the query embeds that a real SiYuan sees in Markdown that the gate accepts, and in Markdown that it refuses.

    embeds.py inputs    rewrite core/tests/incoming/embeds.jsonl (same seed, same inputs)
    embeds.py record    ask the SiYuan at SIYUAN_API_URL (SIYUAN_TOKEN) for every text that has no recording yet

Each text is appended to a document, and every tenth is made a document of its own. Recorded are the statements of the
embeds as the index stores them: SiYuan's own job takes them from there, decodes them and runs them. The test that
compares the gate with them is `content::incoming::recorded_embeds` in core. Only the Python 3 standard library is used.
"""

import json
import os
import re
import sys

import incoming
from incoming import Choice, Refused, SiYuan, key, lines_of, sent

INPUTS, RECORDED = incoming.DATA / "embeds.jsonl", incoming.DATA / "embeds_recorded.jsonl"
TEST = "content::incoming::recorded_embeds::checked_embeds_pass_the_check_unchanged"

GOOD = [
    "SELECT * FROM blocks", "select * from blocks where type='p' limit 5", "SELECT * FROM blocks WHERE content LIKE '%mint%' ORDER BY updated DESC LIMIT 10",
    "SELECT * FROM blocks WHERE length < 3 AND length > 1 OR NOT type = 'd'", "SELECT * FROM blocks WHERE length &lt; 3", "SELECT * FROM blocks WHERE tag LIKE '%#a b#%' AND length % 2 = 1",
    "SELECT * FROM blocks WHERE id IN (SELECT block_id FROM attributes WHERE name='custom-x' AND value<>'')", "SELECT b.* FROM blocks b JOIN refs r ON r.block_id=b.id WHERE r.def_block_id='x' LIMIT 2 OFFSET 1",
    "SELECT * FROM blocks WHERE content LIKE '%日记：a，b%'", "SELECT * FROM blocks WHERE ((id='a') OR ((name='b') AND (alias='c')))", "SELECT DISTINCT * FROM blocks WHERE created BETWEEN '1' AND '2' AND memo IS NOT NULL",
    "SELECT * FROM blocks WHERE substr(created,1,8)=strftime('%Y%m%d','now') ORDER BY CASE type WHEN 'd' THEN 0 ELSE 1 END", "SELECT * FROM blocks WHERE hpath GLOB '/a*' LIMIT 200",
]
TAILS = [
    "; DELETE FROM blocks", ";", " ; SELECT 2", " /*'*/; DROP TABLE x /*'*/", " --'_esc_newline_; DROP TABLE x", "&#59 DROP TABLE x", "&#59; DROP TABLE x", "&#x3b DROP TABLE x", "&semi; DROP TABLE x",
    "&SEMI; x", "&amp;#59; x", "_esc_newline_; VACUUM INTO 'x'", " WHERE `a'b` ; x", " WHERE [a'b] ; x", " WHERE \"a'b\" ; x", " -- x", " # x", " /* x */", " /* x", " WHERE content = 'it''s'", " WHERE content = 'a\\'b'",
    " WHERE content = '\\'; DROP TABLE x --'", " UNION SELECT * FROM blocks_fts", " WHERE content = 'a&amp;b'", " WHERE content = 'a&lt;b'", " WHERE content = '&#39; OR 1 --'", " WHERE content = '&apos; OR 1 --'", " WHERE content = '\u200b'",
    " WHERE content\u00a0= 'x'", " WHERE content\u3000= 'x'", "\u200b WHERE id = ''", " WHERE content = '；'", "； DROP TABLE x", "\uff1b DROP TABLE x", " WHERE id = '\u2028'", " WHERE id = 'a\tb'", "\tWHERE\tid = ''", " }} x {{ ", "}}", "{{", "{: id=\"x\"}",
    " WHERE content = '{: custom-x=\"1\"}'", " WHERE content = '((20250101000000-readabl))'", " WHERE content = '`'", " WHERE `id` = '`'", " WHERE content = '<b>x</b>'", " WHERE a<b", " WHERE length<3", " WHERE content = '#a#'", " WHERE content = '$x$'", " WHERE content = '**x**'",
    " WHERE content = '[a](b)'", " WHERE content = '[[x]]'", " WHERE content = '!['", " WHERE content = '%3B'", " WHERE content = '\u2038;'", "\u2038", " WHERE content = '\\'", " WHERE id = x'41'", " WHERE id = $a", " WHERE id = ?1", " WHERE id LIKE 'a' ESCAPE 'b'", " WHERE content = 'a--b'",
    " WHERE content = 'a_esc_newline_b'", " WHERE content = 'a_esc_\u200bnewline_b'", " WHERE content = '~~x~~ ==y=='", " WHERE content = ':smile:'", " WHERE content = '&copy;'", " WHERE content = '&nbsp;'", "\r\n; x", "\r; x", "\x0b; x", "\x0c; x", "\0; x",
]
OTHERS = [
    "//!js return []", "DELETE FROM blocks", "VACUUM INTO 'x'", "PRAGMA table_info(blocks)", "", " ", "SELECT", "WITH x AS (SELECT * FROM blocks) SELECT * FROM x", "EXPLAIN SELECT * FROM blocks", "VALUES (1)", "{SELECT * FROM blocks", "SELECT * FROM blocks}", "title", "/*SELECT*/ DELETE FROM blocks",
    "SELECT * FROM blocks a, blocks b, blocks c", "SELECT * FROM pragma_database_list", "SELECT * FROM main.blocks", "SELECT zeroblob(9)", "\u200bSELECT * FROM blocks", "\ufeffSELECT * FROM blocks",
]
AROUND = [
    "X", "X", "X", "- X", "* X\n* b", "1. X", "- [ ] X", "- a\n  X", "- a\n\n  X\n  {: custom-a=\"1\"}", "> X", "> a\n> X", "> > - X", "> [!NOTE]\n> X", "> [!NOTE] X\n> a", "{{{row\nX\n\nb\n}}}", "{{{col\na\n\nX\n}}}", "a\nX", "a\nX\nb", "X\n{: custom-a=\"1\"}", "X{: custom-a=\"1\"}", "- {: custom-a=\"1\"}X",
    "{: custom-a=\"1\"}X", "  X  ", "   X", "    X", "\tX", "X\u00a0", "X\u3000", "X\u200b", "\u200bX", "\ufeffX", "\u2038X", "\u00a0X", "# X", "|X|b|\n|-|-|\n|c|X|", "`X`", "```\nX\n```", "~~~\nX\n~~~", "```\nX", "    ```\n    X\n    ```", "- ```\n  X\n  ```", "<div>\nX\n</div>", "<div>\n\nX\n\n</div>", "$$\nX\n$$", "---\nX\n---", "<!--\nX\n-->",
    "[^1]: X\n\na[^1]", "\\X", "**X**", "a X", "X b", "a\u2028X", "a\u0085X", "a\rX", "a\r\nX\r\n", "X\r\n", "X\n\nX", "`a\nX\nb`", "<b>\nX", "*** X", "- - - X", "+ X", "2) X", "(1) X", "=== X", "[x] X", "::: X", "a\n===\nX", "[a]: b\nX", "<details>\nX\n</details>", "> ```\n> X\n> ```", "> ```\nX", "```a~b\nX\n```", "- a\n\n      X", "1. a\n   X\n2. b",
    "- [ ] {: custom-a=\"1\"}X", "* \nX", "-\n  X", ">X", ">>X", "> - [x] X", "&#123;&#123;SELECT 1}}\nX", "{\u2038{SELECT 1}}\nX", "X\u2038", "![](a)X", "((x))X", "$a$X", "<<<<<<< a\nX\n=======\n>>>>>>> b", ";;;x\nX\n;;;", "{{{\nX\n}}}", "{{{X", "X}", "{X", "{ {X",
]
OPEN = ["{{%s}}"] * 6 + ["{{ %s }}", "{{\t%s\t}}", "{{\u00a0%s\u3000}}", "{{%s}}\u0085", "{{%s", "{{\n%s\n}}", "{{%s\n}}", "{ {%s}}", "{{%s} }", "{{{%s}}}", "{{{{%s}}}}", "{{\u200b%s\u200b}}", "{&#123;%s}}", "｛｛%s｝｝"]
PIECES = ["{{", "}}", "SELECT * FROM blocks", " WHERE ", "id = ''", ";", "'", "\"", "`", "[", "]", "--", "/*", "*/", "&#59", "&lt;", "&", "\\", "\n", "\n\n", "- ", "> ", "```", "~~~", "<div>", "<!--", "-->", "{: ", "}", "{", "_esc_newline_", "\u200b", "\u2038", "\u00a0", "\r", "\t", "    ", "|", "|-|", "$$", "#", "x", " LIMIT 1", "{{SELECT * FROM blocks}}", "{{{row\n", "\n}}}", "DROP TABLE x", "//!js"]
OLDS = ["{{SELECT 1; DROP TABLE x}}\n{: id=\"20250101000000-oldold0\"}", "* {: id=\"20250101000000-oldold0\"}{{//!js return []}}"]


def inputs():
    choice, made = Choice(20260202), {}

    def add(text, old=None):
        made.setdefault((text, old), None)

    def embed(body):
        return choice.of(OPEN).replace("%s", body)

    for body in GOOD + OTHERS:
        add("{{" + body + "}}")
    for tail in TAILS:
        add("{{SELECT * FROM blocks" + tail + "}}")
        add(choice.of(AROUND).replace("X", "{{SELECT * FROM blocks" + tail + "}}"))
    for around in AROUND:
        for body in [GOOD[0], GOOD[3], GOOD[4], "SELECT 1; DROP TABLE x", "//!js return []"]:
            add(around.replace("X", "{{" + body + "}}"))
    for form in OPEN:
        for body in [GOOD[1], "SELECT 1; DROP TABLE x"]:
            add(form.replace("%s", body))
    for _ in range(1300):
        kind = choice.below(10)
        body = choice.of(GOOD) if kind < 5 else choice.of(OTHERS) if kind == 9 else "SELECT * FROM blocks" + choice.of(TAILS)
        if kind in (4, 8):
            body += choice.of(TAILS)
        text = choice.of(AROUND).replace("X", embed(body))
        if choice.below(4) == 0:
            text = choice.of(AROUND).replace("X", text)
        if choice.below(6) == 0:
            text += "\n\n" + choice.of(AROUND).replace("X", embed(choice.of(GOOD)))
        add(text)
    for _ in range(600):
        add("".join(choice.some(PIECES, 3, 12)))
    for old in OLDS:
        for text in ["{{SELECT 1; DROP TABLE x}}", "{{SELECT 1;  DROP TABLE x}}", "- {{//!js return []}}", "{{//!js return [] }}", "{{SELECT 1; DROP TABLE x}}\n\n{{SELECT 1; DROP TABLE x}}", "{{SELECT 1; DROP TABLE x}} ", "{{SELECT * FROM blocks}}\n\n{{SELECT 1; DROP TABLE x}}"]:
            add(text, old)
    for text, old in made:
        yield {"text": text, "old": old} if old else {"text": text}


class Notes:
    """Documents of a notebook that take the texts; they begin anew before one gets long."""

    MOST = 60

    def __init__(self, siyuan):
        self.siyuan, self.used, self.waiting = siyuan, self.MOST, []
        self.notebook = siyuan.ask("/api/notebook/createNotebook", name="Query embeds")["notebook"]["id"]

    def close(self):
        self.siyuan.ask("/api/notebook/removeNotebook", notebook=self.notebook)

    def document(self, markdown):
        return self.siyuan.ask("/api/filetree/createDocWithMd", notebook=self.notebook, path="/in", markdown=markdown)

    def add(self, text, as_document):
        """The ids of the embeds of a text, and the document that holds them."""
        if self.used == self.MOST:
            self.used, self.parent = 0, self.document("x")
        self.used += 1
        try:
            dom = sent(self.siyuan.ask("/api/block/appendBlock", dataType="markdown", data=text, parentID=self.parent))
        except Refused:
            self.used, dom = self.MOST, ""
        ids = re.findall(r'<div[^>]*data-node-id="([^"]+)"[^>]*data-type="NodeBlockQueryEmbed"', dom)
        ids += re.findall(r'<div[^>]*data-type="NodeBlockQueryEmbed"[^>]*data-node-id="([^"]+)"', dom)
        try:
            return ids, self.document(text) if as_document else None
        except Refused:
            return ids, None

    def statements(self, ids, doc):
        where = "id IN (%s)" % ",".join("'%s'" % it for it in ids + ["x"]) + (" OR root_id = '%s'" % doc if doc else "")
        rows = self.siyuan.ask("/api/query/sql", mode="readonly", stmt="SELECT id, markdown FROM blocks WHERE type = 'query_embed' AND (%s) LIMIT 500" % where)
        missing = set(ids) - {it["id"] for it in rows}
        if missing:
            raise SystemExit("not in the index: %s" % missing)
        return sorted({it["markdown"] for it in rows})


def record(is_all):
    siyuan = SiYuan(os.environ["SIYUAN_API_URL"], os.environ["SIYUAN_TOKEN"])
    texts = {key(text): text for text in incoming.texts_sent(TEST)}
    known = {it["key"]: it for it in lines_of(RECORDED)} if RECORDED.exists() and not is_all else {}
    missing = [it for it in texts if it not in known]
    notes, found = Notes(siyuan), {}
    try:
        for number, it in enumerate(missing):
            found[it] = notes.add(texts[it], number % 10 == 0)
            if number % 200 == 199 or it == missing[-1]:
                siyuan.ask_nothing("/api/sqlite/flushTransaction")
                for each, (ids, doc) in found.items():
                    known[each] = {"key": each, "embeds": notes.statements(ids, doc)}
                found = {}
                print(f"{number + 1} of {len(missing)}", flush=True)
    finally:
        lines = [json.dumps(known[it], ensure_ascii=False, separators=(",", ":")) for it in sorted(known) if it in texts]
        RECORDED.write_text("\n".join(lines) + "\n")
        notes.close()
    print(f"{len(missing)} recorded, {len(known)} in all")


if __name__ == "__main__":
    sys.exit(incoming.run(__doc__, INPUTS, inputs, record))
