/** Maximum accounts that know a browser; nobody uses more from one browser. */
const maxTokens = 4;
const yearS = 365 * 24 * 3600;
/** The cookie is sent only to the API: not to pages, nor to agents, which have other hosts. */
const path = '/api/v1';

export type DeviceCookie = ReturnType<typeof deviceCookie>;

/**
 * The cookie that identifies a known browser at a sign-in. It grants no access: it only keeps a stranger's wrong guesses from counting
 * against this browser, so it makes no CSRF protection necessary. No script can read it.
 */
export function deviceCookie(publicUrl: string) {
  const isSecure = publicUrl.startsWith('https:');
  const name = isSecure ? '__Secure-paddock_device' : 'paddock_device';
  return {
    /** The tokens in the request, which may be forged. */
    read(header: string | undefined): string[] {
      const value = header
        ?.split(';')
        .map((part) => part.trim())
        .find((part) => part.startsWith(`${name}=`))
        ?.slice(name.length + 1);
      const tokens = (value ?? '').split('.', maxTokens);
      return tokens.filter((token) => /^[\w-]{43}$/.test(token));
    },

    /** The header that makes the browser send this token first, then the tokens that it sent before. */
    write(token: string, before: readonly string[]): string {
      const tokens = [...new Set([token, ...before])].slice(0, maxTokens);
      const value = `${name}=${tokens.join('.')}; Path=${path}; Max-Age=${yearS}; HttpOnly; SameSite=Strict`;
      return isSecure ? `${value}; Secure` : value;
    },
  };
}
