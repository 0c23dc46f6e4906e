import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shownText } from './terminal-text.ts';

test("a stranger's text is shown as one line without anything that acts, hides or turns around", () => {
  assert.equal(shownText('chat\u202e gnp.exe\u2066 \u200bnow'), 'chat gnp.exe now');
  assert.equal(shownText('\x1b[2J\x1b]0;title\x07red\x00'), 'red');
  assert.equal(shownText('  one\r\ntwo\tthree '), 'one  two three');
  assert.equal(shownText('Grüße 😀'), 'Grüße 😀');
});

test("a stranger's text is cut by letters, so that none is halved, and says that it was cut", () => {
  assert.equal(shownText('😀😀😀', 2), '😀😀…');
  assert.equal(shownText('😀😀', 2), '😀😀');
  assert.equal(shownText('x'.repeat(1_000_000), 5), 'xxxxx…');
  assert.equal(shownText(`${'\u200b'.repeat(1_000_000)}name`, 5), '…');
});
