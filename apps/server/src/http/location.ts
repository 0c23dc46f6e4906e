import type { Route } from '@paddock/contract';

/** The address of the created object, by the contract's template: `:name` comes from the request, `{name}` from the response. */
export function formatLocation({ location }: Route, params: unknown, body: unknown): string | undefined {
  const fill = (from: unknown, name: string) =>
    encodeURIComponent(String(name.split('.').reduce((within: unknown, field) => Object(within)[field], from)));
  const path = location?.replace(/:(\w+)|\{([\w.]+)\}/g, (_, ofRequest?: string, ofAnswer = '') =>
    ofRequest ? fill(params, ofRequest) : fill(body, ofAnswer),
  );
  return path === undefined ? undefined : `/api/v1${path}`;
}
