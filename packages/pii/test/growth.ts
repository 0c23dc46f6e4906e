import assert from 'node:assert/strict';

const KIB = 1024;
/** Sixteen times as long: linear work takes 16 times as long, quadratic work 256 times. */
const SHORT = 8 * KIB;
const LONG = 16 * SHORT;
const MOST = 64;
/** Shorter times are not noticed, and garbage collection takes as long as the work. */
const ALWAYS_FINE_MS = 250;
const REPEATS = 3;

/**
 * Fails when work grows clearly more than linearly with the length of its text. Measures the processor time of this thread and takes the
 * minimum of several attempts, so that a busy machine makes no difference.
 */
export function growsLinearly(what: string, piece: string, work: (text: string) => unknown, long = LONG): void {
  const make = (length: number) => piece.repeat(Math.ceil(length / piece.length));
  const large = make(long);
  const once = spent(work, large);
  if (once <= ALWAYS_FINE_MS) return;
  const small = least(work, make(long / 16));
  const bound = Math.max(ALWAYS_FINE_MS, MOST * small);
  const most = once <= bound ? once : least(work, large);
  assert.ok(most <= bound, `${told(what, long, most)}, ${small.toFixed(1)} ms for ${long / 16}`);
}

const told = (what: string, length: number, ms: number) => `${what}: ${ms.toFixed(1)} ms of processor time for ${length} characters`;

const least = (work: (text: string) => unknown, text: string) => Math.min(...Array.from({ length: REPEATS }, () => spent(work, text)));

function spent(work: (text: string) => unknown, text: string): number {
  const before = process.threadCpuUsage();
  work(text);
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** Texts that make each rule examine them closely, and beginnings of values that never end. */
// biome-ignore format: a list of texts
export const hostile = [
  '1', '0', '4', '12 ', '123 ', '4111 ', '4111 1111 1111 1111', '4111-', '4111111111111111 ', '4111 1111 1111 1112 card ', '378282246310005,',
  '@', 'a@', 'a@a@a@', 'a.', '.', '@a.', 'a@b.c', 'a@b.co', 'a-', 'a@-', '"@', '"a"@', '%40', 'a%40b.', ' at ', ' dot ', 'a at b dot com ', 'a (at) b (dot) ', '(at)', '[at]', 'a.a@1.2.',
  '1.1.1.1.', '1.1.1.1 ', '1.', '255.255.255.255 ', '::', ':', 'a:', 'ffff:', '1::', '::1 ', '1:2:3:4:5:6:7:8 ', 'f', '::ffff:1.1.1.1.', 'fe80::1%',
  '(', '(((', '(1', '(212) ', '+', '+1', '+1 ', '+1 (212) 555-0147 x', '212-555-0147 ext. ', '030/', '06 12 34 56 78 ', '555-', '1-', '1 (1) ', '001-', 'x1', 'tel ', 'phone 1 ',
  '123-45-6789 ', '123-', '123-45-', 'ssn 123456789 ', '123456789 ', '12/03/1985 ', '1985-03-12 ', 'born 12/03/1985 ', '12 ', '12. ', '12 March ', 'March 12 ', 'March ', '12 de marzo de ', 'dob ', '1985',
  'A', 'Aa ', 'Mr ', 'Mr Mr ', 'Aa Aa, ', 'MY NAME IS ', 'my name is ', 'Dear ', '12 Aa St', '12 Aa St ', 'Street ', 'Calle ', 'Straße 5, ', 'P.O. Box ', ', CA 90210 ', 'é', 'É', 'aA',
  '{', '{"', '{"a', '{"a":', '{"a":"', '{"a":1,', '[', '[[', '["', '["a",', '[{"a":1},', '{"a":{', '{"a":"\\', '\\', '\\"', '\\u', '\\u0041', '{"a":"\\u00', '"', '",', '{ ', '{\n', '{"a":"{\\"a\\":\\"', '{"ssn":"',
  '{"1234567@":', '{"a":"b"}', '{"a":"\\x"}', '{"a ', 'a,b\n', 'a,', 'name,ssn\n', '1;2\n', '|', '| ', '\n', '\r\n', ' ', '\t', '\u200b', '1\u200b', '１', '\u00a0', '\u00ad', '𝟏', '\ud835', '’', '–', '￿',
  '\u0000', '1\u0001', '\u001b', '\u001b[', '\u001b[1;', '\u001b]', '\u001b]8;;', '4\u001b[1m', '\u009b', '\udcff', '0:"', 'a:', 'data: ', 'data:\r', '\r',
];
