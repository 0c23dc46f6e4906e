import { ask, askSecret, readStdin } from './ask.ts';
import type { Context } from './context.ts';
import { messageOf, usage } from './failures.ts';
import type { Api } from './send.ts';

export interface SignInOptions {
  email?: string;
  passwordStdin?: boolean;
}

/** For calls that API keys may not make: signs the person in for the duration of the work, and always ends the session. */
export async function withSession<T>(context: Context, options: SignInOptions, work: (api: Api) => Promise<T>): Promise<T> {
  const email = options.email ?? (await ask(context, 'E-mail'));
  if (!email) throw usage('Give your e-mail address.');
  const password = options.passwordStdin ? (await readStdin(context)).replace(/\r?\n$/, '') : await askSecret(context, 'Password');
  const token = await signIn(context, email, password);
  const api = await context.api(token);
  try {
    return await work(api);
  } finally {
    await api.accounts.logout().catch((error: unknown) => {
      context.terminal.note(`The session could not be ended and lives up to 12 hours: ${messageOf(error)}`);
    });
  }
}

async function signIn(context: Context, email: string, password: string): Promise<string> {
  const { accounts } = await context.api();
  const signInWith = (code?: string) => accounts.login({ email, password, ...(code === undefined ? {} : { code }) });
  try {
    return (await signInWith()).token;
  } catch (error) {
    if ((error as { code?: string }).code !== 'second_factor_required') throw error;
    return (await signInWith(await ask(context, 'Code of your authenticator app'))).token;
  }
}
