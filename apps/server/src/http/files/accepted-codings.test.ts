import assert from 'node:assert/strict';
import { test } from 'node:test';
import { acceptedCodings } from './accepted-codings.ts';

test('the form that is sent is one that the caller takes, and the one it wants most', () => {
  const cases: [string | undefined, string][] = [
    [undefined, 'identity'],
    ['', 'identity'],
    ['gzip, deflate, br, zstd', 'br gzip identity'],
    ['gzip', 'gzip identity'],
    ['x-gzip', 'gzip identity'],
    ['GZIP;Q=0.5 , BR;q=0.4', 'gzip br identity'],
    ['br;q=0, gzip;q=0', 'identity'],
    ['br;q=0.000, *', 'gzip identity'],
    ['*', 'br gzip identity'],
    ['*;q=0', 'identity'],
    ['*;q=0, gzip', 'gzip'],
    ['gzip, identity;q=0', 'gzip'],
    ['identity;q=0', 'identity'],
    ['identity, gzip;q=0.5', 'identity gzip'],
    ['deflate', 'identity'],
    ['br;q=2, gzip;q=1', 'br gzip identity'],
    ['br;q=0.001;x=y, gzip;q=0.002', 'gzip br identity'],
    [',,;q=1, ;', 'identity'],
  ];
  for (const [header, codings] of cases) assert.equal(acceptedCodings(header).join(' '), codings, header);
});
