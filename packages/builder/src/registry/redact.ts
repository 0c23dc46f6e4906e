import { withoutLogin } from './without-login.ts';

/** Removes secrets from lines and messages: known values, and logins in addresses. */
export function redactor(secrets: string[]): (text: string) => string {
  const known = [...new Set(secrets)].filter((s) => s.length >= 4).sort((a, b) => b.length - a.length);
  return (text) => {
    const clean = known.reduce((result, secret) => result.replaceAll(secret, '***'), text);
    return withoutLogin(clean);
  };
}
