import * as z from 'zod';
import { email, personName, User } from './accounts.ts';
import { id, nothing, timestamp } from './lists.ts';
import { route } from './route.ts';
import { maxPasswordLength, minPasswordLength, passwordRule } from './rules.ts';

/**
 * The user's own password, entered again. Accounts without a password instead need a session that was opened within the last 10 minutes.
 */
export const ownPassword = z.string().max(maxPasswordLength).optional().meta({
  description: 'The current password; an account without one leaves it out and needs a session opened within the last 10 minutes',
});

/** The errors of a call that requires the own password again. */
export const ownPasswordErrors = ['password_wrong', 'sign_in_again', 'too_many_attempts'] as const;

export const Profile = User.extend({
  has_password: z.boolean().meta({ description: 'False for an account that only signs in through providers' }),
  second_factor: z.object({
    is_on: z.boolean(),
    recovery_codes_left: z.number().int(),
  }),
  pending_email: z.string().nullable().meta({ description: 'The new address that was mailed a link which has not been opened' }),
});
export type Profile = z.infer<typeof Profile>;

export const SessionInfo = z.object({
  id: id('ses'),
  created_at: timestamp,
  last_used_at: timestamp,
  expires_at: timestamp,
  ip: z.string().meta({ description: 'Where it was used last, at most a minute old' }),
  device: z.string().meta({ description: 'What its browser says of itself, as in "Firefox on Linux"' }),
  is_current: z.boolean(),
});
export type SessionInfo = z.infer<typeof SessionInfo>;

const newPassword = z
  .string()
  .min(minPasswordLength, `Password must be at least ${minPasswordLength} characters`)
  .max(maxPasswordLength)
  .meta({ description: passwordRule });

export const profile = {
  get: route({
    method: 'GET',
    path: '/auth/profile',
    access: 'session',
    summary: 'The signed-in person with what secures the account',
    input: z.strictObject({}),
    output: Profile,
  }),
  update: route({
    method: 'PUT',
    path: '/auth/me',
    access: 'session',
    summary: 'Change the own name',
    audit: 'account.update',
    input: z.strictObject({ name: personName }),
    output: User,
  }),
  changePassword: route({
    method: 'PUT',
    path: '/auth/password',
    access: 'session',
    status: 204,
    summary: 'Change the password, or set a first one; ends all other sessions',
    note: 'Their live logs are closed within 5 seconds.',
    audit: 'password.change',
    errors: [...ownPasswordErrors],
    input: z.strictObject({ current_password: ownPassword, new_password: newPassword }),
    output: nothing,
  }),
  changeEmail: route({
    method: 'POST',
    path: '/auth/email',
    access: 'session',
    status: 204,
    summary: 'Mail a link to a new e-mail address; the address before stays until it is opened',
    note: 'The address before gets a mail about it. The answer does not show whether another account has the new address; confirming does.',
    audit: 'email.ask-change',
    errors: [...ownPasswordErrors],
    input: z.strictObject({ email, password: ownPassword }),
    output: nothing,
  }),
  confirmEmail: route({
    method: 'POST',
    path: '/auth/email/confirm',
    access: 'public',
    status: 204,
    summary: 'Change to the new e-mail address by the token of its link; ends the sessions that did not ask for it',
    note: 'The link works once, within an hour.',
    audit: 'email.change',
    errors: ['link_invalid', 'email_taken', 'too_many_attempts'],
    input: z.strictObject({ token: z.string().max(200) }),
    output: nothing,
  }),
  sessions: route({
    method: 'GET',
    path: '/auth/sessions',
    access: 'session',
    summary: 'Own sessions, the last used first',
    input: z.strictObject({}),
    output: z.object({ sessions: z.array(SessionInfo) }),
  }),
  session: route({
    method: 'GET',
    path: '/auth/sessions/:id',
    access: 'session',
    summary: 'One of the own sessions',
    errors: ['session_not_found'],
    input: z.strictObject({ id: id('ses') }),
    output: SessionInfo,
  }),
  endSession: route({
    method: 'DELETE',
    path: '/auth/sessions/:id',
    access: 'session',
    status: 204,
    summary: 'End one of the own sessions',
    audit: 'session.close',
    errors: ['session_not_found'],
    input: z.strictObject({ id: id('ses') }),
    output: nothing,
  }),
  endOtherSessions: route({
    method: 'POST',
    path: '/auth/sessions/end-others',
    access: 'session',
    status: 204,
    summary: 'End all own sessions but this one',
    audit: 'session.close-others',
    input: z.strictObject({}),
    output: nothing,
  }),
  deleteAccount: route({
    method: 'POST',
    path: '/auth/delete-account',
    access: 'session',
    status: 204,
    summary: 'Delete the account with its sessions and keys, and the projects of a team that nobody else belongs to',
    note: 'Sessions and keys end at once; the agents of those projects are stopped.',
    audit: 'account.delete',
    errors: [...ownPasswordErrors],
    input: z.strictObject({
      password: ownPassword,
      confirmation: z.string().max(254).meta({ description: "The account's e-mail address, typed" }),
    }),
    output: nothing,
  }),
};
