import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDevice, toNeighbourhood } from './devices.ts';

const webkit = 'AppleWebKit/537.36 (KHTML, like Gecko)';

test('a device is named by browser and system, whatever their versions', () => {
  const names: [string, string][] = [
    ['Mozilla/5.0 (X11; Linux x86_64; rv:130.0) Gecko/20100101 Firefox/130.0', 'Firefox on Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36`, 'Chrome on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/126.0.0.0 Safari/537.36 Edg/126.0.2592.87`, 'Edge on Windows'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/124.0.0.0 Safari/537.36 OPR/110.0.0.0`, 'Opera on Windows'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${webkit} Chrome/126.0.0.0 Mobile Safari/537.36`, 'Chrome on Android'],
    [
      `Mozilla/5.0 (Linux; Android 14; SM-S911B) ${webkit} SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36`,
      'Samsung Internet on Android',
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1',
      'Chrome on iPhone',
    ],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${webkit} Chrome/126.0.0.0 Safari/537.36`, 'Chrome on ChromeOS'],
    ['Mozilla/5.0 (Something)', 'Browser'],
    ['paddock/0.2.0 linux', 'paddock'],
    ['curl/8.5.0', 'curl'],
    ['node', 'node'],
    ['<script>alert(1)</script>', 'Unknown device'],
    ['', 'Unknown device'],
  ];
  for (const [user_agent, name] of names) assert.equal(describeDevice(user_agent), name, user_agent);
});

test('neighbouring addresses are one place', () => {
  assert.equal(toNeighbourhood('192.0.2.7'), toNeighbourhood('::ffff:192.0.2.250'));
  assert.notEqual(toNeighbourhood('192.0.2.7'), toNeighbourhood('192.0.3.7'));
  assert.equal(toNeighbourhood('2001:db8:1::1'), toNeighbourhood('2001:db8:1:7::1'));
  assert.notEqual(toNeighbourhood('2001:db8:1::1'), toNeighbourhood('2001:db8:2::1'));
});
