/** The relevant parts of a request's head, with the length of the body, or that it is chunked. */
export interface Meaning {
  method: string;
  target: string;
  host: string;
  body: number | 'chunked';
}

interface Habits {
  /** A bare line feed ends a line. */
  takesBareLf: boolean;
  /** Takes the last of two headers of the same name, not the first. */
  last: boolean;
  /** `X_Y` is read as `X-Y`, as by CGI and WSGI. */
  underscores: boolean;
  /** Blanks before the colon are dropped. */
  trimsNames: boolean;
  /** A coding is chunked if it contains the word; otherwise only if it is exactly that word. */
  looseCoding: boolean;
  /** Prefers the length when a request has both framings. */
  prefersLength: boolean;
}

const plain: Habits = { takesBareLf: false, last: false, underscores: false, trimsNames: false, looseCoding: false, prefersLength: false };

/** Proxies that may stand before the gateway, each with a different habit. All agree on an unambiguous request. */
export const proxies: Record<string, (text: string) => Meaning> = {
  'a plain reader': reader(plain),
  'one that takes bare line feeds': reader({ ...plain, takesBareLf: true }),
  'one that takes the last of two': reader({ ...plain, last: true }),
  'one that trims names': reader({ ...plain, trimsNames: true }),
  'one that finds chunked anywhere': reader({ ...plain, looseCoding: true }),
  'one that prefers the length': reader({ ...plain, prefersLength: true }),
  'one with all of these habits': reader({
    ...plain,
    takesBareLf: true,
    last: true,
    trimsNames: true,
    looseCoding: true,
    prefersLength: true,
  }),
};

/** Servers that may be an agent. */
export const servers: Record<string, (text: string) => Meaning> = {
  ...proxies,
  'one that takes underscores for hyphens': reader({ ...plain, underscores: true, last: true }),
  'one with every habit': reader({
    takesBareLf: true,
    last: true,
    underscores: true,
    trimsNames: true,
    looseCoding: true,
    prefersLength: true,
  }),
};

function reader(habits: Habits): (text: string) => Meaning {
  return (text) => {
    // Every reader skips empty lines before a request.
    const lines = text.replace(/^[\r\n]+/, '').split(habits.takesBareLf ? /\r?\n/ : '\r\n');
    const [method = '', target = ''] = (lines.shift() ?? '').split(/ +/);
    const headers = new Map<string, string>();
    for (const line of lines.slice(0, lines.indexOf('') < 0 ? undefined : lines.indexOf(''))) {
      const colon = line.indexOf(':');
      let name = line.slice(0, colon).toLowerCase();
      if (habits.trimsNames) name = name.trim();
      if (habits.underscores) name = name.replaceAll('_', '-');
      if (habits.last || !headers.has(name)) headers.set(name, line.slice(colon + 1).trim());
    }
    return { method, target, host: headers.get('host') ?? '', body: framing(headers, habits) };
  };
}

function framing(headers: Map<string, string>, { looseCoding, prefersLength }: Habits): number | 'chunked' {
  const coding = headers.get('transfer-encoding')?.toLowerCase();
  const length = headers.get('content-length');
  const isChunked = coding !== undefined && (looseCoding ? coding.includes('chunked') : coding === 'chunked');
  if (isChunked && !(prefersLength && length !== undefined)) return 'chunked';
  return length === undefined ? 0 : Number.parseInt(length, 10);
}
