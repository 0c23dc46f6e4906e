/**
 * Decides which values of an agent are secrets. A project's variables hold settings as well (`LOG_LEVEL=info`, `MODEL=gpt-4o-mini`), and blanking those
 * would spoil logs and model names: a value is secret by the name of its variable, by its shape, or as the password or key within an address.
 */

/** A shorter value occurs in ordinary text by chance. */
const MIN_LENGTH = 6;
const MIN_DIGITS = 8;
const MIN_WORD = 12;
const MIN_LINE = 16;
/** A longer secret is recognized by its beginning. */
const MAX_LENGTH = 8 * 1024;
const MAX_JSON_DEPTH = 8;

const secretWords =
  /^(?:key|pat|pwd|pass|salt|jwt|dsn|cookie|pin)\d{0,3}$|(?:token|secret|passw(?:or)?d|passphrase|credentials?|apikey|accesskey|secretkey|privatekey)\d{0,3}$/;
/** Ignored at the end of a name: `API_KEY_2`, `SECRET_KEY_BASE`, `TOKEN_PROD`. */
const endings = new Set('base value prod production dev development staging preview test live primary secondary old new json'.split(' '));
const MAX_NAME = 200;

const vendorPrefix = /^(?:sk-|sk_|rk_|ghp_|gho_|ghs_|github_pat_|glpat-|xox[abprs]-|hf_|npm_|whsec_|AKIA|ASIA|AIza|ya29\.|eyJ[\w-]+\.eyJ)/;
const privateKey = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----/;
const hexadecimal = /^[0-9a-f]{32,}$/i;
/** Minimum run of letters of both cases and digits without a separator; model names and paths have separators. */
const MIN_RANDOM_RUN = 20;

export interface NamedValue {
  key: string;
  value: string;
}

/** The secrets among the values of variables, each once; only the secret part if a part is secret. */
export function secretValues(variables: readonly NamedValue[]): string[] {
  const found = new Set<string>();
  for (const variable of variables) for (const secret of extractSecrets(variable, MAX_JSON_DEPTH)) found.add(secret.slice(0, MAX_LENGTH));
  return [...found];
}

function extractSecrets(variable: NamedValue, depth: number): string[] {
  const value = variable.value.trim();
  if (value.length < MIN_LENGTH) return [];
  const parts = [...addressSecrets(value), ...documentSecrets(variable.key, value, depth)];
  if (!isAddress(value) && (isSecretName(variable.key) ? !isOrdinary(value) : isSecretShape(value)))
    parts.push(value, ...splitLines(value));
  return parts;
}

/** The lines of a value, because output is stored line by line. */
const splitLines = (value: string): string[] =>
  value.includes('\n')
    ? value
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line.length >= MIN_LINE && !line.startsWith('-----'))
    : [];

export function isSecretName(name: string): boolean {
  const words = name
    .slice(-MAX_NAME)
    .replaceAll(/([a-z\d])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z\d]+/g, '_')
    .toLowerCase()
    .split('_');
  if (words.includes('public')) return false;
  const last = words.findLastIndex((word) => !endings.has(word) && !/^\d*$/.test(word));
  return secretWords.test(words[last] ?? '');
}

/** Whether the value is a short number or plain word, which also occurs in ordinary text. */
const isOrdinary = (value: string): boolean =>
  /^\d+$/.test(value) ? value.length < MIN_DIGITS : /^[a-z]+$/i.test(value) && value.length < MIN_WORD;

const isSecretShape = (value: string): boolean =>
  (vendorPrefix.test(value) && value.length >= MIN_RANDOM_RUN) ||
  privateKey.test(value) ||
  (!/\s/.test(value) && value.split(/[^A-Za-z\d+=]+/).some(isRandom));

const isRandom = (run: string): boolean =>
  hexadecimal.test(run) || (run.length >= MIN_RANDOM_RUN && /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run));

const isAddress = (value: string): boolean => /^[a-z][a-z\d+.-]{0,30}:\/\/\S+$/i.test(value);

/** The password of an address, a user name that is a key, and the values of its secret parameters. */
function addressSecrets(value: string): string[] {
  if (!isAddress(value)) return [];
  const rest = value.slice(value.indexOf('://') + 3);
  const authority = /^[^/?#]*/.exec(rest)![0];
  const login = authority.slice(0, Math.max(0, authority.lastIndexOf('@')));
  const [user = '', password = ''] = login.split(/:(.*)/s);
  const query = /\?([^#]*)/.exec(rest)?.[1] ?? '';
  const parameters = [...new URLSearchParams(query)].flatMap(([key, text]) => extractSecrets({ key, value: text }, 0));
  return [
    ...(isOrdinary(password) ? [] : [password, decoded(password)]),
    ...(isSecretShape(user) ? [user] : []),
    ...pathSecrets(rest),
    ...parameters,
  ].filter((secret) => secret.length >= MIN_LENGTH);
}

/** Secret parts in the path of an address, such as a webhook's: `https://hooks.example.com/T0/B0/x…`. */
const pathSecrets = (rest: string): string[] =>
  rest
    .split(/[/?#&=]/)
    .slice(1)
    .filter((part) => isSecretShape(part));

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Secrets in a JSON document, such as the key of a service account. */
function documentSecrets(key: string, value: string, depth: number): string[] {
  if (depth === 0 || value.length > MAX_LENGTH || !/^[{[]/.test(value)) return [];
  try {
    return nestedSecrets(key, JSON.parse(value), depth - 1);
  } catch {
    return [];
  }
}

function nestedSecrets(key: string, value: unknown, depth: number): string[] {
  if (typeof value === 'string') return extractSecrets({ key, value }, depth);
  if (depth === 0 || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => nestedSecrets(Array.isArray(value) ? key : name, inner, depth - 1));
}
