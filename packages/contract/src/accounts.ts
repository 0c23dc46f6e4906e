import * as z from 'zod';
import { nothing } from './lists.ts';
import { route } from './route.ts';
import { maxPasswordLength, minPasswordLength, passwordRule } from './rules.ts';

export const User = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  plan: z.string().meta({ description: 'Id of the plan in force: free, starter, pro or enterprise' }),
  email_verified: z.boolean(),
});
export type User = z.infer<typeof User>;

/** The answer to a sign-in. */
export const SignIn = z.object({ token: z.string(), user: User });

/** Stored as typed. Text that mail programs read as several addresses, or as a name with an address, is refused. */
export const email = z
  .string()
  .trim()
  .max(254)
  .regex(/^[^\s@<>()[\],;:"\\\p{Cc}]+@[^\s@<>()[\],;:"\\\p{Cc}]+$/u, 'Enter an e-mail address');

/** A single line, because mails begin with it. */
export const personName = z
  .string()
  .trim()
  .min(1, 'Enter your name')
  .max(120)
  .regex(/^[^\p{Cc}\u2028\u2029]*$/u, 'A name has no line breaks or control characters');

const password = z
  .string()
  .min(minPasswordLength, `Password must be at least ${minPasswordLength} characters`)
  .max(maxPasswordLength)
  .meta({ description: passwordRule });
const linkToken = z
  .string()
  .min(1)
  .max(200)
  .meta({ description: 'What follows `#token=` in the mailed link. It works once, and a newer mail of its kind voids it' });

export const accounts = {
  signup: route({
    method: 'POST',
    path: '/auth/signup',
    access: 'public',
    status: 201,
    location: '/auth/me',
    summary: 'Create an account with its personal team. Answers the same when the address has one; its owner is told by mail',
    note: 'A mail with a link verifies the address.',
    audit: 'account.create',
    errors: ['too_many_attempts'],
    input: z.strictObject({
      email,
      password,
      name: personName,
    }),
    output: z.object({ user: User }),
  }),
  login: route({
    method: 'POST',
    frees: true,
    path: '/auth/login',
    answer: 'secret',
    access: 'public',
    summary: 'Sign in and get a session token',
    note: 'A wrong password and an unknown address get the same answer.',
    audit: 'session.open',
    errors: ['credentials_wrong', 'second_factor_required', 'second_factor_wrong', 'too_many_attempts'],
    input: z.strictObject({
      email: z.string().max(254),
      password: z.string().max(maxPasswordLength),
      code: z
        .string()
        .trim()
        .max(64)
        .optional()
        .meta({ description: 'With two-factor sign-in: six digits of the authenticator app, or a recovery code' }),
      remember: z.boolean().default(false).meta({ description: 'True: the session lives 30 days, else 12 hours' }),
    }),
    output: SignIn,
  }),
  logout: route({
    method: 'POST',
    frees: true,
    path: '/auth/logout',
    access: 'session',
    status: 204,
    summary: 'End this session',
    audit: 'session.close',
    input: z.strictObject({}),
    output: nothing,
  }),
  me: route({
    method: 'GET',
    path: '/auth/me',
    access: 'session',
    summary: 'The signed-in person',
    input: z.strictObject({}),
    output: User,
  }),
  forgot: route({
    method: 'POST',
    path: '/auth/forgot-password',
    access: 'public',
    status: 204,
    summary: 'Mail a link for a new password, if the address has an account. The answer does not tell',
    // Not audited: the server looks up the account only after it has responded.
    audit: false,
    errors: ['too_many_attempts'],
    input: z.strictObject({ email }),
    output: nothing,
  }),
  reset: route({
    method: 'POST',
    path: '/auth/reset-password',
    access: 'public',
    status: 204,
    summary: 'Set a new password by the token of a mailed link; ends every session of the account',
    note: 'The link works for an hour.',
    audit: 'password.reset',
    errors: ['link_invalid', 'too_many_attempts'],
    input: z.strictObject({ token: linkToken, password }),
    output: nothing,
  }),
  verify: route({
    method: 'POST',
    path: '/auth/verify-email',
    access: 'public',
    summary: 'Confirm an e-mail address by the token of a mailed link',
    note: 'The link works for three days.',
    audit: 'email.verify',
    errors: ['link_invalid', 'too_many_attempts'],
    input: z.strictObject({ token: linkToken }),
    output: z.object({ email: z.string().meta({ description: 'The address that is verified now' }) }),
  }),
  resendVerification: route({
    method: 'POST',
    path: '/auth/verify-email/resend',
    access: 'session',
    status: 204,
    summary: 'Mail the link that confirms the e-mail address again; nothing is sent when it is verified',
    // Not audited: the call only sends a mail again.
    audit: false,
    errors: ['too_many_attempts'],
    input: z.strictObject({}),
    output: nothing,
  }),
};
