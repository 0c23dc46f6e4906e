import { test } from 'node:test';
import { holds } from '../../../test/matches.ts';

test('phone numbers are found as they are written in North America, with their extensions', () => {
  holds('Phone', [
    'Call «(212) 555-0147» or «212-555-0147» or «212.555.0147» or «1-212-555-0147»',
    'call me at «2125550147»',
    '«+1 212 555 0147», «+12125550147», «001-212-555-0147»',
    '«(212) 555-0147 ext. 12», «212-555-0147 x345», «212-555-0147, extension 9»',
    'my cell is «555-0147»',
  ]);
});

test('phone numbers of several countries are found', () => {
  holds('Phone', [
    'Tel. «030 12345678» oder «0170/1234567», «+49 (0)30 1234567», «(030) 1234567»',
    'Appelez le «06 12 34 56 78» ou le «+33 6 12 34 56 78» ou «01.42.68.53.00»',
    'Teléfono «612 345 678» o «91 123 45 67», «+34 612 345 678»',
    'cellulare «347 1234567», «+39 06 1234 5678»',
    'O meu telemóvel é «912 345 678», no Brasil «(11) 91234-5678»',
    'bel «06-12345678» of «020 123 4567», «+31 6 12345678»',
    'ring «020 7946 0958» or «07700 900123», «+44 20 7946 0958»',
  ]);
});

test('other numbers are no phone numbers', () => {
  holds('Phone', [
    'Order 212-555-0147 and invoice 2125550147',
    'version 1.212.555, build 20240511, 10.20.30.40',
    '2024-05-11 10:30:45, 11.05.2024, 2019-2023, 1716480000, 1716480000123',
    'ISBN 978-3-16-148410-0',
    '550e8400-e29b-41d4-a716-446655440000, 4bf92f3577b34da6a3ce929d0e0e4736',
    'Burlington, VT 05401-2210; 4050-262 Porto',
    '$2125550147.00, 40.712776, -74.005974, 1,234,567,890',
    '1 073 741 824 bytes, 0.0.3 - 03/08/2015, build 14541.0.0',
    'Vorgang 0221/448812, range 200-300-4000, population 212 555 1200',
    'tracking 9400 1000 0000 0000 0000 00',
    '0000000000, 111-111-1111',
    '{"order_id":"2125550147","timestamp":1716480000}',
  ]);
});

test('a key tells a phone number from other digits', () => {
  holds('Phone', [
    '{"phoneNumber":"«2125550147»"}',
    '{"mobile":«4915112345678»}',
    '{"contact":{"tel":{"value":"«55501471»"}}}',
    '{"name":"phone","value":"«2125550147»"}',
  ]);
});
