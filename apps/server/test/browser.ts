interface Answer {
  status: number;
  code: string | undefined;
  token: string | undefined;
  headers: Headers;
}

/** A browser reduced to its cookies: it sends those that were set. */
export function browser(origin: string, kept = '') {
  let cookie = kept;
  return {
    cookie: () => cookie,
    async post(path: string, body: Record<string, unknown>, token?: string): Promise<Answer> {
      const answer = await fetch(`${origin}/api/v1${path}`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          ...(cookie ? { cookie } : {}),
          ...(token ? { authorization: `Bearer ${token}` } : {}),
        },
        body: JSON.stringify(body),
      });
      const told = answer.headers.getSetCookie()[0]?.split(';')[0];
      if (told) cookie = told;
      const text = await answer.text();
      const { code, token: opened } = (text === '' ? {} : JSON.parse(text)) as { code?: string; token?: string };
      return { status: answer.status, code, token: opened, headers: answer.headers };
    },
  };
}
