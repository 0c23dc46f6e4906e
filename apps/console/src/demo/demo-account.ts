import type { Session } from '../app/session.ts';

export const demoEmail = 'demo@paddock.dev';
export const demoPassword = 'paddock-demo';

export const demoUser = { id: 'usr_demo', email: demoEmail, name: 'Demo User', plan: 'pro', email_verified: true };

/** A session for the fixed demo credentials, which never reach the server; null for all others. */
export function demoSession(email: string, password: string): Session | null {
  if (email.trim().toLowerCase() !== demoEmail || password !== demoPassword) return null;
  // randomUUID is missing on plain HTTP.
  const random = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return { token: `demo-token-${random}`, user: demoUser };
}
