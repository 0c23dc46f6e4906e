// The agent's mind: rules instead of a model, so that it runs without a key.
// To use a model, make `reply` call it and return its text.

const rules = [
  [/\b(hi|hello|hey|good (morning|evening))\b/i, () => 'Hello! I am a small agent running on Paddock. Ask me what I can do.'],
  [/\b(what|help)\b.*\b(do|can|help)\b|^help$/i, () => 'I tell the time, do small sums such as 12 * 7, and repeat what I do not understand.'],
  [/\btime\b|\bdate\b/i, () => `It is ${new Date().toUTCString()}.`],
  [/(-?\d+(?:\.\d+)?)\s*([-+*/])\s*(-?\d+(?:\.\d+)?)/, (match) => sum(match)],
  [/\b(thanks|thank you)\b/i, () => 'You are welcome.'],
];

/** The answer to a conversation: `[{ role, content }, …]`, the newest message last. */
export function reply(messages) {
  const said = text(messages.findLast(({ role }) => role === 'user')?.content);
  for (const [pattern, answer] of rules) {
    const match = pattern.exec(said);
    if (match) return answer(match);
  }
  return said ? `You said: “${said}”. Try “help”.` : 'Say something and I will answer.';
}

/** A message's content is a string or a list of parts. */
function text(content) {
  if (!Array.isArray(content)) return String(content ?? '').trim();
  return content.map((part) => part.text ?? '').join(' ').trim();
}

function sum([expression, a, operator, b]) {
  const results = { '+': +a + +b, '-': a - b, '*': a * b, '/': a / b };
  return `${expression} = ${results[operator]}`;
}
