import { expect, test } from 'vitest';
import { extractContents, isLong, parseMessages } from './content-text.ts';

test('prompts of either generation of the conventions read as a conversation', () => {
  expect(parseMessages('[{"role":"user","content":"hello"}]')).toEqual([{ role: 'user', text: 'hello' }]);
  expect(
    parseMessages('[{"role":"user","parts":[{"type":"text","content":"hi"},{"type":"tool_call","name":"look_up","arguments":{"a":1}}]}]'),
  ).toEqual([{ role: 'user', text: 'hi\n{\n  "type": "tool_call",\n  "name": "look_up",\n  "arguments": {\n    "a": 1\n  }\n}' }]);
  expect(parseMessages('[{"role":"user","content":[{"type":"text","text":"one"},{"type":"text","text":"two"}]}]')).toEqual([
    { role: 'user', text: 'one\ntwo' },
  ]);
});

test('what is no conversation is none: half of a document, other lists, other values', () => {
  for (const text of ['', '[', '[]', '{"role":"user"}', '[1,2]', '[null]', '[{"role":7}]', 'hello'])
    expect(parseMessages(text)).toBeUndefined();
});

test('a long text gets a place of its own and a short one does not; JSON is indented, and nothing in it hides', () => {
  expect(isLong('short')).toBe(false);
  expect(isLong(12)).toBe(false);
  expect(isLong('line\n'.repeat(9))).toBe(true);
  const [content, ...others] = extractContents({ short: 'x', long: `{"a":"${'b'.repeat(400)}\u202e"}`, number: 3 });
  expect(others).toEqual([]);
  expect(content?.text).toBe(`{\n  "a": "${'b'.repeat(400)}"\n}`);
  expect(content?.value).toContain('\u202e');
});
