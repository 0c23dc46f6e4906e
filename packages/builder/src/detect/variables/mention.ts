/** A place in the archive that reads or names a variable. */
export interface Mention {
  name: string;
  /** `main.py:12` */
  at: string;
  /**
   * The effect of a missing variable. `required`: nothing works. `open`: the source continues without a value, or the example file has an
   * empty value. `default`: another value is used. `assigned`: the source sets the variable itself.
   */
  need: 'required' | 'open' | 'default' | 'assigned';
  /** The variable is in a list of required names. The agent may check such a list in one way to run it and not in another. */
  isListed?: true;
  /** A comment calls it optional. */
  isOptional?: true;
  /** The source uses an empty text without it. */
  isBlank?: true;
  /** A comment calls it required. */
  isDemanded?: true;
  /** A settings class has `None` in reserve, which a client that gets it as its key refuses. */
  isNone?: true;
  /** The default, or the value in an example file. */
  value?: string;
}

const nameOfVariable = /^[A-Z][A-Z0-9_]{1,63}$/;
/** Names with lower-case letters, which some authors use: `GoogleAPIKey`. */
const otherName = /^[A-Za-z][A-Za-z0-9_]{1,63}$/;

/**
 * Set by Paddock, the system or the tools that run an agent. `DATABASE_URL` and `REDIS_URL` are not listed: they come with a database, so
 * they are asked for.
 */
const setByOthers =
  /^(PORT|HOST|HOSTNAME|HOME|PATH|PWD|USER|USERNAME|SHELL|TERM|LANG|TZ|TMPDIR|TEMP|TMP|CI|DEBUG|NODE_ENV|NODE_OPTIONS|MODE|DEV|PROD|SSR|VIRTUAL_ENV|APPDATA|LOCALAPPDATA|USERPROFILE|EDITOR|DISPLAY|NO_COLOR|FORCE_COLOR|KUBERNETES_SERVICE_HOST|DYNO|K_SERVICE)$|^(PADDOCK|PYTHON|OTEL|XDG|VERCEL|RAILWAY|RENDER|FLY|HEROKU|GITHUB_ACTION|AWS_LAMBDA|NETLIFY|NPM)(_|[A-Z]{0,20}$)/;

/** Whether a name has the usual form of a variable that a user may have to set. */
export const isAskable = (name: string) => nameOfVariable.test(name) && !setByOthers.test(name);
/** The same for places that certainly name a variable, so that it may have lower-case letters. */
export const isReadable = (name: string) => otherName.test(name) && /[A-Z]/.test(name) && !setByOthers.test(name);

const secretName =
  /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|_PWD|_PASS|CREDENTIALS?|_DSN)(_ID|_BASE64|_JSON|_\d)?$|[A-Za-z](?:Key|Token|Secret|Password)$|^(?:[Kk]ey|[Tt]oken|[Ss]ecret|[Pp]assword)$/;
/** `API_KEY_GEMINI` */
const secretFirst = /^(?:API_?KEY|API_TOKEN|ACCESS_TOKEN|AUTH_TOKEN|BOT_TOKEN|SECRET_KEY)S?_[A-Z]/;
const aboutSecret = /_(?:ID|NAME|COUNT|LIMIT|TTL|SECONDS|MINUTES|DAYS|URL|PATH|FILE|HEADER|PREFIX)$/;
export const isSecret = (name: string) => secretName.test(name) || (secretFirst.test(name) && !aboutSecret.test(name));

const placeholder =
  /^$|^<|^\[|^\$\{|(?<![a-z])(?:your|change|replace|insert|todo|fixme|placeholder)|(?<![a-z])enter(?![a-z])|xxx|^default_(?:token|key|secret)|for_test|^\.\.\.|…|\*\*\*|^sk-|^gsk_|^pk-|^AIza|^(abc|123|null|none|undefined|secret|key|token|here)/i;
/** Whether a value is a placeholder that a user must replace. */
export const isPlaceholder = (value: string) => placeholder.test(value);

const maxValueLength = 100;

/** Whether a value may be shown: it is not a secret, and short enough to read. */
export const isHarmless = (name: string, value: string) =>
  !isSecret(name) && value.length <= maxValueLength && !isPlaceholder(value) && !/[\p{Cc}\p{Cf}@]/u.test(value);

/** Returns a function from a position in a text to its line. Call it with rising positions. */
export function lineCounter(text: string): (at: number) => number {
  let line = 1;
  let from = 0;
  return (at) => {
    for (let next = text.indexOf('\n', from); next !== -1 && next < at; next = text.indexOf('\n', from)) {
      line++;
      from = next + 1;
    }
    return line;
  };
}
