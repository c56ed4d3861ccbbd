#!/usr/bin/env python3
"""Two tools for Tenon. `tools.py list` declares them, `tools.py call NAME` runs one with its arguments on stdin."""

import json
import sys
from datetime import date


def count_words(text):
    return {"words": len(text.split()), "lines": len(text.splitlines())}


def days_between(first, last):
    return (date.fromisoformat(last) - date.fromisoformat(first)).days


TEXT = {"type": "string"}
DAY = {"type": "string", "format": "date"}
TOOLS = {
    "count_words": (count_words, "Counts the words and lines of a text.", {"text": TEXT}),
    "days_between": (days_between, "Days from one date to another (YYYY-MM-DD).", {"first": DAY, "last": DAY}),
}


def declaration(name):
    _, description, properties = TOOLS[name]
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"name": name, "description": description, "parametersJsonSchema": parameters}


def main(words):
    if words == ["list"]:
        json.dump([declaration(name) for name in TOOLS], sys.stdout)
    elif len(words) == 2 and words[0] == "call" and words[1] in TOOLS:
        function = TOOLS[words[1]][0]
        print(json.dumps(function(**json.load(sys.stdin))))
    else:
        sys.exit("usage: tools.py list | tools.py call NAME")


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except ValueError as error:
        # The model reads this, and the exit code tells it that the call failed.
        sys.exit(f"Not a usable argument: {error}")
