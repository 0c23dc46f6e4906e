"""Finds values with Presidio as it comes: one JSON line {"text": …} in, one line with its findings out. Offsets count UTF-16 units."""

import json
import sys

from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

model = sys.argv[1]
engine = NlpEngineProvider(
    nlp_configuration={"nlp_engine_name": "spacy", "models": [{"lang_code": "en", "model_name": model}]}
).create_engine()
analyzer = AnalyzerEngine(nlp_engine=engine, supported_languages=["en"])


def utf16(text, at):
    return len(text[:at].encode("utf-16-le")) // 2


for line in sys.stdin:
    text = json.loads(line)["text"]
    found = analyzer.analyze(text, language="en")
    print(
        json.dumps([[one.entity_type, utf16(text, one.start), utf16(text, one.end), one.score] for one in found]),
        flush=True,
    )
