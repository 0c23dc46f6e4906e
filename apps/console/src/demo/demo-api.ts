import { type Client, createClient, type Send } from '@paddock/client';
import { contract } from '@paddock/contract';
import { ApiError } from '@paddock/contract/errors';
import { demoUser } from './demo-account.ts';

/** The API in memory, for the demo account. */
export const demoApi = (): Client<typeof contract> => createClient(contract, send);

const send: Send = async ({ method, url }) => {
  if (method === 'GET' && url === '/auth/me') return demoUser;
  if (method === 'POST' && url === '/auth/logout') return null;
  throw new ApiError('route_not_found');
};
