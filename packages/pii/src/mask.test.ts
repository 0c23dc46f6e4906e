import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { detect, mask, projectTokenKey, redact, tokeniser } from './index.ts';

const json = (text: string, replacement?: (type: string, value: string) => string) => mask(text, { format: 'json', replacement }).text;
const ssn = '123-45-6789';

test('a masked document is valid JSON, and only its values have changed', () => {
  const words = fc.constantFrom(
    ssn,
    'ada@example.org',
    '4111 1111 1111 1111',
    'a "quote" \\ and\nmore',
    'plain',
    '',
    '\u0000',
    '😀',
    '\ud800',
    '{"a":1}',
  );
  const keys = fc.oneof(fc.constantFrom('ssn', 'email', 'card', 'note', 'about', 'ada@example.org', 'a"b'), fc.string());
  const numbers = fc.constantFrom(123456789, 4111111111111111, -1.5e10, 0);
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      words,
      numbers,
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(keys, tie('tree'), { maxKeys: 4 }),
    ),
  }));
  const spaces = fc.constantFrom(undefined, 2, '\t');
  fc.assert(
    fc.property(tree, spaces, (value, space) => {
      const text = JSON.stringify(value, null, space);
      const masked = json(text);
      assert.doesNotThrow(() => JSON.parse(masked), `${text} became ${masked}`);
      for (const secret of [ssn, '@example.org', '4111 1111']) assert.ok(!masked.includes(secret), masked);
      if (detect(text).length === 0) assert.equal(masked, text);
    }),
    { numRuns: 300, seed: 7 },
  );
});

test('a number becomes a text, because a mask is no number', () => {
  assert.equal(json('{"ssn":123456789,"n":1}'), '{"ssn":"[SSN]","n":1}');
  assert.equal(json('[ {"card": 4111111111111111} ]'), '[ {"card": "[CREDIT_CARD]"} ]');
});

test('documents in strings stay valid, too, down to the arguments of a tool', () => {
  const inner = JSON.stringify({ ssn: 123456789, to: ['ada@example.org'] });
  const masked = json(JSON.stringify({ tool: { arguments: inner, deeper: JSON.stringify({ arguments: inner }) } }));
  const outer = JSON.parse(masked) as { tool: { arguments: string; deeper: string } };
  const expected = { ssn: '[SSN]', to: ['[EMAIL]'] };
  assert.deepEqual(JSON.parse(outer.tool.arguments), expected);
  assert.deepEqual(JSON.parse((JSON.parse(outer.tool.deeper) as { arguments: string }).arguments), expected);
});

test('a replacement with quotes and line feeds is escaped as often as it must be', () => {
  const text = JSON.stringify({ a: JSON.stringify({ email: 'ada@example.org' }) });
  const masked = JSON.parse(json(text, () => '"\n\\')) as { a: string };
  assert.deepEqual(JSON.parse(masked.a), { email: '"\n\\' });
});

test('values behind escapes are found where they stand', () => {
  const text = '{"a":"x\\n\\u0061da\\u0040example.org \\ud83d\\ude00 123-45-6789\\""}';
  assert.equal(json(text), '{"a":"x\\n[EMAIL] \\ud83d\\ude00 [SSN]\\""}');
});

test('an address that is a key is masked as well', () => {
  assert.equal(json('{"ada@example.org":{"n":1}}'), '{"[EMAIL]":{"n":1}}');
});

test('documents in prose, several in a row, and documents that break off keep what their keys say', () => {
  assert.equal(json('INFO got {"ssn":123456789} from 10.20.30.40'), 'INFO got {"ssn":"[SSN]"} from [IP_ADDRESS]');
  assert.equal(json('{"ssn":123456789}\n{"ssn":"123456789"}\n'), '{"ssn":"[SSN]"}\n{"ssn":"[SSN]"}\n');
  assert.equal(json('{"ssn":"123456789","dob":"1985-03-12","note":"cut o'), '{"ssn":"[SSN]","dob":"[DATE_OF_BIRTH]","note":"cut o');
  assert.equal(json("{'ssn': '123-45-6789'}"), "{'ssn': '[SSN]'}");
});

test('deep nesting is walked to a bound and read as text beyond', () => {
  const deep = `${'['.repeat(5000)}"ada@example.org"${']'.repeat(5000)}`;
  assert.equal(json(deep), deep.replace('ada@example.org', '[EMAIL]'));
});

