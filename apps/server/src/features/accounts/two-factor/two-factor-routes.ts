import { ApiError, twoFactor } from '@paddock/contract';
import type { Tx } from '../../../db/connect.ts';
import type { Person } from '../../../http/authenticate.ts';
import { type Caller, serve } from '../../../http/serve.ts';
import type { SendMail } from '../../../mail/mails.ts';
import type { Reauthenticate } from '../profile/reauthenticate.ts';
import { type SecondFactor, wrongCode } from './two-factor.ts';

interface Deps {
  secondFactor: SecondFactor;
  reauthenticate: Reauthenticate;
  sendMail: SendMail;
}

export const twoFactorRoutes = ({ secondFactor, reauthenticate, sendMail }: Deps) => {
  const tell =
    (enabled: boolean, { name, email }: { name: string; email: string }, { ip, user_agent }: Caller) =>
    (tx: Tx) =>
      sendMail('second-factor-changed', { to: email, data: { name, enabled, at: new Date(), ip, user_agent } }, tx);

  /** Requires password and code again, so that an open browser is not enough to remove the protection. */
  async function prove(actor: Person, password: string | undefined, code: string) {
    await reauthenticate(actor, password);
    if (!(await secondFactor.isOn(actor.user_id))) throw new ApiError('second_factor_off');
    if (!(await secondFactor.check(actor.user_id, code, actor))) throw wrongCode();
  }

  return serve(twoFactor, {
    async setUp({ password }, { actor }) {
      const { email } = await reauthenticate(actor, password);
      return secondFactor.begin(actor.user_id, email);
    },

    async confirm({ code }, { actor, ...caller }) {
      return { recovery_codes: await secondFactor.confirm(actor, code, tell(true, actor, caller)) };
    },

    async renewRecoveryCodes({ password, code }, { actor }) {
      await prove(actor, password, code);
      return { recovery_codes: await secondFactor.renewRecoveryCodes(actor.user_id) };
    },

    async disable({ password, code }, { actor, ...caller }) {
      await prove(actor, password, code);
      await secondFactor.remove(actor.user_id, tell(false, actor, caller));
      return null;
    },
  });
};
