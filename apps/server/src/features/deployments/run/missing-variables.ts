/** Finds the variables that are missing by an agent's last lines. */

/** Words that look like variable names. */
const likeName = /\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b/g;
/** Error codes, and settings of the languages themselves. */
const codePrefixes = 'ERR MODULE NODE NPM PYTHON UV PIP SSL CERT HTTP ARES GRPC STATUS'.split(' ');
const codeEndings = new Set(
  'ERR ERROR INVALID DENIED SUCCESS FAILED FAILURE EXPIRED UNAVAILABLE EXHAUSTED EXCEEDED FOUND TIMEOUT UNAUTHENTICATED BLOCKED DISABLED REQUIRED'.split(
    ' ',
  ),
);

/** For example `ERR_MODULE_NOT_FOUND`, `EAI_AGAIN`. */
function isErrorCode(name: string): boolean {
  const words = name.split('_');
  const [first = ''] = words;
  return words.length > 1 && (codePrefixes.includes(first) || /^E[A-Z]+$/.test(first) || codeEndings.has(words.at(-1) ?? ''));
}
/** Words next to which one of the archive's variables counts as missing. */
const blames =
  /environ|\benv\b|variable|credential|api.?key|token|secret|not (?:set|found|defined|provided|configured)|missing|required|\bmust\b|undefined|empty|specify|KeyError|does not exist/i;
/** Words next to which any name counts as a variable. */
const namesEnvironment =
  /environment (?:variable|value|var)s?\b|\benv(?:ironment)?[ _-]?vars?\b|\.env\b|\bprocess\.env\b|\bos\.environ\b|getenv/i;
/** Clients whose errors do not name the variable they read. */
const clients: [text: string, name: string][] = [
  ['Could not resolve authentication method. Expected', 'ANTHROPIC_API_KEY'],
  ['Missing key inputs argument! To use the Google AI API', 'GOOGLE_API_KEY'],
  ['No API_KEY or ADC found', 'GOOGLE_API_KEY'],
  ['default credentials were not found', 'GOOGLE_APPLICATION_CREDENTIALS'],
  ['Could not load the default credentials', 'GOOGLE_APPLICATION_CREDENTIALS'],
  ['The api_key client option must be set', 'OPENAI_API_KEY'],
];
const maxNames = 12;

/** The agent writes the lines, so every pattern sees a bounded number of them, and a bounded part of each. */
const maxLines = 60;
const maxLineLength = 2000;
export const boundedTail = (tail: string[]) => tail.slice(-maxLines).map((line) => line.slice(0, maxLineLength));

/**
 * Names of missing variables, likeliest first. `known`: names that the archive reads or names; others count only if the line calls them
 * variables.
 */
export function missingVariables(lines: string[], known: ReadonlySet<string> = new Set()): string[] {
  const tail = boundedTail(lines);
  const text = tail.join('\n');
  const found = [...text.matchAll(/KeyError: '([A-Z][A-Z0-9_]{1,60})'/g)]
    .map((match) => match[1]!)
    .filter((name) => known.has(name) || (name.includes('_') && !isErrorCode(name)));
  found.push(...settingsFields(text, known), ...attributesIn(tail, known), ...readAsNone(tail, known));
  const said = tail.filter((line) => blames.test(line));
  const errors = said.filter((line) => /error|exception|missing|required/i.test(line));
  for (const line of [...errors, ...said]) found.push(...namesIn(line, known));
  if (found.length === 0) for (const [words, name] of clients) if (text.includes(words)) found.push(ownKeyFor(name, known) ?? name);
  return [...new Set(found)].slice(0, maxNames);
}

const wordsOfModels = new Set(['LLM', 'AI', 'MODEL', 'CHAT', 'GPT', 'OPENAI']);

/** `LLM_API_KEY`, `AI_KEY`, `CHAT_MODEL_API_KEY` */
function isKeyOfModel(name: string): boolean {
  const words = name.split('_');
  return words.at(-1) === 'KEY' && words.some((word) => wordsOfModels.has(word));
}

/** The archive's own variable for a client's key, where it gives the client the key instead of the client's own variable. */
function ownKeyFor(name: string, known: ReadonlySet<string>): string | undefined {
  if (known.has(name)) return undefined;
  const own = [...known].filter(isKeyOfModel);
  return own.length === 1 ? own[0] : undefined;
}

