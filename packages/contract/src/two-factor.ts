import * as z from 'zod';
import { nothing } from './lists.ts';
import { ownPassword, ownPasswordErrors } from './profile.ts';
import { route } from './route.ts';

/** Six digits of the authenticator app, or a recovery code. Spaces and hyphens are ignored. */
export const secondFactorCode = z.string().trim().min(1, 'Enter the code').max(64);

/** Password and code, to change how the second factor works. */
export const TwoFactorProof = z.strictObject({ password: ownPassword, code: secondFactorCode });

export const RecoveryCodes = z.object({
  recovery_codes: z.array(z.string()).meta({ description: 'Ten codes that work once each; told here and never again' }),
});

export const twoFactor = {
  setUp: route({
    method: 'POST',
    frees: true,
    path: '/auth/two-factor',
    answer: 'secret',
    access: 'session',
    summary: 'Get a secret for an authenticator app; it counts once a code of it was confirmed',
    note: 'The app makes codes of six digits every 30 seconds with SHA-1. Confirm one within the hour.',
    // Not audited: the secret protects nothing before one of its codes is confirmed.
    audit: false,
    errors: [...ownPasswordErrors, 'second_factor_on'],
    input: z.strictObject({ password: ownPassword }),
    output: z.object({ secret: z.string(), uri: z.string().meta({ description: 'otpauth:// address, for a QR code' }) }),
  }),
  confirm: route({
    method: 'POST',
    path: '/auth/two-factor/confirm',
    answer: 'secret',
    access: 'session',
    summary: 'Switch two-factor sign-in on by the first code; gives the recovery codes',
    note: 'A code works once, from 30 seconds before its time to 30 seconds after it.',
    audit: 'second-factor.enable',
    errors: ['second_factor_off', 'second_factor_on', 'code_wrong', 'too_many_attempts'],
    input: z.strictObject({ code: secondFactorCode }),
    output: RecoveryCodes,
  }),
  renewRecoveryCodes: route({
    method: 'POST',
    path: '/auth/two-factor/recovery-codes',
    answer: 'secret',
    access: 'session',
    summary: 'Replace the recovery codes by ten new ones',
    audit: 'second-factor.renew-codes',
    errors: [...ownPasswordErrors, 'second_factor_off', 'code_wrong'],
    input: TwoFactorProof,
    output: RecoveryCodes,
  }),
  disable: route({
    method: 'POST',
    path: '/auth/two-factor/disable',
    access: 'session',
    status: 204,
    summary: 'Switch two-factor sign-in off',
    audit: 'second-factor.disable',
    errors: [...ownPasswordErrors, 'second_factor_off', 'code_wrong'],
    input: TwoFactorProof,
    output: nothing,
  }),
};
