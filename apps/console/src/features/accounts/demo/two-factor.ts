import type { Client } from '@paddock/client';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { answer } from '../../../demo/answering.ts';
import { checkPassword, type DemoPerson } from './person.ts';

const recoveryCodeCount = 10;

/** The demo cannot compute codes, since browsers forbid Web Crypto on plain HTTP: any six digits except 000000 are accepted. */
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
