/** The parts of a Content-Type that a record needs. */
export interface MediaType {
  /** `type/subtype` in lower case; empty without a valid one. */
  essence: string;
  charset: string;
}

const form = /^\s*([a-z0-9!#$&^_.+-]{1,60}\/[a-z0-9!#$&^_.+-]{1,60})\s*(?:;|$)/;
const charsetForm = /;\s*charset\s*=\s*"?([a-z0-9._-]{1,30})/;
const none: MediaType = { essence: '', charset: '' };

let lastText = '';
let lastType = none;

export function parseMediaType(header: string | undefined): MediaType {
  if (header === undefined) return none;
  if (header === lastText) return lastType;
  const text = header.slice(0, 200).toLowerCase();
  const essence = form.exec(text)?.[1] ?? '';
  lastText = header;
  lastType = { essence, charset: charsetForm.exec(text)?.[1] ?? '' };
  return lastType;
}

/** The boundary between the parts of a multipart body; undefined if the header does not declare one. */
export function parseBoundary(header: string | undefined): string | undefined {
  const [, quoted, plain] = /;\s{0,9}boundary=(?:"([^"]{1,70})"|([^\s;",]{1,70}))/i.exec(header?.slice(0, 400) ?? '') ?? [];
  return quoted ?? plain;
}

export const isParts = (essence: string): boolean => essence.startsWith('multipart/');

export const isBinary = (essence: string): boolean => /^(?:image|audio|video|font|multipart)\//.test(essence);
