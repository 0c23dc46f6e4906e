"""The model: a script that speaks like a chat API with tools, so that the agent runs anywhere.

To use a real one, let `complete` send `messages` and `tools` to any OpenAI-style API and return its message.
"""

import json
import re


def complete(messages: list[dict], tools: list[dict]) -> dict:
    """The next message of the assistant: tool calls, or an answer once it has their results."""
    results = [message["content"] for message in messages if message["role"] == "tool"]
    if results:
        return {"role": "assistant", "content": " ".join(results)}
    offered = {tool["function"]["name"] for tool in tools}
    wanted = [one for one in wishes(messages[-1]["content"]) if one[0] in offered]
    if not wanted:
        return {"role": "assistant", "content": "I can calculate, count words and tell the time. Which shall it be?"}
    return {"role": "assistant", "content": None, "tool_calls": [tool_call(number, *one) for number, one in enumerate(wanted, 1)]}


def wishes(prompt: str) -> list[tuple[str, dict]]:
    """Which tools a prompt asks for, and with what."""
    found: list[tuple[str, dict]] = []
    if sum_ := re.search(r"-?[\d.(][\d.()\s+*/-]*[+*/-][\d.()\s+*/-]*[\d.)]", prompt):
        found.append(("calculate", {"expression": sum_.group().strip()}))
    if text := re.search(r"words? (?:are |is )?in:?\s*[\"“']?(.+?)[\"”']?\s*$", prompt, re.IGNORECASE):
        found.append(("count_words", {"text": text.group(1)}))
    if re.search(r"\b(time|date|day)\b", prompt, re.IGNORECASE):
        found.append(("current_time", {}))
    return found


def tool_call(number: int, name: str, arguments: dict) -> dict:
    return {"id": f"call_{number}", "type": "function", "function": {"name": name, "arguments": json.dumps(arguments)}}
