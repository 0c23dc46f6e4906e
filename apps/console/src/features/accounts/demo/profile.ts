import type { Client } from '@paddock/client';
import { isSameAddress } from '@paddock/contract/email-address';
import { ApiError } from '@paddock/contract/errors';
import type { contract } from '@paddock/contract/routes';
import { passwordProblem } from '@paddock/contract/rules';
import { answer } from '../../../demo/answering.ts';
import { checkPassword, createDemoPerson, type DemoPerson } from './person.ts';

/** Changes the person in place, since the other demo endpoints hold the same object. */
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
    // The demo sends no mail, so there is no link to open.
    confirmEmail: () => Promise.reject(new ApiError('link_invalid')),
    sessions: (_input, options) => answer(() => ({ sessions: person.sessions }), options),
    session: ({ id }, options) =>
      answer(() => {
        const session = person.sessions.find((each) => each.id === id);
        if (!session) throw new ApiError('session_not_found');
        return session;
      }, options),
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

function endOthers(person: DemoPerson): null {
  person.sessions = person.sessions.filter(({ is_current }) => is_current);
  return null;
}
