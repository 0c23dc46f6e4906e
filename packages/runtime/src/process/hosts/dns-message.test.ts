import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import packet from 'dns-packet';
import { maxQuestion, readAnswer, readQuestion, writeAnswer, writeQuestion } from './dns-message.ts';

const ask = (name: string, more: Partial<packet.Packet> = {}) =>
  packet.encode({ type: 'query', id: 7, flags: packet.RECURSION_DESIRED, questions: [{ name, type: 'A', class: 'IN' }], ...more });

test('a question is read in lower case, with the room that its asker has', () => {
  assert.deepEqual(readQuestion(ask('API.Example.COM')), { id: 7, name: 'api.example.com', type: 'A', room: 512 });
  const additionals = [
    {
      type: 'OPT' as const,
      name: '.' as const,
      udpPayloadSize: 60_000,
      extendedRcode: 0,
      ednsVersion: 0,
      flags: 0,
      flag_do: false,
      options: [],
    },
  ];
  assert.equal(readQuestion(ask('a.example', { additionals }))?.room, 1_232);
});

test('what is no plain question for the name of a host is passed over', () => {
  const two = [
    { name: 'a.example', type: 'A' as const },
    { name: 'b.example', type: 'A' as const },
  ];
  for (const bytes of [
    Buffer.alloc(0),
    Buffer.alloc(11),
    ask('a.example', { type: 'response' }),
    ask('a.example', { questions: [] }),
    ask('a.example', { questions: two }),
    ask('a.example', { flags: 0x2800 }),
    ask('a b.example'),
    ask('a.example', { questions: [{ name: 'a.example', type: 'A', class: 'CH' }] }),
    Buffer.concat([ask('a.example'), Buffer.alloc(maxQuestion)]),
  ])
    assert.equal(readQuestion(bytes), undefined, bytes.toString('hex').slice(0, 80));
  // A name whose compression pointer leads back to itself.
  assert.equal(readQuestion(Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1])), undefined);
});

test('a dot inside a label is asked for as the name that was judged', () => {
  const label = Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 3, 0x61, 0x2e, 0x62, 3, 0x63, 0x6f, 0x6d, 0, 0, 1, 0, 1]);
  const question = readQuestion(label)!;
  assert.equal(question.name, 'a.b.com');
  assert.equal(writeQuestion(question, 1).indexOf(Buffer.from([1, 0x61, 1, 0x62, 3, 0x63, 0x6f, 0x6d, 0])), 12);
});

test('no bytes break the reader', () => {
  const whole = ask('api.example.com');
  for (let round = 0; round < 5_000; round++) {
    const bytes = round % 2 ? randomBytes(round % 300) : Buffer.from(whole);
    if (bytes.length > 2) bytes[round % bytes.length] = round % 256;
    readQuestion(bytes);
    readAnswer(bytes, { id: 7, name: 'api.example.com', type: 'A' });
  }
});

test('an answer counts for its own question alone, and what does not fit says that it was cut short', () => {
  const asked = { name: 'api.example.com', type: 'A' as const };
  const answers = Array.from({ length: 40 }, (_, n) => ({ type: 'A' as const, name: asked.name, ttl: 60, data: `192.0.2.${n}` }));
  const question = readQuestion(writeQuestion(asked, 9))!;
  const whole = writeAnswer(question, { code: 'NOERROR', answers }, 65_535);
  assert.equal(readAnswer(whole, { ...asked, id: 9 })?.answers.length, 40);
  for (const other of [
    { ...asked, id: 8 },
    { ...asked, id: 9, name: 'b.example' },
    { ...asked, id: 9, type: 'MX' as const },
  ])
    assert.equal(readAnswer(whole, other), undefined);
  const cut = readAnswer(writeAnswer(question, { code: 'NOERROR', answers }, 512), { ...asked, id: 9 });
  assert.deepEqual(cut, { code: 'NOERROR', answers: [], isTruncated: true });
});
