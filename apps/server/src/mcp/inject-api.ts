import { type ApiRequest, type Client, createClient, type Send } from '@paddock/client';
import { parseAnswer } from '@paddock/client/answer';
import { contract } from '@paddock/contract/routes';
import type { FastifyInstance } from 'fastify';

/** The caller on whose behalf the API is called. */
export interface Caller {
  /** The header with the key. */
  authorization: string;
  ip: string;
  user_agent: string;
}

export type Api = Client<typeof contract>;

/**
 * The typed API, called within this process as by a request of the caller: with its key's scopes and rate, and its address in the audit
 * trail.
 */
export const injectedApi = (app: FastifyInstance, caller: Caller): Api => createClient(contract, sendBy(app, caller));

const sendBy =
  (app: FastifyInstance, { authorization, ip, user_agent }: Caller): Send =>
  async ({ method, url, body, form }) => {
    const { payload, type } = form === undefined ? encodeJson(body) : await encodeForm(form);
    const {
      statusCode,
      headers,
      body: text,
    } = await app.inject({
      method,
      url: `/api/v1${url}`,
      remoteAddress: ip,
      headers: { authorization, 'user-agent': user_agent, ...(type === undefined ? {} : { 'content-type': type }) },
      ...(payload === undefined ? {} : { payload }),
    });
    const header = (name: string) => {
      const value = headers[name];
      return value === undefined ? null : String(value);
    };
    return parseAnswer({ status: statusCode, header, text });
  };

interface Encoded {
  payload?: Buffer | string;
  type?: string;
}

const encodeJson = (body: unknown): Encoded => (body === undefined ? {} : { payload: JSON.stringify(body), type: 'application/json' });

async function encodeForm({ fields, file_field, file, file_name }: NonNullable<ApiRequest['form']>): Promise<Encoded> {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) data.set(name, String(value));
  data.set(file_field, file, file_name);
  const encoded = new Response(data);
  return { payload: Buffer.from(await encoded.arrayBuffer()), type: encoded.headers.get('content-type') ?? '' };
}
