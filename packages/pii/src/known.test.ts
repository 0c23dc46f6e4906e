import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detect, detectInSlices, known, mask } from './index.ts';

test('a value once found is masked wherever it comes up again, in other words and other groups of digits', () => {
  const values = known();
  mask('{"ssn":123456789,"email":"ada@example.org"}', { format: 'json', known: values });
  const later = mask('{"a":"code 123 45 6789","b":"ADA@EXAMPLE.ORG/x","c":"1234567890"}', { format: 'json', known: values });
  assert.equal(later.text, '{"a":"code [SSN]","b":"[EMAIL]/x","c":"1234567890"}');
});

test('a copy before the place where a value is recognised is masked, too', () => {
  const text = '123456789 came first; later we learn that 123456789 is his SSN: 123456789';
  assert.ok(!mask(text, { format: 'text', known: known() }).text.includes('123456789'));
});

test('only whole words are copies', () => {
  const values = known();
  values.add('Name', 'Ann Lee');
  assert.deepEqual(
    values.find('Ann Lee, ann  lee, Annie Lee, Ann Leeds').map(({ start, end }) => [start, end]),
    [
      [0, 7],
      [9, 17],
    ],
  );
});

test('a first name alone is a copy only with its capital, and a list of numbers is no copy of an address', () => {
  const values = known();
  values.add('Name', 'Will');
  values.add('IP Address', '10.0.0.1');
  assert.equal(values.find('he will go, [10, 0, 0, 1]').length, 0);
  assert.equal(values.find('Will at 10.0.0.1').length, 2);
});

test('the values kept are bounded in number, length and size', () => {
  const values = known();
  assert.equal(values.add('Name', 'x'.repeat(300)), false);
  assert.equal(values.add('SSN', '12'), false);
  for (let at = 0; at < 2000; at++) values.add('Email', `user${at}@example.org`);
  assert.equal(values.size, 1000);
  const large = known();
  for (let at = 0; at < 1000; at++) large.add('Address', `${at} ${'street '.repeat(30)}`);
  assert.ok(large.size < 320);
});

test('a long text read in slices gives what it gives as a whole', () => {
  const line = 'Nothing to see in this line of text, it is only here to fill the slices up to their ends. ';
  const text = Array.from(
    { length: 900 },
    (_, at) => `${line.slice(at % 50)}ada${at}@example.org, call (212) 555-0147, SSN 123-45-6789. `,
  ).join('');
  const slices = [...detectInSlices(text)];
  assert.ok(slices.length > 10);
  assert.deepEqual(slices.flat(), detect(text));
});
