import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import type { Plan } from '@paddock/builder';
import { WebSocket } from 'ws';

/** A script that runs longer at its first visit counts as working. */
const visitMs = 20_000;
const handshakeMs = 5_000;
const maxMessageBytes = 4 * 1024 * 1024;
const maxMessages = 5_000;
const maxNesting = 20;
const maxType = 200;

interface Page {
  host: string;
  port: number;
  /** The agent's public address. */
  url: string;
}

/** Whether the agent runs its script for each visitor, and not at its start. A health path says by itself what counts as ready. */
export const runsPerVisit = ({ framework, health, start }: Pick<Plan, 'framework' | 'health' | 'start'>): boolean =>
  health === undefined && (framework === 'Streamlit' || start.some((word) => /(?:^|\/)streamlit$/.test(word)));

/**
 * Visits a Streamlit page once, as a browser does. Resolves to the type of the exception with which the script ended, such as `KeyError`;
 * undefined if it ended well, still runs, or does not speak this protocol.
 *
 * Messages: https://github.com/streamlit/streamlit/tree/develop/proto/streamlit/proto
 */
export function visitStreamlit({ host, port, url }: Page, signal: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = new WebSocket(`ws://${host}:${port}/_stcore/stream`, {
      headers: { host: new URL(url).host, 'user-agent': 'paddock-readiness' },
      handshakeTimeout: handshakeMs,
      maxPayload: maxMessageBytes,
    });
    const limit = setTimeout(() => end(undefined), visitMs);
    let last: string | undefined;
    let count = 0;
    const end = (raised: string | undefined) => {
      clearTimeout(limit);
      signal.removeEventListener('abort', leave);
      socket.terminate();
      resolve(raised);
    };
    const leave = () => end(undefined);
    signal.addEventListener('abort', leave);
    socket.on('open', () => socket.send(rerunScript));
    socket.on('message', (data) => {
      count += 1;
      const message = readForwardMessage(data as Buffer);
      if (message === undefined || count > maxMessages) return end(undefined);
      if (message.element !== undefined) last = message.element.exception;
      if (message.isFinished) end(last);
    });
    // An error is followed by the close.
    socket.on('error', () => undefined);
    socket.on('close', leave);
    if (signal.aborted) leave();
  });
}

/** BackMsg with `rerun_script` (field 11), an empty ClientState. */
const rerunScript = Buffer.from([0x5a, 0]);

interface ForwardMessage {
  isFinished: boolean;
  /** A new element of the page; `exception`: the type, if it shows an exception that is no warning. */
  element?: { exception?: string };
}

/** Reads a ForwardMsg: script_finished = 6, delta = 5. Undefined if it is invalid. */
function readForwardMessage(bytes: Uint8Array): ForwardMessage | undefined {
  const message: ForwardMessage = { isFinished: false };
  try {
    eachField(bytes, (field, value) => {
      if (field === 6) message.isFinished = true;
      // Delta: new_element = 3
      else if (field === 5 && value)
        eachField(value, (inner, element) => inner === 3 && element && (message.element = readElement(element)));
    });
  } catch {
    return undefined; // not a message of Streamlit
  }
  return message;
}

/** Element: exception = 8. Exception: type = 1, is_warning = 5. */
function readElement(bytes: Uint8Array): { exception?: string } {
  let type: string | undefined;
  let isWarning = false;
  eachField(bytes, (field, value) => {
    if (field !== 8 || !value) return;
    type = '';
    eachField(value, (inner, text) => {
      if (inner === 1 && text) type = new TextDecoder().decode(text).slice(0, maxType);
      else if (inner === 5) isWarning = true;
    });
  });
  return type === undefined || isWarning ? {} : { exception: type };
}

/** `value`: the bytes of texts and messages; undefined for other types. Throws if the bytes are not protobuf. */
function eachField(bytes: Uint8Array, take: (field: number, value: Uint8Array | undefined) => void): void {
  const reader = new BinaryReader(bytes);
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag();
    if (wire === WireType.LengthDelimited) take(field, reader.bytes());
    else {
      reader.skip(wire, field, maxNesting);
      take(field, undefined);
    }
  }
  if (reader.pos > reader.len) throw new Error('it is cut off');
}
