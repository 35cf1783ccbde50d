#!/usr/bin/env python3
"""Record the blocks that the editor of a real SiYuan makes of Markdown, and compare them with those of the API.

    editor_dom.py record    ask the SiYuan at SIYUAN_API_URL (SIYUAN_TOKEN) for every text that has no recording
                            yet; with --all for every text

Recorded are the editor DOM of each text, in which new ids are replaced by equal ones of one day, and the facts that
`incoming.py` finds in it. The texts are those of core's test `content::incoming::recorded_dom`, in the form in which
core hands them to the editor. A text of which the API makes other blocks is printed, and the exit code is 1. Only the
Python 3 standard library is used.
"""

import html
import html.parser
import json
import os
import re
import sys

import incoming
from incoming import Facts, Refused, SiYuan, key, lines_of

RECORDED = incoming.DATA / "editor_dom.jsonl"
TEST = "content::incoming::recorded_dom::texts_for_the_editor_are_printed"
NEW_ID = re.compile(r"(?<![\w-])20(?!25)\d{12}-[0-9a-z]{7}")
NEW_TIME = re.compile(r'(?<= updated=")20(?!25)\d{12}(?=")')
STAND_IN, ZERO_WIDTH = "\ue7a3", "\u200b"


class Tokens(html.parser.HTMLParser):
    """Editor DOM in a form that does not depend on the order of attributes, nor on new ids and times."""

    def __init__(self, dom):
        super().__init__(convert_charrefs=True)
        self.found = []
        self.feed(plain(dom))
        self.close()

    def handle_starttag(self, tag, attrs):
        # The API numbers all blocks of a request.
        self.found.append((tag, sorted((name, value or "") for name, value in attrs if name != "data-node-index")))

    def handle_endtag(self, tag):
        self.found.append(tag)

    def handle_data(self, data):
        self.found.append(data)


def plain(dom):
    """Editor DOM with the same new ids in every run."""
    ids = {}
    dom = NEW_ID.sub(lambda it: ids.setdefault(it[0], f"20260101000000-{len(ids):07}"), dom)
    return NEW_TIME.sub("20260101000000", dom)


def carried(text):
    """The request of core's `lute::spin_markdown`."""
    content = html.escape(html.escape(text))
    return (
        '<div data-type="NodeHTMLBlock" class="render-node" data-subtype="block"><div class="protyle-icons"></div>'
        f'<div><protyle-html data-content="{content}"></protyle-html></div>'
        '<div class="protyle-attr" contenteditable="false"></div></div>'
    )


class Desk:
    """A notebook whose documents take the texts, a part of them each."""

    MOST = 40

    def __init__(self, siyuan):
        self.siyuan = siyuan
        self.notebook = siyuan.ask("/api/notebook/createNotebook", name="Editor DOM")["notebook"]["id"]

    def close(self):
        self.siyuan.ask("/api/notebook/removeNotebook", notebook=self.notebook)

    def stored(self, texts):
        """The editor DOM of each text that the API appends; `None` for one that it refuses."""
        parent = self.siyuan.ask("/api/filetree/createDocWithMd", notebook=self.notebook, path="/in", markdown="x")
        blocks = [{"dataType": "markdown", "data": text, "parentID": parent} for text in texts]
        try:
            answers = self.siyuan.ask("/api/block/batchAppendBlock", blocks=blocks)
        except Refused:
            answers = []
        if len(answers) == len(texts):
            return [incoming.sent([it]) for it in answers]
        return [None] if len(texts) == 1 else [self.stored([text])[0] for text in texts]


def record(everything):
    siyuan = SiYuan(os.environ["SIYUAN_API_URL"], os.environ["SIYUAN_TOKEN"])
    texts = {key(text): (text, carrier) for text, carrier in incoming.texts_sent(TEST)}
    known = {}
    if RECORDED.exists() and not everything:
        known = {it["facts"]["key"]: it for it in lines_of(RECORDED)}
    missing, others = [it for it in texts if it not in known], []
    desk = Desk(siyuan)
    try:
        for start in range(0, len(missing), Desk.MOST):
            part = missing[start : start + Desk.MOST]
            for it, stored in zip(part, desk.stored([texts[it][0] for it in part])):
                text, carrier = texts[it]
                try:
                    dom = siyuan.ask("/api/lute/spinBlockDOM", dom=carried(carrier))["dom"]
                except Refused:
                    # Core sends such a text as Markdown.
                    dom, stored = "", None
                # As core's `from_editor`.
                dom = dom.replace("</span>" + ZERO_WIDTH + STAND_IN, "</span>" + ZERO_WIDTH).replace(STAND_IN, ZERO_WIDTH)
                if stored is not None and Tokens(stored).found != Tokens(dom).found:
                    others.append(text)
                facts = Facts(key=it)
                facts.of_dom(dom)
                facts = {name: sorted(found) if name != "key" else found for name, found in facts.items()}
                known[it] = {"dom": plain(dom), "facts": facts}
            print(f"{start + len(part)} of {len(missing)}", flush=True)
    finally:
        lines = [json.dumps(known[it], ensure_ascii=False, separators=(",", ":")) for it in sorted(known) if it in texts]
        RECORDED.write_text("\n".join(lines) + "\n")
        desk.close()
    print(f"{len(missing)} recorded, {len(known)} in all")
    for text in others:
        print(f"the API makes other blocks of {text!r}")
    return 1 if others else 0


if __name__ == "__main__":
    if sys.argv[1:2] != ["record"]:
        sys.exit(__doc__)
    sys.exit(record("--all" in sys.argv))
