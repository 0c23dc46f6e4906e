/** A browser may be known to several accounts; nobody uses more accounts than these from one browser. */
const maxTokens = 4;
const yearS = 365 * 24 * 3600;
/** Only the API receives the cookie: neither pages nor agents, which have other hosts. */
const path = '/api/v1';

export type DeviceCookie = ReturnType<typeof deviceCookie>;

/**
 * The cookie that identifies a known browser at a sign-in. It grants no access: it only keeps a stranger's wrong guesses from counting
 * against this browser, so no call needs CSRF protection because of it. Scripts cannot read it.
 */
export function deviceCookie(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? '__Secure-paddock_device' : 'paddock_device';
  return {
    /** The tokens that were sent, which may be forged. */
    read(header: string | undefined): string[] {
      const value = header
        ?.split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(`${name}=`))
        ?.slice(name.length + 1);
      const tokens = (value ?? '').split('.', maxTokens);
      return tokens.filter((token) => /^[\w-]{43}$/.test(token));
    },

    /** The Set-Cookie header with this token first, then the tokens that were sent before. */
    write(token: string, before: readonly string[]): string {
      const tokens = [...new Set([token, ...before])].slice(0, maxTokens);
      const value = `${name}=${tokens.join('.')}; Path=${path}; Max-Age=${yearS}; HttpOnly; SameSite=Strict`;
      return isSecure ? `${value}; Secure` : value;
    },
  };
}
