#!/bin/sh
# Two tools for Tenon. `tools.sh list` declares them, `tools.sh call NAME` runs one with its arguments on stdin.
set -eu

list() {
  cat <<'JSON'
[
  {
    "name": "count_endings",
    "description": "Counts the files of the working directory by the ending of their names.",
    "parameters": { "type": "object", "properties": {} }
  },
  {
    "name": "find_program",
    "description": "Tells where a program is installed.",
    "parameters": {
      "type": "object",
      "properties": { "name": { "type": "string", "pattern": "^[A-Za-z0-9._-]+$" } },
      "required": ["name"]
    }
  }
]
JSON
}

count_endings() {
  find . -maxdepth 1 -type f -name '*.*' | sed 's/.*\.//' | sort | uniq -c | sort -rn
}

# Enough for values that need no escapes, as the pattern above has it; take jq for anything more.
field() {
  sed -n "s/.*\"$1\" *: *\"\\([A-Za-z0-9._-]*\\)\".*/\\1/p"
}

find_program() {
  name=$(field name)
  command -v -- "$name" || {
    echo "$name is not installed." >&2
    exit 1
  }
}

case "${1-} ${2-}" in
  'list ') list ;;
  'call count_endings') count_endings ;;
  'call find_program') find_program ;;
  *)
    echo 'usage: tools.sh list | tools.sh call NAME' >&2
    exit 2
    ;;
esac
