/** Maximum characters of a searched piece; longer texts are searched in pieces. Bounds the steps of a search for each character. */
const PIECE = 64;
const MIN_PIECE = 6;
const MIN_BASE64 = 12;
/** Limit per project. */
const MAX_PIECES = 8_000;

/** Written forms of secrets, in searchable pieces. Plain forms come first: only escaped forms are left out at the limit. */
export function searchedPieces(secrets: readonly string[]): string[] {
  const pieces = new Set<string>();
  const plain = secrets.toSorted((a, b) => a.length - b.length);
  for (const form of [...plain, ...plain.flatMap(escapedForms)]) {
    if (pieces.size >= MAX_PIECES) break;
    for (const piece of splitForm(form)) pieces.add(piece);
  }
  return [...pieces];
}

function splitForm(form: string): string[] {
  if (form.length <= PIECE) return form.length < MIN_PIECE ? [] : [form];
  const pieces: string[] = [];
  for (let at = 0; at + PIECE <= form.length; at += PIECE) pieces.push(form.slice(at, at + PIECE));
  if (form.length % PIECE >= MIN_PIECE) pieces.push(form.slice(form.length - (form.length % PIECE)));
  return pieces;
}

/** A secret escaped for JSON, URLs, forms and HTML, and in Base64. */
function escapedForms(secret: string): string[] {
  const json = JSON.stringify(secret).slice(1, -1);
  const percent = encodeURIComponent(secret.toWellFormed());
  const html = secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const forms = [json, percent, percent.replaceAll('%20', '+'), html, html.replaceAll('"', '&quot;').replaceAll("'", '&#39;')];
  return [...forms, ...base64Forms(secret)].filter((form) => form !== secret);
}

/** Base64 of the secret at each of the three offsets within longer text, such as `user:password`, without characters that depend on neighbours. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), bytes]).toString('base64');
    const form = whole.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
    if (form.length < MIN_BASE64) return [];
    return [form, form.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
