#!/usr/bin/env python3
"""Compare the times of a large demo kernel with those of the real one. Not a test: nothing fails here.

    demo-kernel --port 0 --workspace DIR --empty --bulk 5000,100000      (a release build)
    bench.py --url http://127.0.0.1:PORT

The figures of the real kernel are of version 3.7.3 with 5,984 documents and 118,564 blocks, on another
machine. The ratio only shows whether a large workspace stays usable. Only the standard library is used.
"""

import argparse
import http.client
import json
import statistics
import time
import urllib.parse

# Name, path, arguments, milliseconds of the real kernel (median, the big workspace).
CALLS = [
    ("system/version", {}, 0.27),
    ("notebook/lsNotebooks", {}, 0.63),
    ("filetree/listDocsByPath", {"notebook": "$nb", "path": "/"}, 6.83),
    ("filetree/getIDsByHPath", {"notebook": "$nb", "path": "/Part 1"}, 17.13),
    ("filetree/getPathByID", {"id": "$doc"}, 0.48),
    ("block/getBlockInfo", {"id": "$block"}, 0.51),
    ("block/getChildBlocks", {"id": "$doc"}, 0.71),
    ("block/getBlockKramdown", {"id": "$doc"}, 0.44),
    ("block/getRecentUpdatedBlocks", {}, 63.24),
    ("attr/getBlockAttrs", {"id": "$block"}, 0.49),
    ("query/sql", {"stmt": "SELECT * FROM blocks WHERE id = '$block' LIMIT 1"}, 0.32),
    ("query/sql", {"stmt": "SELECT * FROM blocks WHERE content LIKE '%nowhere%' LIMIT 50"}, 61.99),
    ("query/sql", {"stmt": "SELECT count(*) AS n FROM blocks"}, 0.58),
    ("search/fullTextSearchBlock", {"query": "garden"}, 540.23),
    ("search/fullTextSearchBlock", {"query": "garden orchard"}, 181.35),
    ("block/appendBlock", {"dataType": "markdown", "data": "one more", "parentID": "$doc"}, 51.55),
    ("filetree/createDocWithMd", {"notebook": "$nb", "path": "/Part 1/New", "markdown": "text"}, 264.70),
    ("sqlite/flushTransaction", {}, 51.22),
]


class Kernel:
    def __init__(self, url):
        self.connection = http.client.HTTPConnection(urllib.parse.urlsplit(url).netloc, timeout=120)

    def call(self, path, body):
        self.connection.request("POST", "/api/" + path, json.dumps(body), {"Content-Type": "application/json"})
        answer = json.loads(self.connection.getresponse().read())
        if answer["code"] != 0:
            raise SystemExit("%s: %s" % (path, answer["msg"]))
        return answer["data"]


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--url", required=True)
    p.add_argument("--times", type=int, default=20)
    args = p.parse_args()
    kernel = Kernel(args.url)
    query = lambda statement: kernel.call("query/sql", {"stmt": statement, "mode": "readonly"})
    block = query("SELECT id, root_id, box FROM blocks WHERE type = 'p' AND hpath LIKE '/Part 3/%' LIMIT 1")[0]
    names = {"$nb": block["box"], "$doc": block["root_id"], "$block": block["id"]}
    size = query("SELECT count(DISTINCT root_id) AS d, count(*) AS b FROM blocks LIMIT 1")[0]
    print("%d documents, %d rows in blocks; milliseconds, median of %d\n" % (size["d"], size["b"], args.times))
    print("| Endpoint | here | real kernel | ratio |\n|---|---:|---:|---:|")
    for path, arguments, real in CALLS:
        text = json.dumps(arguments)
        for name, value in names.items():
            text = text.replace(name, value)
        took = []
        for _ in range(args.times):
            start = time.perf_counter()
            kernel.call(path, json.loads(text))
            took.append((time.perf_counter() - start) * 1000)
        hint = next((" `%s`" % v for k, v in arguments.items() if k in ("stmt", "query")), "")
        here = statistics.median(took)
        print("| `%s`%s | %.2f | %.2f | %.2f |" % (path, hint.replace("$block", "…"), here, real, here / real))


if __name__ == "__main__":
    main()