/** Pydantic settings errors name fields; each field is read from the variable of that name with the class's prefix. */
function settingsFields(text: string, known: ReadonlySet<string>): string[] {
  // The headline may be above the last lines, when further errors follow.
  if (!/validation errors? for \w|Field required \[type=missing/i.test(text)) return [];
  const isSettings = /validation errors? for \w{0,60}(?:settings|config|env)/i.test(text);
  return [...text.matchAll(/^([A-Za-z]\w{1,60})\n[ \t]{1,40}Field required/gm)].flatMap((match) => {
    const name = match[1]!.toUpperCase();
    const named = known.has(name) ? name : [...known].find((one) => one.endsWith(`_${name}`));
    return named ?? (isSettings ? name : []);
  });
}

/** pydantic-settings reads lists and objects as JSON (https://docs.pydantic.dev/latest/concepts/pydantic_settings/#parsing-environment-variable-values). */
const unreadable = /\berror parsing value for field "(\w{1,80})" from source "\w{0,20}EnvSettingsSource"/;

/** The variable whose value is no JSON, where the source wants a list or an object. */
export function unreadableValue(lines: string[], known: ReadonlySet<string>): string | undefined {
  const name = boundedTail(lines)
    .map((line) => unreadable.exec(line)?.[1]?.toUpperCase())
    .findLast((each) => each !== undefined);
  return name === undefined || known.has(name) ? name : ([...known].find((one) => one.endsWith(`_${name}`)) ?? name);
}

/** A source line that reads a variable, in a traceback that ends because something is None. */
function readAsNone(tail: string[], known: ReadonlySet<string>): string[] {
  if (!tail.some((line) => /^(?:Type|Attribute|Value)Error: .{0,300}\bNoneType\b/.test(line))) return [];
  const isOwn = (frame: string) => /^ {1,8}File "/.test(frame) && !frame.includes('site-packages');
  const reads = tail.filter((line, at) => isOwn(tail[at - 1] ?? '') && /\b(?:getenv|environ)\b/.test(line));
  return reads.flatMap((line) => namesIn(line, known));
}

/** Missing values are often named as in the source: `assert settings.desk_url`, `desk_url is required`. */
function attributesIn(tail: string[], known: ReadonlySet<string>): string[] {
  const isAsserted = tail.some((line) => /^AssertionError\b/.test(line));
  const lines = tail.filter((line) => saysAbsent.test(line) || (isAsserted && /^\s{1,40}assert\s/.test(line)));
  return lines.flatMap((line) => [...line.matchAll(attribute)].map(([word]) => word.toUpperCase()).filter((name) => known.has(name)));
}

/** The headline of an error about a missing value. */
const saysAbsent =
  /^(?:[\w.]{1,150}(?:Error|Exception)): .{0,300}\b(?:required|missing|not set|must be (?:set|provided|given)|st\.secrets has no (?:attribute|key)|cannot be (?:empty|None|null)|is empty)\b/i;
const attribute = /\b[a-z][a-z0-9]*(?:_[a-z0-9]+)+\b/g;

/** Variables read with a default are not missing; a traceback quotes such source lines. */
const withReserve =
  /(?:environ\.get|getenv|env\.get)\(\s{0,5}["'][A-Z][A-Z0-9_]{1,80}["']\s{0,5},|process\.env\.[A-Z][A-Z0-9_]{1,80}\s{0,5}(?:\|\||\?\?)/g;

/** A source line that reads the environment; the name that it assigns to is not an environment variable. */
const readsEnvironment = /\bos\.environ\b|\bgetenv\(|\bprocess\.env\b/;
const namesRead = /(?:["'`]|\bprocess\.env\.)([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)\b/g;

function namesIn(full: string, known: ReadonlySet<string>): string[] {
  const line = full.replaceAll(withReserve, '');
  const ofArchive = line.split(/\W+/).filter((word) => known.has(word));
  const named = readsEnvironment.test(line) ? namesRead : likeName;
  const others = namesEnvironment.test(line) ? [...line.matchAll(named)].map((match) => match[1] ?? match[0]) : [];
  const names = [...new Set([...ofArchive, ...others])].filter((name) => known.has(name) || !isErrorCode(name));
  return /\bor\b/.test(line) ? names.slice(0, 1) : names; // any one of them is enough
}

/** Whether the lines contain any error. */
export const tellsError = (lines: string[]) =>
  boundedTail(lines).some(
    (line) =>
      /\b(?:\w{0,60}Error|\w{0,60}Exception|error|failed|unauthorized)\b/i.test(line) && !/\b(?:no|0) (?:errors|failed)\b/i.test(line),
  );