test('columns of a table are keys of its cells', () => {
  const rows = Array.from({ length: 20 }, (_, at) => `"Person ${at}",${123456780 + at},note\n`).join('');
  assert.equal(json(`name,ssn,about\n${rows}`).match(/\[SSN\]/g)?.length, 20, 'also those far from the name of the column');
  assert.equal(json('name,ssn,born\nAda,123456789,1985-03-12\n"Bob",234567890,1990-01-02\n').match(/\[SSN\]/g)?.length, 2);
  assert.equal(json('| email | ssn |\n|---|---|\n| x | 123456789 |\n'), '| email | ssn |\n|---|---|\n| x | [SSN] |\n');
});

test('only the wanted types are masked', () => {
  const options = { format: 'text', types: new Set(['Email'] as const) } as const;
  assert.equal(mask('ada@example.org 123-45-6789', options).text, '[EMAIL] 123-45-6789');
});

test('look-alike characters hide nothing, and offsets are those of the text as it was given', () => {
  for (const text of ['ＳＳＮ １２３-４５-６７８９!', 'x 123\u200b-45\u2011678\u00ad9!', 'my\u00a0SSN 𝟏𝟐𝟑-45-6789!']) {
    const [finding] = detect(text);
    assert.equal(finding?.type, 'SSN', text);
    assert.equal(redact(text, detect(text)).at(-2), ']');
    assert.ok(text.slice(finding.start, finding.end).endsWith(text.at(-2)!));
  }
});

test('a token is the same for the same value however it is written, and another one under another key', () => {
  const token = tokeniser(new Uint8Array(32).fill(1));
  assert.match(token('Email', 'Ada@Example.org'), /^\[EMAIL:[a-z2-9]{8}\]$/);
  assert.equal(token('Email', 'Ada@Example.org'), token('Email', 'ada@example.ORG'));
  assert.equal(token('SSN', '123-45-6789'), token('SSN', '123 45 6789'));
  assert.notEqual(token('SSN', '123-45-6789'), token('SSN', '123-45-6780'));
  assert.notEqual(token('SSN', '123-45-6789'), tokeniser(new Uint8Array(32))('SSN', '123-45-6789'));
  const ofProject = (id: string) => tokeniser(projectTokenKey(new Uint8Array(32).fill(1), id))('SSN', '123-45-6789');
  assert.equal(ofProject('prj_1'), ofProject('prj_1'));
  assert.equal(new Set([token('SSN', '123-45-6789'), ofProject('prj_1'), ofProject('prj_2')]).size, 3);
});

test('controls, bytes that are no text and escape sequences hide no value, and what a terminal needs stays behind its mask', () => {
  const cases = [
    ['4111\u0001 1111 1111\u0000 1111', '[CREDIT_CARD]'],
    ['ada@exa\u007fmple.com', '[EMAIL]'],
    ['ada@exa\ufffdmple.com', '[EMAIL]'],
    ['4111 1111\udcff 1111 1111', '[CREDIT_CARD]'],
    ['💀 4111 1111 1111 1111 💀', '💀 [CREDIT_CARD] 💀'],
    ['\u001b[1m4111\u001b[0m 1111\u001b[38;2;255;0;0m 1111 1111\u001b[0m', '\u001b[1m[CREDIT_CARD]\u001b[0m\u001b[38;2;255;0;0m\u001b[0m'],
    ['4111\u009b31m 1111 1111 1111', '[CREDIT_CARD]\u009b31m'],
    ['4111 \u001b]8;;http://x.example\u001b\\1111\u001b]8;;\u001b\\ 1111\u001b(B 1111', '[CREDIT_CARD]\u001b(B'],
    ['\u001b]8;;mailto:ada@example.com\u0007here', '\u001b]8;;mailto:[EMAIL]\u0007here'],
    ['\u001b]0;ada@example.com', '\u001b]0;[EMAIL]'],
    ['4111 1111 1111 111\u001b1', '[CREDIT_CARD]'],
    ['{"card":"4111\\u001b[31m 1111 1111 1111\\u001b[0m"}', '{"card":"[CREDIT_CARD]\\u001b[31m\\u001b[0m"}'],
  ] as const;
  for (const [text, expected] of cases) assert.equal(mask(text, { format: 'json' }).text, expected, JSON.stringify(text));
});
