/** Maximum logged length. A stranger chooses the length of an address, and the rest is not useful. */
const longest = 1_000;
/** The spelling of names in our own calls. Some readers may decode any other spelling to a secret's name. */
const plainName = /^[a-z][a-z_]{0,40}$/;
const secret = /token|ticket|code|state|secret|password|key|auth|session|signature|email/;
/** Values that decode to themselves, and cannot contain a second parameter under any parsing rules. */
const plainValue = /^[\w.:~,@ -]{0,200}$/;

/**
 * A request's address in the form that may be logged. The value of a query parameter is kept only if name and value are plainly spelled and
 * the name is not a secret's: `token`, `%74oken` and `Token` are the same name to some readers of the query. Text before the path, such as
 * a user and a password, is removed as well.
 */
export function loggedUrl(url: string): string {
  const cut = url.length > longest ? url.slice(0, longest) : url;
  const path = cut.startsWith('/') ? cut : cut.replace(/^[a-z]+:\/\/[^/?#]*/i, '');
  const query = path.indexOf('?');
  const logged = query < 0 ? path : `${path.slice(0, query)}?${loggedQuery(path.slice(query + 1))}`;
  return url.length > longest ? `${logged}…` : logged;
}

function loggedQuery(query: string): string {
  return query
    .split('&')
    .map((part) => {
      const equals = part.indexOf('=');
      if (equals < 0) return plainName.test(part) ? part : part && '[redacted]';
      const [name, value] = [part.slice(0, equals), part.slice(equals + 1)];
      return plainName.test(name) && !secret.test(name) && plainValue.test(value) ? part : `${shownName(name)}=[redacted]`;
    })
    .join('&');
}

/** A name that is not plainly spelled may itself contain a secret. */
const shownName = (name: string) => (plainName.test(name) ? name : '[redacted]');
