import { dataOf, parsePiiTypes } from './lists.ts';
import { type PolicyRule, retainedData } from './rule.ts';

/** Ten years. Longer periods are typing errors. */
const maxDays = 3_650;
const maxLogins = 1_000;
/** The use of a session is recorded once a minute, so shorter periods could end a session in use. */
const idleMinutes = { min: 5, max: 30 * 24 * 60 };

interface Sentence {
  form: RegExp;
  read: (...values: string[]) => PolicyRule | undefined;
}

const retention = (names: string | undefined, given: string | undefined): PolicyRule | undefined => {
  const days = wholeNumber(given, maxDays);
  const data = names === undefined ? [...retainedData] : dataOf(names);
  return data && days !== undefined ? { kind: 'retention', data, days } : undefined;
};
const keyAge = (given: string | undefined): PolicyRule | undefined => {
  const days = wholeNumber(given, maxDays);
  return days === undefined ? undefined : { kind: 'key_age', days };
};

const idleSessions = (given: string | undefined): PolicyRule | undefined => {
  const minutes = wholeNumber(given, idleMinutes.max);
  return minutes !== undefined && minutes >= idleMinutes.min ? { kind: 'idle_sessions', minutes } : undefined;
};

/** The first match counts. The text is in lower case, with single spaces, and without a full stop at its end. */
export const sentences: Sentence[] = [
  { form: /^(?:delete|remove) ([a-z, ]{1,60}) after (\d{1,5}) days?$/, read: retention },
  { form: /^(?:retain|keep) ([a-z, ]{1,60}) for (\d{1,5}) days?$/, read: retention },
  { form: /^retention(?: period)?:? (\d{1,5}) days?$/, read: (days) => retention(undefined, days) },
  { form: /^(?:api )?keys? (?:must )?expires? (?:within|after) (\d{1,5}) days?$/, read: keyAge },
  { form: /^(\d{1,5})[- ]days? (?:api )?key validity$/, read: keyAge },
  { form: /^rotate (?:all )?(?:api )?keys? every (\d{1,5}) days?$/, read: keyAge },
  {
    form: /^alert (?:after|on) (\d{1,5}) failed (?:logins?|sign-ins?|login attempts?)(?: within an hour)?$/,
    read(given) {
      const count = wholeNumber(given, maxLogins);
      return count === undefined ? undefined : { kind: 'failed_logins', count };
    },
  },
  {
    form: /^redact (.{1,200})$/,
    read(names = '') {
      const types = parsePiiTypes(names);
      return types && { kind: 'redact', types };
    },
  },
  { form: /^require (?:two-factor|two factor|2fa|mfa|multi-factor)(?: authentication| sign-in)?$/, read: () => ({ kind: 'two_factor' }) },
  { form: /^(?:end|close) (?:idle|unused) sessions? after (\d{1,5}) minutes?$/, read: idleSessions },
  { form: /^(?:idle |session |idle session )timeout:? (\d{1,5}) minutes?$/, read: idleSessions },
  { form: /^require (?:a )?health (?:path|check)$/, read: () => ({ kind: 'health_path' }) },
  {
    form: /^budget:? \$ ?(\d{1,7}(?:\.\d{1,2})?) (?:per|a) day$/,
    read: (given) => (Number(given) > 0 ? { kind: 'budget', usd: Number(given) } : undefined),
  },
];

function wholeNumber(text: string | undefined, most: number): number | undefined {
  const value = Number(text);
  return Number.isInteger(value) && value >= 1 && value <= most ? value : undefined;
}
