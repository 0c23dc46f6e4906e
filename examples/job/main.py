"""Runs once: finds the most frequent words of a text and prints them. Exit code 0 means the job is completed."""

import json
import sys
from collections import Counter
from pathlib import Path

TEXT = Path(__file__).with_name("text.txt")


def main() -> int:
    words = [word.strip(".,;:!?").lower() for word in TEXT.read_text(encoding="utf-8").split()]
    print(f"INFO read {len(words)} words", flush=True)
    result = {word: count for word, count in Counter(words).most_common(5)}
    print(json.dumps(result))
    return 0


if __name__ == "__main__":
    sys.exit(main())
