import * as fc from 'fast-check';

export const MAPPED = 0xffffn << 32n;

/** The notations in which programs write an IPv6 address: in full, short, in capitals, with the last groups as IPv4, with a zone. */
export const spellings6 = (value: bigint): string[] => {
  const groups = groupsOf(value).map((group) => group.toString(16));
  const full = groups.join(':');
  const short = new URL(`http://[${full}]`).hostname.slice(1, -1);
  const dotted = `${groups.slice(0, 6).join(':')}:${spelling4(value & 0xffffffffn)}`;
  return [
    full,
    short,
    full.toUpperCase(),
    groups.map((group) => group.padStart(4, '0')).join(':'),
    dotted,
    `${short}%eth0`,
    `${full}%br-1.2`,
  ];
};

export const spelling4 = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');

export const groupsOf = (value: bigint): number[] =>
  Array.from({ length: 8 }, (_, at) => Number((value >> BigInt(112 - 16 * at)) & 0xffffn));

/** Texts that some programs read as addresses, and no part of Paddock does. */
export const noAddresses = [
  ...['', ' ', '10.0.0.1 ', ' 10.0.0.1', '10.0.0.1\n', '10.0.0.1\0', '１0.0.0.1', '10.0.0.1%eth0', '[::1]', 'localhost', 'loopback'],
  ...[
    '127.1',
    '127.0.1',
    '0177.1',
    '0177.0.0.1',
    '010.0.0.1',
    '0x7f.1',
    '0x7f.0.0.1',
    '0x7f000001',
    '2130706433',
    '1.2.3.4.5',
    '256.0.0.1',
  ],
  ...[
    '::ffff:127.1',
    '::ffff:0177.0.0.1',
    '::ffff:010.0.0.1',
    '::ffff:256.0.0.1',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '12345::',
    '1::2::3',
  ],
  ...['::1%', ':::', ':', '.', '%', '/', '::g'],
];

/** Longer than any address; most begin like an address. */
export const tooLong = ['1', '1.', '0', ':', '::', '1:', 'f', '%', '/', ' '].flatMap((piece) =>
  ['', '10.0.0.1', '::1', 'fe80::1%', '::ffff:10.0.0.1', '::ffff:'].map((start) => start + piece.repeat(100_000)),
);

const inBits = (bits: number) => fc.bigInt({ min: 0n, max: (1n << BigInt(bits)) - 1n });
export const value4 = inBits(32);
/** Half of them are in the ranges that contain IPv4 addresses. */
export const value6 = fc.oneof(
  inBits(128),
  fc
    .tuple(fc.constantFrom(0n, MAPPED, MAPPED << 16n, 0x64ff9bn << 96n, 0x2002n << 112n, 0x2001n << 112n), inBits(32))
    .map(([first, last]) => first | last),
);
