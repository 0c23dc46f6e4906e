"""What the agent can do, as functions and as the description that a model reads."""

import ast
import operator
from datetime import datetime, timezone

OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.USub: operator.neg,
}


def calculate(expression: str) -> str:
    """Work out a sum of numbers with + - * / and brackets."""
    return f"{expression} = {evaluate(ast.parse(expression, mode='eval').body):g}."


def count_words(text: str) -> str:
    """Count the words of a text."""
    return f"The text has {len(text.split())} words."


def current_time() -> str:
    """Tell the time in UTC."""
    return f"It is {datetime.now(timezone.utc):%A, %d %B %Y, %H:%M} UTC."


def evaluate(node: ast.AST) -> float:
    """Walks the parsed sum instead of running it: a model's arguments are not to be trusted."""
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return node.value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](evaluate(node.left), evaluate(node.right))
    if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](evaluate(node.operand))
    raise ValueError("only numbers, + - * / and brackets")


FUNCTIONS = {function.__name__: function for function in (calculate, count_words, current_time)}
PARAMETERS = {"calculate": ["expression"], "count_words": ["text"], "current_time": []}

TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": function.__doc__,
            "parameters": {
                "type": "object",
                "properties": {parameter: {"type": "string"} for parameter in PARAMETERS[name]},
                "required": PARAMETERS[name],
            },
        },
    }
    for name, function in FUNCTIONS.items()
]


def call(name: str, arguments: dict) -> str:
    """Runs a tool. An error is an answer too: the model can read it and try again."""
    try:
        return FUNCTIONS[name](**arguments)
    except (KeyError, TypeError, ValueError, ArithmeticError, SyntaxError) as error:
        return f"{name} failed: {error}"
