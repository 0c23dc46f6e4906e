import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detect } from '../index.ts';

const addressesIn = (text: string) => detect(text, { types: new Set(['Address']) }).map(({ start, end }) => text.slice(start, end));

/** Checks that each address is found in prose, from its first to its last character. */
function finds(addresses: string[]) {
  for (const address of addresses) assert.deepEqual(addressesIn(`Please send it to ${address}.`), [address], address);
}

test('addresses of English-speaking countries are found whole', () => {
  finds([
    '1187 Larkspur Lane, Apt 4B, Boise, ID 83702',
    '455 W 34th St, New York, NY 10001',
    '60 Harbor Point Rd Unit 1402, Stamford, CT 06902',
    'PO Box 3317, Tulsa, OK 74101',
    '7714 County Road 12, Cedar Falls, IA 50613',
    '22 Acacia Avenue, London BR2 9HT',
    'Flat 3, 90 Kingsway, London WC2B 6AA',
    '21 Elmwood Crescent, Ottawa, ON K1S 5B6',
    '14 Wattle Street, Fitzroy VIC 3065',
  ]);
});

test('addresses of Germany, France, Spain, Italy, Portugal, Brazil and the Netherlands are found whole', () => {
  finds([
    'Lindenstraße 14, 50674 Köln',
    'Am Alten Markt 3, 18055 Rostock',
    '12 rue des Lilas, 69003 Lyon',
    '5 bis avenue Victor Hugo, 31000 Toulouse',
    'Calle de Alcalá 45, 3º B, 28014 Madrid',
    'Via Garibaldi 27, 10122 Torino',
    'Rua das Flores 88, 4050-262 Porto',
    'Avenida Paulista 1508, São Paulo - SP, 01310-100',
    'Prinsengracht 263, 1016 GV Amsterdam',
  ]);
});

test('an address goes on over line ends', () => {
  const address = '19 Kingfisher Close\nBristol BS16 1WA\nUnited Kingdom';
  assert.deepEqual(addressesIn(`Ship to:\n${address}\nItems: 2`), [address]);
});

test('what stands under the keys of an address is found, and other things with numbers are not', () => {
  assert.deepEqual(addressesIn('{"address":{"street":"Feldweg 9","city":"Ulm","zip":"89073"},"city":"Ulm"}'), [
    'Feldweg 9',
    'Ulm',
    '89073',
  ]);
  assert.deepEqual(addressesIn('{"ip_address":"10.0.0.12","email_address":"a@example.com","address":"0x12ab 34"}'), []);
});

test('orders, versions, products, routes and tables are no addresses', () => {
  for (const text of [
    'We need 24 Avenue-style lamps, 3 Court benches and 500 Lane markers.',
    'Route 66, Highway 101, Interstate 80, Exit 14.',
    'Chapter 7 Section 12 Article 3 of Release 4.12.3 on 14 May.',
    '12 Oak Street Desk Lamps, 39.90',
    'Die Hauptstraße 5 km lang, die Bahnhofstraße 12 Minuten gesperrt, die Lindenstraße 300 m.',
    '12 place settings, 20 Square Tables, 8 Boulevard films',
    '40 Bridge Road shirts and 2 Church Street tickets',
    'Gate 3 Park Lane entrance, top 10 Beach Drive movies, on May 3 San Diego Drive',
    '{"address":"`127.0.0.1`, a free port from 20000"}',
    'Limit 30000, Used 29871, Requested 1200.',
    'Python 3.12.4 in Room 4 at 14:30 with 2 copies',
  ])
    assert.deepEqual(addressesIn(text), [], text);
});
