#!/usr/bin/env python3
"""Print the requested endpoints that a demo kernel does not have.

    skipped.py --url http://127.0.0.1:6806

Reads the demo kernel's log of requests, after a replay for example. Only the standard library is used.
"""

import argparse
import json
import urllib.request


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--url", required=True)
    # Loopback only: no proxy from the environment.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with opener.open(p.parse_args().url.rstrip("/") + "/demo/log", timeout=30) as answer:
        log = json.load(answer)
    missing = sorted({entry["path"] for entry in log if entry["status"] == 501})
    print("%d endpoints skipped%s" % (len(missing), ": " + ", ".join(missing) if missing else ""))


if __name__ == "__main__":
    main()
