import type { Route } from '@paddock/contract';

/** The path of the created thing, by the contract's template: `:name` is taken from the request, `{name}` from the response. */
export function locationOf({ location }: Route, params: unknown, body: unknown): string | undefined {
  const fill = (from: unknown, name: string) =>
    encodeURIComponent(String(name.split('.').reduce((within: unknown, field) => Object(within)[field], from)));
  const path = location?.replace(/:(\w+)|\{([\w.]+)\}/g, (_, ofRequest?: string, ofAnswer = '') =>
    ofRequest ? fill(params, ofRequest) : fill(body, ofAnswer),
  );
  return path === undefined ? undefined : `/api/v1${path}`;
}
