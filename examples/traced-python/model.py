"""A model that is a script: it answers the OpenAI client without key and network, the same way every time."""

import json
import time

import httpx2

USAGE = {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150, "prompt_tokens_details": {"cached_tokens": 20}}


def answer(request: httpx2.Request) -> httpx2.Response:
    """What the client gets instead of the network's answer: first it wants a tool, then it answers with the tool's result."""
    asked = json.loads(request.content)
    results = [message["content"] for message in asked["messages"] if message["role"] == "tool"]
    if results:
        message = {"role": "assistant", "content": f"Your question has {results[-1]} words."}
    else:
        arguments = json.dumps({"text": asked["messages"][0]["content"]})
        call = {"id": "call_1", "type": "function", "function": {"name": "count_words", "arguments": arguments}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
    choice = {"index": 0, "message": message, "finish_reason": "stop" if results else "tool_calls"}
    return httpx2.Response(
        200,
        json={
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": int(time.time()),
            "model": asked["model"],
            "choices": [choice],
            "usage": USAGE,
        },
    )


scripted = httpx2.MockTransport(answer)
