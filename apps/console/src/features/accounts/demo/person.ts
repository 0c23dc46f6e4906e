import type { SessionInfo, User } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { dayMs, hourMs, minuteMs } from '@paddock/contract/time';
import { sampleId } from '../../../demo/ids.ts';
import { demoPassword, demoUser } from '../demo-account.ts';

/** Times are milliseconds before now. */
type SampleSession = { number: number; device: string; ip: string; used: number; created: number };

/** The demo's person, with sample sessions and a second factor. The password is the demo's until it is changed. */
export function createDemoPerson(now = Date.now()) {
  const ago = (ms: number) => new Date(now - ms).toISOString();
  const session = ({ number, device, ip, used, created }: SampleSession): SessionInfo => ({
    id: sampleId('ses', number),
    device,
    ip,
    last_used_at: ago(used),
    created_at: ago(created),
    expires_at: ago(created - 30 * dayMs),
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
      session({ number: 1, device: 'Chrome on Linux', ip: '203.0.113.24', used: 0, created: 2 * minuteMs }),
      session({ number: 2, device: 'Safari on iPhone', ip: '198.51.100.7', used: 3 * hourMs, created: 12 * dayMs }),
      session({ number: 3, device: 'Firefox on Windows', ip: '203.0.113.90', used: 5 * dayMs, created: 20 * dayMs }),
    ],
  };
}
export type DemoPerson = ReturnType<typeof createDemoPerson>;

/** Throws the server's error for a wrong password, reported at the given field. */
export function checkPassword(person: DemoPerson, password: string | undefined, path = 'password') {
  const wrong = new ApiError('password_wrong');
  if (password !== person.password) throw new ApiError('password_wrong', { errors: [{ path, message: wrong.message }] });
}
