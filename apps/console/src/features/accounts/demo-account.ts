import { isSameAddress } from '@paddock/contract/email-address';
import type { Session } from '../../api/session.ts';

export const demoEmail = 'demo@paddock.dev';
export const demoPassword = 'paddock-demo';

export const demoUser = { id: 'usr_demo', email: demoEmail, name: 'Demo User', plan: 'pro', email_verified: true };

/** A session for the fixed demo credentials, which never reach the server; null for all others. */
export function demoSession(email: string, password: string): Session | null {
  if (!isSameAddress(email, demoEmail) || password !== demoPassword) return null;
  return { token: `demo-token-${random(8)}`, user: demoUser };
}

/** The key that the command line gets in demo mode: it looks like a key and grants nothing. */
export const demoKey = () => `pk_demo_${random(20)}`;

// randomUUID is missing on plain HTTP.
const random = (bytes: number) =>
  Array.from(crypto.getRandomValues(new Uint8Array(bytes)), (byte) => byte.toString(16).padStart(2, '0')).join('');
