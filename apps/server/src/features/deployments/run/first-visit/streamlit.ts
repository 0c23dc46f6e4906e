import { BinaryReader, WireType } from '@bufbuild/protobuf/wire';
import { converse, type Page } from './page.ts';

const maxNesting = 20;
const maxType = 200;

/**
 * Visits a Streamlit page once, as a browser does. Resolves to the type of the exception with which the script ended, such as `KeyError`;
 * undefined if it ended well, still runs, or does not speak this protocol.
 *
 * Messages: https://github.com/streamlit/streamlit/tree/develop/proto/streamlit/proto
 */
export function visitStreamlit(page: Page, signal: AbortSignal): Promise<string | undefined> {
  let last: string | undefined;
  const onMessage = (data: Buffer) => {
    const message = readForwardMessage(data);
    if (message === undefined) return { ended: undefined };
    if (message.element !== undefined) last = message.element.exception;
    return message.isFinished ? { ended: last } : undefined;
  };
  return converse(page, { path: '/_stcore/stream', first: rerunScript, onMessage }, signal);
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
