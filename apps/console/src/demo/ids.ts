/** Ids of the sample data are the same after every reload, so that an address of the demo can be kept and shared. */
export const sampleId = (prefix: string, number: number) => `${prefix}_${uuid(0x019aa0000000 + number * 0x1f3d5, mixed(number))}`;

/** An id in the server's format: time first, then random bits. */
export function freshId(prefix: string): string {
  const chance = crypto.getRandomValues(new Uint8Array(10));
  return `${prefix}_${uuid(Date.now(), [...chance].map((byte) => byte.toString(16).padStart(2, '0')).join(''))}`;
}

function uuid(time: number, chance: string): string {
  const stamp = time.toString(16).padStart(12, '0');
  return `${stamp.slice(0, 8)}-${stamp.slice(8)}-7${chance.slice(0, 3)}-a${chance.slice(3, 6)}-${chance.slice(6, 18)}`;
}

// Any deterministic mixing will do: these ids only have to look like ids and differ.
const mixed = (number: number) =>
  Array.from({ length: 20 }, (_, index) => (Math.imul(number * 20 + index + 1, 0x9e3779b1) >>> 28).toString(16)).join('');
