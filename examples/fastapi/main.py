"""An agent with typed requests: it sums up a text by its most telling sentences."""

import logging
import re
from collections import Counter

from fastapi import FastAPI
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field

logging.basicConfig(level=logging.INFO, format="%(levelname)s %(name)s: %(message)s")
log = logging.getLogger("summary")

app = FastAPI(title="Summary agent", description="Sums up a text by its most telling sentences.", version="1.0.0")


class Invocation(BaseModel):
    text: str = Field(min_length=1, max_length=100_000, examples=["Cats sleep a lot. Cats purr. Dogs bark."])
    sentences: int = Field(default=2, ge=1, le=20, description="How many sentences the summary may have.")


class Summary(BaseModel):
    summary: str
    sentences_read: int


@app.post("/invocations")
def invoke(request: Invocation) -> Summary:
    """Sum up a text."""
    sentences = re.split(r"(?<=[.!?])\s+", request.text.strip())
    summary = " ".join(most_telling(sentences, request.sentences))
    log.info("summed up %d sentences in %d characters", len(sentences), len(summary))
    return Summary(summary=summary, sentences_read=len(sentences))


@app.get("/ping")
def ping() -> dict[str, str]:
    """Say that the agent is well."""
    return {"status": "Healthy"}


@app.get("/", include_in_schema=False)
def home() -> RedirectResponse:
    return RedirectResponse("/docs")


def most_telling(sentences: list[str], count: int) -> list[str]:
    """The sentences whose words are the most frequent in the whole text, in their own order."""
    frequency = Counter(word for sentence in sentences for word in words(sentence))

    def weight(index: int) -> float:
        found = words(sentences[index])
        return sum(frequency[word] for word in found) / max(len(found), 1)

    best = sorted(range(len(sentences)), key=weight, reverse=True)[:count]
    return [sentences[index] for index in sorted(best)]


def words(sentence: str) -> list[str]:
    return re.findall(r"\w{4,}", sentence.lower())
