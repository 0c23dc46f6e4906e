import { toNetworkKey } from '@paddock/network';

// The first match counts: browsers name their ancestors too, as in 'Chrome/126.0 Safari/537.36 Edg/126.0'.
const browsers: [RegExp, string][] = [
  [/\bEdg(e|A|iOS)?\//, 'Edge'],
  [/\b(OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(Firefox|FxiOS)\//, 'Firefox'],
  [/\b(HeadlessChrome|Chrome|CriOS|Chromium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
];
const firstFit = (list: [RegExp, string][], text: string) => list.find(([pattern]) => pattern.test(text))?.[1];

/** 'Firefox on Linux' for a browser, 'curl' for a program: enough for people to recognise their own, and stable across updates. */
export function describeDevice(user_agent: string): string {
  const program = /^[\w.-]{1,40}/.exec(user_agent)?.[0] ?? 'Unknown device';
  if (program !== 'Mozilla') return program;
  const [browser = 'Browser', system] = [firstFit(browsers, user_agent), firstFit(systems, user_agent)];
  return system ? `${browser} on ${system}` : browser;
}

/** The network of a sign-in: /24 of IPv4, /48 of IPv6. Wide enough that an address that changes daily stays in the same network. */
export function toNeighbourhood(ip: string): string {
  const network = toNetworkKey(ip);
  return network.includes(':') ? `${network.split(':').slice(0, 3).join(':')}::/48` : `${network.split('.').slice(0, 3).join('.')}.0/24`;
}
