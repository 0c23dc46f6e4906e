import type { Route } from '@paddock/contract';

/** Where the thing that a call made is found, by the contract's template: `:name` of the request, `{name}` of the answer. */
export function locationOf({ location }: Route, params: unknown, body: unknown): string | undefined {
  const fill = (from: unknown, name: string) => encodeURIComponent(String(Object(from)[name]));
  const path = location?.replace(/:(\w+)|\{(\w+)\}/g, (_, ofRequest?: string, ofAnswer = '') =>
    ofRequest ? fill(params, ofRequest) : fill(body, ofAnswer),
  );
  return path === undefined ? undefined : `/api/v1${path}`;
}
