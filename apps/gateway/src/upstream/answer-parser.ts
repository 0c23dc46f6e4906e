import { addConnectionNames } from '../connection-names.ts';
import type { Limits } from '../limits.ts';
import { type BodyReader, chunkedBody, sizedBody, untilCloseBody } from './answer-body.ts';
import { BrokenAnswer } from './broken-answer.ts';
import { growingHead } from './growing-head.ts';

export interface AnswerHead {
  status: number;
  reason: string;
  /** Name, value, name, value … as the agent wrote them. */
  headers: string[];
  connectionNames: Set<string>;
  upgrade: string | undefined;
  /** Content-Length, if there was one; for HEAD and 304 it is what the body would have been. */
  length: number | undefined;
  isEventStream: boolean;
}

export interface AnswerEvents {
  head: (answer: AnswerHead) => void;
  /** A piece of the body, valid only during the call. */
  body: (piece: Buffer) => void;
  /** `rest` follows a 101 and belongs to the new protocol. */
  end: (isReusable: boolean, rest: Buffer) => void;
}

const statusLine = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: ([\t\x20-\x7e\x80-\xff]*))?$/;
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const invalidInValue = /[^\t\x20-\x7e\x80-\xff]/;
const nothing = Buffer.alloc(0);

/**
 * Reads one HTTP/1.x answer from whatever pieces it comes in. Strict where two readers could differ: no bare CR or LF, no
 * folded lines, one framing only. Throws BrokenAnswer, after which the connection is of no more use.
 */
export function answerParser(request: { method: string; upgrades: boolean }, limits: Limits, events: AnswerEvents) {
  const head = growingHead();
  let body: BodyReader | undefined;
  let interim = 0;
  let isPersistent = false;
  let isDone = false;

  return { feed, finish, isDone: () => isDone };

  function feed(piece: Buffer): void {
    // Nothing may follow a finished answer, for nothing was asked.
    if (isDone) throw new BrokenAnswer('bytes after the end of the answer');
    if (body) return feedBody(piece);
    let data = piece;
    for (;;) {
      const { at, bytes } = head.add(data);
      if (at > limits.answerHeadBytes || (at < 0 && bytes.length > limits.answerHeadBytes)) throw new BrokenAnswer('head too long');
      if (at < 0) return;
      const text = bytes.toString('latin1', 0, at);
      data = bytes.subarray(at + 4);
      head.clear();
      if (startAnswer(text, data)) return;
    }
  }

  /** Returns false after an interim answer: the real one is still to come. */
  function startAnswer(text: string, rest: Buffer): boolean {
    const lines = text.split('\r\n');
    const first = statusLine.exec(lines[0]!);
    if (!first) throw new BrokenAnswer('not a status line');
    if (lines.length - 1 > limits.answerHeaderCount) throw new BrokenAnswer('too many headers');
    const answer = readHeaders(lines, Number(first[2]), first[3] ?? '');
    if (answer.status === 101) {
      if (!request.upgrades) throw new BrokenAnswer('switched protocols unasked');
      isDone = true;
      events.head(answer.head);
      events.end(false, rest);
      return true;
    }
    if (answer.status < 200) {
      interim += 1;
      if (interim > limits.interimAnswers) throw new BrokenAnswer('too many interim answers');
      return false;
    }
    const named = answer.head.connectionNames;
    isPersistent = first[1] === '1' ? !named.has('close') : named.has('keep-alive');
    if (answer.isChunked && first[1] === '0') throw new BrokenAnswer('chunks in HTTP/1.0');
    const hasBody = request.method !== 'HEAD' && answer.status !== 204 && answer.status !== 304;
    if (hasBody) {
      const { length } = answer.head;
      if (answer.isChunked) body = chunkedBody(limits);
      else body = length === undefined ? untilCloseBody() : sizedBody(length);
      isPersistent &&= answer.isChunked || length !== undefined;
    }
    events.head(answer.head);
    if (!body || body.isComplete()) done(rest);
    else if (rest.length > 0) feedBody(rest);
    return true;
  }

  function feedBody(piece: Buffer): void {
    const used = body!.read(piece, events.body);
    if (body!.isComplete()) done(piece.subarray(used));
  }

  function done(rest: Buffer): void {
    isDone = true;
    // More than was announced: what was announced is a whole answer, but this connection can't be trusted.
    events.end(isPersistent && rest.length === 0, nothing);
  }

  /** The agent has closed its side. */
  function finish(): void {
    if (isDone) return;
    if (!body?.endsWithConnection) throw new BrokenAnswer(body ? 'closed inside the body' : 'closed without an answer');
    isDone = true;
    events.end(false, nothing);
  }
}

function readHeaders(lines: string[], status: number, reason: string): { status: number; isChunked: boolean; head: AnswerHead } {
  const head: AnswerHead = {
    status,
    reason,
    headers: [],
    connectionNames: new Set(),
    upgrade: undefined,
    length: undefined,
    isEventStream: false,
  };
  let isChunked = false;
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!;
    const colon = line.indexOf(':');
    const name = line.slice(0, colon);
    const value = trimmed(line, colon + 1);
    if (colon < 0 || !headerName.test(name) || invalidInValue.test(value)) throw new BrokenAnswer('not a header line');
    head.headers.push(name, value);
    switch (name.toLowerCase()) {
      case 'content-length':
        if (!/^\d{1,15}$/.test(value) || head.length !== undefined) throw new BrokenAnswer('unclear Content-Length');
        head.length = Number(value);
        break;
      case 'transfer-encoding':
        // A tab beside the word is a blank to some readers and part of it to others.
        if (isChunked || value.toLowerCase() !== 'chunked' || line.includes('\t')) throw new BrokenAnswer('unclear Transfer-Encoding');
        isChunked = true;
        break;
      case 'connection':
        if (!addConnectionNames(value, head.connectionNames)) throw new BrokenAnswer('too many names in Connection');
        break;
      case 'upgrade':
        head.upgrade = value.toLowerCase();
        break;
      case 'content-type':
        head.isEventStream = /^text\/event-stream\b/i.test(value);
        break;
    }
  }
  if (isChunked && head.length !== undefined) throw new BrokenAnswer('Content-Length beside Transfer-Encoding');
  return { status, isChunked, head };
}

/** Without the spaces and tabs around; by hand, since a pattern for it takes quadratic time on a hostile line. */
function trimmed(line: string, from: number): string {
  let start = from;
  let end = line.length;
  while (start < end && isBlank(line.charCodeAt(start))) start += 1;
  while (end > start && isBlank(line.charCodeAt(end - 1))) end -= 1;
  return line.slice(start, end);
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}
