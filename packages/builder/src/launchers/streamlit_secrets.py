"""Gives a Streamlit app its secrets from variables: streamlit_secrets.py NAME,NAME -- COMMAND. Each is the variable of that name, or of that name in capitals."""

import json
import os
import sys

names = sys.argv[1].split(",")
command = sys.argv[sys.argv.index("--") + 1 :]
found = {name: os.environ.get(name, os.environ.get(name.upper())) for name in names}
lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}\n" for name, value in found.items() if value is not None]
folder = os.path.join(os.path.expanduser("~"), ".streamlit")
if lines:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    # A file that the archive brings has the last word: Streamlit reads it later.
    with open(os.open(os.path.join(folder, "secrets.toml"), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as file:
        file.writelines(lines)
os.execvp(command[0], command)
