import type { PlantedBug } from '../bug.ts';

const heads = 'apps/gateway/src/heads';
const headers = `${heads}/headers.test.ts`;
const strict = 'apps/gateway/src/relay/strict.test.ts';
const brokenAgents = 'apps/gateway/src/relay/broken-agents.test.ts';
const chunks = 'apps/gateway/src/bodies/chunks.ts';
const chunkTests = 'apps/gateway/src/bodies/cut-chunks.test.ts';

/** Of what the gateway refuses, what it passes on, and how it ends. */
export const gatewayBugs: PlantedBug[] = [
  {
    bug: 'headers that Connection names are passed on',
    promise: 'gateway: hop-by-hop headers stay here',
    file: `${heads}/request-head.ts`,
    from: 'head.kept = named === undefined ? kept : withoutNamed(kept, named);',
    to: 'head.kept = kept;',
    caught_by: { file: headers, test: 'hop-by-hop headers' },
  },
  {
    bug: 'what a visitor says of forwarding reaches the agent',
    promise: 'gateway: forwarding headers tell what it saw itself',
    file: `${heads}/request-head.ts`,
    from: "['x-forwarded', 'x-paddock-', 'paddock-'],",
    to: "['x-forwarded-none', 'x-paddock-', 'paddock-'],",
    caught_by: { file: headers, test: 'forwarding headers tell' },
  },
  {
    bug: 'a header with an underscore passes beside its twin with a dash',
    promise: 'gateway: forwarding headers tell what it saw itself',
    file: `${heads}/names.ts`,
    from: 'if (likeCgi) folded[underscore] = dash;',
    to: '',
    caught_by: { file: headers, test: 'forwarding headers tell' },
  },
  {
    bug: 'a name with an underscore means what its twin with a dash means',
    promise: 'gateway: nothing is passed on that two servers read differently',
    file: `${heads}/names.ts`,
    from: 'return hasUnderscore(name) ? DROP : candidate.meaning;',
    to: 'return candidate.meaning;',
    caught_by: { file: `${heads}/header-lines.test.ts`, test: 'to an agent a name with an underscore' },
  },
  {
    bug: 'chunks in HTTP/1.0 are passed on',
    promise: 'gateway: nothing is passed on that two servers read differently',
    file: `${heads}/request-head.ts`,
    from: "if (head.isChunked && head.minor === 0) return 'request_invalid';",
    to: '',
    caught_by: { file: strict, test: 'refused and closed: chunks in HTTP/1.0' },
  },
  {
    bug: 'a second length replaces the first one',
    promise: 'gateway: nothing is passed on that two servers read differently',
    file: `${heads}/request-head.ts`,
    from: "if (this.isChunked || this.length >= 0) return 'request_invalid';",
    to: "if (this.isChunked) return 'request_invalid';",
    caught_by: { file: strict, test: 'refused and closed: two lengths' },
  },
  {
    bug: 'an answer with a length and chunks is passed on',
    promise: 'gateway: an answer that two readers take differently reaches nobody',
    file: `${heads}/answer-head.ts`,
    from: "if (head.isChunked && head.length >= 0) return 'Content-Length beside Transfer-Encoding';",
    to: '',
    caught_by: { file: brokenAgents, test: "an agent's answer is refused: a length and chunks" },
  },
  {
    bug: 'a bare carriage return ends a header line',
    promise: 'gateway: nothing is passed on that two servers read differently',
    file: `${heads}/header-lines.ts`,
    from: 'if (text.charCodeAt(at) !== CR || text.charCodeAt(at + 1) !== LF) return BROKEN;',
    to: 'if (text.charCodeAt(at) !== CR) return BROKEN;',
    caught_by: { file: `${heads}/header-lines.test.ts`, test: 'a head is broken by a bare carriage return' },
  },
  {
    bug: 'the end of a head that two reads cut is not found',
    promise: 'gateway: a request is read the same however it is cut',
    file: `${heads}/head-finder.ts`,
    from: 'const start = from + Math.max(0, this.#searched - headEnd.length + 1);',
    to: 'const start = from + this.#searched;',
    caught_by: { file: `${heads}/head-finder.test.ts`, test: 'a head of 100 bytes is found' },
  },
  {
    bug: 'the extension of a chunk is passed on',
    promise: 'gateway: extensions and trailers of chunks end here',
    file: chunks,
    from: 'return byte !== SEMICOLON;',
    to: 'return true;',
    caught_by: { file: chunkTests, test: 'a chunked body reaches the other side the same wherever its reads are cut: extensions' },
  },
  {
    bug: 'a trailer is passed on',
    promise: 'gateway: extensions and trailers of chunks end here',
    file: chunks,
    from: 'if (!this.#keepsFraming) return false;',
    to: 'if (!this.#keepsFraming || this.#state >= TRAILER_START) return this.#keepsFraming;',
    caught_by: { file: chunkTests, test: 'a chunked body reaches the other side the same wherever its reads are cut: trailers' },
  },
  {
    bug: 'data behind an extension that was taken out stands in the wrong place',
    promise: 'gateway: bodies arrive as they were sent',
    file: chunks,
    from: 'else for (let n = 0; n < length; n += 1) bytes[to + n] = bytes[from + n]!;',
    to: 'else for (let n = 0; n < length; n += 1) bytes[to + n] = bytes[from + n + 1]!;',
    caught_by: { file: chunkTests, test: 'a chunked body reaches the other side the same wherever its reads are cut: quoted text' },
  },
  {
    bug: 'extensions and trailers have no limit',
    promise: 'gateway: a hostile body costs a bounded amount of work',
    file: chunks,
    from: 'if (this.#extras > this.#maxExtras) return false;',
    to: '',
    caught_by: { file: chunkTests, test: 'a body has so many bytes of extensions and trailers' },
  },
  {
    bug: 'SIGTERM ends the gateway at once',
    promise: 'P10: SIGTERM loses no request',
    file: 'apps/gateway/src/leave.ts',
    from: 'if (signals > 1) endAtOnce();',
    to: 'endAtOnce();',
    caught_by: { file: 'apps/gateway/src/main.test.ts', test: 'SIGTERM lets a request in flight finish' },
  },
];
