import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Seal } from '../../../secrets/seal.ts';

/** A custom header: exporters parse values of `Authorization` with its space differently. */
export const credentialHeader = 'x-paddock-otlp';

/** The key from which the credentials of deployments are derived. Nothing is stored for them. */
export const credentialKey = (seal: Pick<Seal, 'fingerprint'>): Buffer => seal.fingerprint('credentials of OTLP');

export const credentialOf = (key: Uint8Array, deployment_id: string): string =>
  `${deployment_id}.${codeOf(key, deployment_id).toString('base64url')}`;

/** The deployment whose credential this is; undefined for anything else. */
export function readCredential(key: Uint8Array, credential: string | undefined): string | undefined {
  const [, deployment_id = '', code = ''] = /^(dep_[\w-]{1,60})\.([\w-]{43})$/.exec(credential ?? '') ?? [];
  if (deployment_id === '') return undefined;
  return timingSafeEqual(codeOf(key, deployment_id), Buffer.from(code, 'base64url')) ? deployment_id : undefined;
}

const codeOf = (key: Uint8Array, deployment_id: string): Buffer => createHmac('sha256', key).update(deployment_id).digest();
