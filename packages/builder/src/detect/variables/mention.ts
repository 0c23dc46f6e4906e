/** One place of the archive that reads or names a variable. */
export interface Mention {
  name: string;
  /** `main.py:12` */
  at: string;
  /**
   * What happens without the variable. `required`: nothing works; `open`: the source goes on with nothing, or the example file has an empty
   * value; `default`: something else is used; `assigned`: the source sets the variable itself.
   */
  need: 'required' | 'open' | 'default' | 'assigned';
  /** A list of required names says so, which one way to run the agent may check and another may not. */
  isListed?: true;
  /** Default, or value of an example file. */
  value?: string;
}

const nameOfVariable = /^[A-Z][A-Z0-9_]{1,63}$/;
/** Some authors use small letters: `GoogleAPIKey`. */
const otherName = /^[A-Za-z][A-Za-z0-9_]{1,63}$/;

/** Set by Paddock, the system or the tools that run an agent. `DATABASE_URL` and `REDIS_URL` come with a database, so they are asked for. */
const setByOthers =
  /^(PORT|HOST|HOSTNAME|HOME|PATH|PWD|USER|USERNAME|SHELL|TERM|LANG|TZ|TMPDIR|TEMP|TMP|CI|DEBUG|NODE_ENV|NODE_OPTIONS|MODE|DEV|PROD|SSR|VIRTUAL_ENV|APPDATA|LOCALAPPDATA|USERPROFILE|EDITOR|DISPLAY|NO_COLOR|FORCE_COLOR|KUBERNETES_SERVICE_HOST|DYNO|K_SERVICE)$|^(PADDOCK|PYTHON|OTEL|XDG|VERCEL|RAILWAY|RENDER|FLY|HEROKU|GITHUB_ACTION|AWS_LAMBDA|NETLIFY|NPM)(_|[A-Z]{0,20}$)/;

/** Names as variables of an agent have them, which somebody may have to set. */
export const isAskable = (name: string) => nameOfVariable.test(name) && !setByOthers.test(name);
/** The same where it is certain that a variable is named, so that it may have small letters. */
export const isReadable = (name: string) => otherName.test(name) && /[A-Z]/.test(name) && !setByOthers.test(name);

const secretName =
  /(KEY|TOKEN|SECRET|PASSWORD|PASSWD|_PWD|_PASS|CREDENTIALS?|_DSN)(_ID|_BASE64|_JSON|_\d)?$|[a-z](?:Key|Token|Secret|Password)$|^(?:key|token|secret|password)$/;
export const isSecret = (name: string) => secretName.test(name);

const placeholder =
  /^$|^<|^\[|^\$\{|your|xxx|change|replace|insert|enter|todo|fixme|placeholder|\.\.\.|…|\*\*\*|^sk-|^gsk_|^pk-|^AIza|^(abc|123|null|none|undefined|secret|key|token|here)/i;
/** A value that stands for one that a person must find. */
export const isPlaceholder = (value: string) => placeholder.test(value);

const maxValueLength = 100;

/** Whether a value may be shown: no secret, and of a length that people read. */
export const isHarmless = (name: string, value: string) =>
  !isSecret(name) && value.length <= maxValueLength && !isPlaceholder(value) && !/[\p{Cc}\p{Cf}@]/u.test(value);

/** Tells the line of a place in a text; places are asked for in rising order. */
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
