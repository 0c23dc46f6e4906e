import { expect, test } from 'vitest';
import { markSpans, parseAnsiSpans, plainText } from './ansi.ts';

test('colours become spans in tokens that both themes know', () => {
  expect(parseAnsiSpans('a \x1b[31mred\x1b[0m \x1b[1;92mgreen\x1b[0m')).toEqual([
    { text: 'a ' },
    { text: 'red', color: 'var(--error-fg)' },
    { text: ' ' },
    { text: 'green', color: 'var(--success-fg)', bold: true },
  ]);
});

test('free colours keep their hue and are held where text stays readable', () => {
  expect(parseAnsiSpans('\x1b[38;2;1;2;3mx')[0]?.color).toContain('from rgb(1, 2, 3) min(l, 0.5)');
  expect(parseAnsiSpans('\x1b[38;5;196mx')[0]?.color).toContain('rgb(255, 0, 0)');
});

test.each([
  ['cursor movement', 'a\x1b[2K\x1b[1;1Hb', 'ab'],
  ['a window title', 'a\x1b]0;owned\x07b', 'ab'],
  ['a link', '\x1b]8;;https://example.test\x1b\\text\x1b]8;;\x1b\\', 'text'],
  ['a device string', 'a\x1bPq#0\x1b\\b', 'ab'],
  ['a bell and a backspace', 'a\x07\x08b', 'ab'],
  ['eight-bit controls', 'a\x9b31mb', 'a31mb'],
  ['an escape at the end', 'ab\x1b', 'ab'],
])('%s leaves no trace', (_, message, shown) => {
  expect(plainText(message)).toBe(shown);
  expect(
    parseAnsiSpans(message)
      .map(({ text }) => text)
      .join(''),
  ).toBe(shown);
});

test('an unclosed control string cannot hide the rest of the line', () => {
  expect(plainText('before \x1b]0;evil: still here')).toContain('still here');
});

test('of a progress bar the last state stays, in the colour that was set before', () => {
  expect(plainText(' 10 %\r 50 %\r100 % done')).toBe('100 % done');
  expect(plainText('100 %\r')).toBe('100 %');
  expect(parseAnsiSpans('\x1b[32m10 %\r20 %')).toEqual([{ text: '20 %', color: 'var(--success-fg)' }]);
});

test('markup in a line stays text', () => {
  expect(parseAnsiSpans('<img src=x onerror=alert(1)>')).toEqual([{ text: '<img src=x onerror=alert(1)>' }]);
});

test('a match across colours is marked in each of them', () => {
  expect(markSpans([{ text: 'abc' }, { text: 'def', color: 'red' }], [[2, 4]])).toEqual([
    { text: 'ab' },
    { text: 'c', isMatch: true },
    { text: 'd', color: 'red', isMatch: true },
    { text: 'ef', color: 'red' },
  ]);
});
