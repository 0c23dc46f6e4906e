import { test } from 'node:test';
import { holds } from '../../test/matches.ts';

test('addresses of IPv4 and IPv6 are found, loopback as well', () => {
  holds('IP Address', [
    'from «192.168.17.4»:8080 to http://«10.0.0.1»/x, «127.0.0.1», «0.0.0.0», «10.1.0.0»/16',
    '«2001:db8::8a2e:370:7334», [«2001:db8::1»]:443, «fe80::1ff:fe23:4567:890a»%eth0, «::ffff:192.0.2.1»',
    '«2001:0db8:85a3:0000:0000:8a2e:0370:7334».',
    'ping «::1»',
    '{"client_ip":"«1.2.3.4»"}',
    'the server «1.2.3.4» answers',
  ]);
});

test('versions, times, hardware addresses and code are no addresses', () => {
  holds('IP Address', [
    'version 1.2.3.4, v1.2.3.4, pkg==1.2.3.4, Chrome/91.0.44.124, 1.2.3.4-rc1, release 10.20.30.40',
    '256.1.1.1, 1.2.3, 1.2.3.4.5, 01.02.03.04',
    'std::vector, Face::add, a::b, 12:30:45, 2024-05-11T10:30:45',
    'aa:bb:cc:dd:ee:ff, 00:11:22:33:44:55:66:77',
    'x[::2], items[::1]',
  ]);
});
