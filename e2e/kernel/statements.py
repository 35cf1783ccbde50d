#!/usr/bin/env python3
"""Records what a real SiYuan answers to printed statements, for core/src/index/statement/recorded.rs.

    STATEMENTS_OUT=/tmp/statements.jsonl cargo test -p puppy-core --lib recorded
    SIYUAN_API_URL=http://127.0.0.1:PORT SIYUAN_TOKEN=T statements.py record /tmp/statements.jsonl
    SIYUAN_API_URL=... SIYUAN_TOKEN=T statements.py time /tmp/statements.jsonl

Use a fresh workspace for `record`: the rows of its index are replaced. `time` prints the milliseconds of each statement
as it is written and as it is printed (the fastest of five), for a file made with STATEMENTS_IN and STATEMENTS_BOXES.
"""

import json
import os
import pathlib
import sys
import time
import urllib.request

RECORDED = pathlib.Path(__file__).parents[2] / "core/tests/statements/recorded.jsonl"
SHOWN = 100
OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def ask(statement, mode):
    body = json.dumps({"stmt": statement, "mode": mode}).encode()
    headers = {"Content-Type": "application/json", "Authorization": "Token " + os.environ.get("SIYUAN_TOKEN", "")}
    request = urllib.request.Request(os.environ["SIYUAN_API_URL"] + "/api/query/sql", body, headers)
    with OPENER.open(request, timeout=120) as reply:
        return json.load(reply)


def cell(value):
    if value is None:
        return "null"
    if isinstance(value, str):
        return "'" + value
    return str(int(value)) if value == int(value) else repr(value)


def answer(reply):
    """The rows of a reply, sorted; a long text as its FNV-1a hash."""
    if reply["code"] != 0:
        return "error"
    own = lambda row: sorted((it for it in row if it[0] == "k"), key=lambda it: int(it[1:]))
    rows = sorted("|".join(cell(row[it]) for it in own(row)) for row in reply["data"] or [])
    text = "\n".join(rows).encode()
    if len(text) <= SHOWN:
        return text.decode()
    value = 0xCBF29CE484222325
    for byte in text:
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"#{value:016x}"


def fill(inserts):
    for table in ["blocks", "refs", "attributes", "spans", "assets", "file_annotation_refs"]:
        assert ask(f"DELETE FROM {table} RETURNING 1", "")["code"] == 0, table
    # SiYuan steps through a statement that returns rows, and through no other.
    for insert in inserts:
        assert ask(insert + " RETURNING 1", "")["data"], insert


def record(lines):
    """The answers with hidden rows, and, where they differ, those without."""
    statements = [line for line in lines if "stmt" in line]
    answers = {}
    for key in ["insert", "without"]:
        fill(line[key] for line in lines if key in line)
        answers[key] = [answer(ask(line["stmt"], "readonly")) for line in statements]
    with RECORDED.open("w", encoding="utf-8") as out:
        for line, full, without in zip(statements, answers["insert"], answers["without"]):
            found = {"sql": line["sql"], "answer": full} | ({} if full == without else {"without": without})
            out.write(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n")


def fastest(statement):
    each = []
    for _ in range(5):
        began = time.perf_counter()
        reply = ask(statement, "readonly")
        each.append((time.perf_counter() - began) * 1000)
        assert reply["code"] == 0, (reply["msg"], statement)
        if sum(each) > 4000:
            break
    return min(each)


def measure(lines):
    print("   as written  as printed")
    for line in lines:
        written = line["sql"] if " LIMIT " in line["sql"] else line["sql"] + " LIMIT 1001"
        print(f"{fastest(written):12.1f} {fastest(line['stmt']):11.1f}  {line['sql'][:110]}", flush=True)


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("record", "time"):
        sys.exit(__doc__)
    given = [json.loads(line) for line in open(sys.argv[2], encoding="utf-8")]
    (record if sys.argv[1] == "record" else measure)(given)
