import type { Tx } from '../../../db/connect.ts';
import type { SendMail } from '../../../mail/mails.ts';

export interface AlertMail {
  /** Subject line of the mail. */
  title: string;
  message: string;
  deployment_id?: string | undefined;
}

/** Mails the people of a team. */
export const createNotify =
  (sendMail: SendMail) =>
  async (tx: Tx, team_id: string, { title, message, deployment_id }: AlertMail): Promise<void> => {
    const people = await tx<{ name: string; email: string }[]>`
      select u.name, u.email
      from team_members m
      join users u on u.id = m.user_id
      where m.team_id = ${team_id}`;
    for (const { name, email } of people) {
      const data = { name, title, detail: message, ...(deployment_id ? { deployment_id } : {}) };
      await sendMail('alert', { to: email, data }, tx);
    }
  };
export type Tell = ReturnType<typeof createNotify>;
