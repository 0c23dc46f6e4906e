import type { Client } from '@paddock/client';
import type { SessionInfo, User } from '@paddock/contract';
import { isSameAddress } from '@paddock/contract/email-address';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { passwordProblem } from '@paddock/contract/rules';
import { answer } from './answers.ts';
import { demoPassword, demoUser } from './demo-account.ts';
import { sampleId } from './ids.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const recoveryCodeCount = 10;

/** The demo's person, with sessions and a second factor as they could be. The password is the one of the demo until it is changed. */
export function createDemoPerson(now = Date.now()) {
  const ago = (ms: number) => new Date(now - ms).toISOString();
  const session = (number: number, device: string, ip: string, used: number, created: number): SessionInfo => ({
    id: sampleId('ses', number),
    device,
    ip,
    last_used_at: ago(used),
    created_at: ago(created),
    expires_at: ago(created - 30 * day),
    is_current: number === 1,
  });
  const user: User = { ...demoUser };
  return {
    user,
    password: demoPassword,
    pending_email: null as string | null,
    secret: null as string | null,
    is_on: false,
    recovery_codes: [] as string[],
    sessions: [
      session(1, 'Chrome on Linux', '203.0.113.24', 0, 2 * minute),
      session(2, 'Safari on iPhone', '198.51.100.7', 3 * hour, 12 * day),
      session(3, 'Firefox on Windows', '203.0.113.90', 5 * day, 20 * day),
    ],
  };
}
export type DemoPerson = ReturnType<typeof createDemoPerson>;

/** Changes in place, so that whoever holds the person sees them. */
export function demoProfile(person: DemoPerson): Client<typeof contract>['profile'] {
  return {
    get: (_input, options) =>
      answer(
        () => ({
          ...person.user,
          has_password: true,
          second_factor: { is_on: person.is_on, recovery_codes_left: person.recovery_codes.length },
          pending_email: person.pending_email,
        }),
        options,
      ),
    update: ({ name }, options) => answer(() => Object.assign(person.user, { name: name.trim() }), options),
    changePassword: ({ current_password, new_password }, options) =>
      answer(() => {
        checkPassword(person, current_password, 'current_password');
        const message = passwordProblem(new_password);
        if (message) throw new ApiError('input_invalid', { detail: message, errors: [{ path: 'new_password', message }] });
        person.password = new_password;
        endOthers(person);
        return null;
      }, options),
    changeEmail: ({ email, password }, options) =>
      answer(() => {
        checkPassword(person, password);
        person.pending_email = email.trim();
        return null;
      }, options),
    // No mail leaves the demo, so there is no link that could be opened.
    confirmEmail: () => Promise.reject(new ApiError('link_invalid')),
    sessions: (_input, options) => answer(() => ({ sessions: person.sessions }), options),
    endSession: ({ id }, options) =>
      answer(() => {
        if (!person.sessions.some((each) => each.id === id)) throw new ApiError('session_not_found');
        person.sessions = person.sessions.filter((each) => each.id !== id);
        return null;
      }, options),
    endOtherSessions: (_input, options) => answer(() => endOthers(person), options),
    deleteAccount: ({ password, confirmation }, options) =>
      answer(() => {
        checkPassword(person, password);
        const message = `Type ${person.user.email} to confirm`;
        if (!isSameAddress(confirmation, person.user.email))
          throw new ApiError('input_invalid', { detail: message, errors: [{ path: 'confirmation', message }] });
        Object.assign(person, createDemoPerson());
        return null;
      }, options),
  };
}

/** The demo cannot compute codes, since browsers keep that from pages on plain HTTP: any six digits but 000000 are right. */
export function demoTwoFactor(person: DemoPerson): Client<typeof contract>['twoFactor'] {
  const checkCode = (code: string) => {
    const typed = code.replaceAll(/[\s-]/g, '').toLowerCase();
    const at = person.recovery_codes.findIndex((each) => each.replaceAll('-', '') === typed);
    if (at >= 0) return void person.recovery_codes.splice(at, 1);
    const wrong = new ApiError('code_wrong');
    if (!/^\d{6}$/.test(typed) || typed === '000000')
      throw new ApiError('code_wrong', { errors: [{ path: 'code', message: wrong.message }] });
  };
  const newCodes = () => {
    person.recovery_codes = Array.from({ length: recoveryCodeCount }, () =>
      letters(16)
        .toLowerCase()
        .replaceAll(/.{4}(?!$)/g, '$&-'),
    );
    return { recovery_codes: person.recovery_codes };
  };
  const mustBeOn = (on: boolean) => {
    if (person.is_on !== on) throw new ApiError(on ? 'second_factor_off' : 'second_factor_on');
  };
  return {
    setUp: ({ password } = {}, options) =>
      answer(() => {
        checkPassword(person, password);
        mustBeOn(false);
        const secret = letters(32);
        person.secret = secret;
        const label = encodeURIComponent(person.user.email);
        return { secret, uri: `otpauth://totp/Paddock:${label}?issuer=Paddock&secret=${secret}&algorithm=SHA1&digits=6&period=30` };
      }, options),
    confirm: ({ code }, options) =>
      answer(() => {
        if (person.secret === null) throw new ApiError('second_factor_off');
        mustBeOn(false);
        checkCode(code);
        person.is_on = true;
        return newCodes();
      }, options),
    renewRecoveryCodes: ({ password, code }, options) =>
      answer(() => {
        checkPassword(person, password);
        mustBeOn(true);
        checkCode(code);
        return newCodes();
      }, options),
    disable: ({ password, code }, options) =>
      answer(() => {
        checkPassword(person, password);
        mustBeOn(true);
        checkCode(code);
        Object.assign(person, { is_on: false, secret: null, recovery_codes: [] });
        return null;
      }, options),
  };
}

const letters = (count: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[byte % 32]).join('');

function checkPassword(person: DemoPerson, password: string | undefined, path = 'password') {
  const wrong = new ApiError('password_wrong');
  if (password !== person.password) throw new ApiError('password_wrong', { errors: [{ path, message: wrong.message }] });
}

function endOthers(person: DemoPerson): null {
  person.sessions = person.sessions.filter(({ is_current }) => is_current);
  return null;
}
