"""Replays calls through the official Python client, over stdio and HTTP and in both eras; prints the results as JSON.

Input: {"url", "command", "env", "calls": [[tool, arguments], ...]} on stdin.
"""

import asyncio
import json
import os
import sys

from mcp import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

ERAS = {"legacy": "legacy", "modern": "2026-07-28"}


async def replay(server, mode, calls):
    """The texts of each call, and whether it failed."""
    results = []
    async with Client(server, mode=mode) as client:
        # The client checks structured results against the schemas that it was given here.
        await client.list_tools()
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)
            texts = [getattr(item, "text", None) for item in result.content]
            results.append({"failed": bool(result.is_error), "texts": texts})
    return results


async def main():
    asked = json.load(sys.stdin)
    stdio = StdioServerParameters(
        command=asked["command"], args=["stdio"], env={**os.environ, **{name: value for name, value in asked["env"].items() if value}}
    )
    results = {}
    for era, mode in ERAS.items():
        results[f"python, http, {era}"] = await replay(asked["url"], mode, asked["calls"])
        results[f"python, stdio, {era}"] = await replay(stdio_client(stdio), mode, asked["calls"])
    json.dump(results, sys.stdout)


asyncio.run(main())
