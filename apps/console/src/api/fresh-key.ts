/** A new idempotency key: a request repeated with it takes effect once. Works on plain HTTP, where randomUUID is missing. */
export const freshKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
