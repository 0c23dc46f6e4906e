import { ApiError } from '@paddock/contract/errors';

const reasons: Record<string, string> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no host of that name',
  EAI_AGAIN: 'the name of the host could not be looked up',
  EHOSTUNREACH: 'the host has no route from here',
  ENETUNREACH: 'the network has no route from here',
  ETIMEDOUT: 'the host does not answer',
  UND_ERR_CONNECT_TIMEOUT: 'the host does not answer',
  UND_ERR_HEADERS_TIMEOUT: 'the answer did not come in time',
  UND_ERR_BODY_TIMEOUT: 'the answer broke off',
  UND_ERR_SOCKET: 'the connection was closed before the answer',
  ECONNRESET: 'the connection was closed before the answer',
  EPIPE: 'the connection was closed before the answer',
  ERR_SSL_WRONG_VERSION_NUMBER: 'it does not speak https there; try http://',
  ERR_SSL_PACKET_LENGTH_TOO_LONG: 'it does not speak https there; try http://',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another name',
};
/** Node's codes for certificates that no known authority has signed. */
const untrusted =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET_ISSUER_CERT|GET_ISSUER_CERT_LOCALLY|VERIFY_LEAF_SIGNATURE))$/;

const wayOut = 'Check that the server runs, and its address: --url, PADDOCK_URL or the last login.';

/** The error for a missing response. It names the address, the cause and the remedy. */
export function unreachable(origin: string, cause: unknown): ApiError {
  return new ApiError('network', {
    detail: `The server at ${origin} cannot be reached: ${describeConnectionError(cause)}. ${wayOut}`,
    cause,
  });
}

/** The error for a response that no Paddock server gives. */
export const notPaddock = (origin: string, status: number) =>
  `${origin} answered with status ${status}, but not as a Paddock server does. ${wayOut}`;

const maxDepth = 5;

function describeConnectionError(cause: unknown): string {
  let error = cause;
  for (let depth = 0; error instanceof Error && depth < maxDepth; depth += 1) {
    const { code = '' } = error as { code?: unknown };
    const known = typeof code === 'string' ? reasons[code] : undefined;
    if (known !== undefined) return known;
    if (typeof code === 'string' && untrusted.test(code))
      return 'its certificate is signed by an authority that is not known here (NODE_EXTRA_CA_CERTS names a file with further ones)';
    if (error.name === 'HTTPParserError' || (typeof code === 'string' && code.startsWith('HPE_'))) return 'it does not speak HTTP there';
    if (error.name === 'TimeoutError') return 'the answer did not come in time';
    if (error.cause === undefined) return error.message || String(code) || error.name;
    error = error.cause;
  }
  return 'the connection failed';
}
