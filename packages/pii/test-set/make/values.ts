import type { Dice } from './dice.ts';
import { firstNames, lastNames } from './names.ts';
import { streets, towns } from './places.ts';

/** Values of one text: `‹N1›`, `‹first1›` and `‹last1›` belong to the same person. */
export function createValueMaker(lang: string, dice: Dice): (slot: string) => string {
  const seen = new Map<string, string>();
  const person = (number: string) => {
    const first = remember(seen, `first${number}`, () => dice.half(firstNames[dice.chance(0.12) ? 'en' : lang]!));
    const last = remember(seen, `last${number}`, () => dice.half(lastNames[dice.chance(0.12) ? 'en' : lang]!));
    return { first, last };
  };
  return (slot) => {
    const [, kind = '', number = ''] = /^(\D+)(\d*)$/.exec(slot)!;
    const { first, last } = person(number);
    if (kind === 'N') return `⟦N:${first} ${last}⟧`;
    if (kind === 'NI') return `⟦N:${first} ${dice.letter()}. ${last}⟧`;
    if (kind === 'NC') return `⟦N:${last}, ${first}⟧`;
    if (kind === 'NL') return `⟦N:${`${first} ${last}`.toLowerCase()}⟧`;
    if (kind === 'NU') return `⟦N:${`${first} ${last}`.toUpperCase()}⟧`;
    if (kind === 'first') return `⟦N:${first}⟧`;
    if (kind === 'last') return `⟦N:${last}⟧`;
    if (kind === 'E') return `⟦E:${email(first, last, dice)}⟧`;
    return remember(seen, slot, () => makeValue(kind, lang, dice));
  };
}

function makeValue(kind: string, lang: string, dice: Dice): string {
  if (kind === 'P') return `⟦P:${dice.digits(dice.of(phones[lang]!))}⟧`;
  if (kind === 'S') return `⟦S:${dice.between(101, 665)}-${dice.digits('##').replace('00', '14')}-${dice.between(1001, 9998)}⟧`;
  if (kind === 'C') return `⟦C:${card(dice)}⟧`;
  if (kind === 'I') return `⟦I:${ip(dice)}⟧`;
  if (kind === 'D') return `⟦D:${date(lang, dice)}⟧`;
  if (kind === 'A') return `⟦A:${address(lang, dice, ', ')}⟧`;
  if (kind === 'AL') return `⟦A:${address(lang, dice, '\n')}⟧`;
  if (kind === 'AS') return `⟦A:${street(countryOf(lang, dice), dice)}⟧`;
  if (kind === 'town') return dice.half(towns[countryOf(lang, dice)]!).split('|')[lang === 'en' ? 0 : 1]!;
  if (kind === 'order') return dice.digits(dice.of(['##########', 'SO-2026-#####', '###-#######-#######', '########', 'A#####-##']));
  if (kind === 'uuid') return `${dice.hex(8)}-${dice.hex(4)}-4${dice.hex(3)}-a${dice.hex(3)}-${dice.hex(12)}`;
  if (kind === 'hash') return dice.hex(40);
  if (kind === 'ts')
    return `2026-${two(dice.between(1, 12))}-${two(dice.between(1, 28))}T${two(dice.between(0, 23))}:${dice.digits('1#:2#')}Z`;
  if (kind === 'ver') return `${dice.between(1, 20)}.${dice.between(0, 30)}.${dice.between(0, 90)}`;
  if (kind === 'price') return `${dice.between(2, 2500)}.${dice.digits('##')}`;
  if (kind === 'num') return String(dice.between(2, 900));
  if (kind === 'company') return dice.half(companies);
  if (kind === 'product') return dice.half(products);
  if (kind === 'model') return dice.half(models);
  throw new Error(`There is no slot ${kind}.`);
}

const companies =
  `Northwind Traders|Acme Robotics Inc.|Harbor Freight Lines|Bluebird Analytics GmbH|Morgan & Finch LLP|Delta Works|Baker Hughes Systems|
Sterling Cooper Media|Fontana Labs|Grant Street Partners|Lincoln Logistics|Rossi Motors S.p.A.|Victoria Foods Ltd|Marshall Audio|Jordan Creek Bank|Kepler Insurance`
    .split('|')
    .map((name) => name.trim());
const products =
  `Oak Lane Desk|Galaxy Tab S9|Summer Breeze Candle|Victoria Sponge Mix|Echo Dot|Park Row Jacket|Benjamin Button Shirt|Madison Chair|
Surface Pro 11|Road Runner Bike|Ruby Red Lipstick|Savannah Sofa`
    .split('|')
    .map((name) => name.trim());
const models = [
  'gpt-4o-mini',
  'Claude Sonnet 4',
  'Gemini 2.5 Pro',
  'Mistral Large 2',
  'Llama 3.3 70B',
  'Command R+',
  'DeepSeek V3',
  'Qwen 2.5 Coder',
];

const phones: Record<string, string[]> = {
  en: [
    '(2##) 555-01##',
    '3##-555-01##',
    '+1 4## 555 01##',
    '5##.555.01##',
    '+1-6##-555-01##',
    '+44 7700 900###',
    '020 7946 0###',
    '1-800-555-01##',
    '(917) 8##-4###',
    '646-4##-7###',
  ],
  de: ['+49 30 90182###', '0151 234567##', '089/2345##', '+49 (0)40 6696####', '030 2318#### '.trim()],
  fr: ['06 39 98 ## ##', '+33 1 99 00 ## ##', '01.99.00.##.##', '+33 (0)6 39 98 ## ##'],
  es: ['+34 611 2## ###', '91 123 4# ##', '699 1## ###', '+34 93 412 ## ##'],
  it: ['+39 06 698 #####', '333 12#####', '02 8945####', '+39 347 12# ####'],
  pt: ['+351 21 340 ####', '912 3## ###', '+55 11 9####-####', '(21) 2###-####'],
  nl: ['+31 6 123#####', '020-623####', '06 234 ## ###', '+31 (0)10 41# ####'],
};

const months: Record<string, string[]> = {
  en: ['January', 'April', 'May', 'October'],
  de: ['Januar', 'März', 'Mai', 'Oktober'],
  fr: ['janvier', 'août', 'mai', 'décembre'],
  es: ['enero', 'agosto', 'mayo', 'diciembre'],
  it: ['gennaio', 'agosto', 'maggio', 'dicembre'],
  pt: ['janeiro', 'agosto', 'maio', 'dezembro'],
  nl: ['januari', 'augustus', 'mei', 'december'],
};

function date(lang: string, dice: Dice): string {
  const [day, month, year] = [dice.between(1, 28), dice.between(1, 12), dice.between(1938, 2006)];
  const word = dice.of(months[lang]!);
  if (lang === 'en')
    return dice.of([
      `${two(month)}/${two(day)}/${year}`,
      `${year}-${two(month)}-${two(day)}`,
      `${word} ${day}, ${year}`,
      `${day} ${word} ${year}`,
      `${month}/${day}/${String(year).slice(2)}`,
    ]);
  const of = lang === 'es' || lang === 'pt' ? ' de ' : ' ';
  return dice.of([
    `${two(day)}.${two(month)}.${year}`,
    `${two(day)}/${two(month)}/${year}`,
    `${year}-${two(month)}-${two(day)}`,
    `${day}${of}${word}${of}${year}`,
  ]);
}

const countryOf = (lang: string, dice: Dice) => (lang === 'en' ? dice.of(['us', 'us', 'us', 'uk']) : lang);

function street(country: string, dice: Dice): string {
  const name = dice.half(streets[country]!);
  const number = dice.between(1, country === 'us' ? 9800 : 180);
  if (country === 'us') return `${number} ${name}${dice.of(['', '', ', Apt 12', ' Suite 300', ' #7C', ', Unit 4'])}`;
  if (country === 'uk') return `${dice.of(['', '', 'Flat 2, '])}${number} ${name}`;
  if (country === 'fr') return `${number}${dice.of(['', '', ' bis', ','])} ${name}`;
  return `${name}${dice.of(country === 'de' || country === 'nl' ? [' '] : [' ', ', '])}${number}${dice.of(['', '', country === 'de' || country === 'nl' ? 'b' : ''])}`;
}

function address(lang: string, dice: Dice, separator: string): string {
  const country = countryOf(lang, dice);
  const parts = dice.half(towns[country]!).split('|');
  const first = street(country, dice);
  if (country === 'us') return `${first}${separator}${parts[0]}, ${parts[1]} ${parts[2]}`;
  if (country === 'uk') return `${first}${separator}${parts[0]}${dice.of([' ', ', '])}${parts[1]}`;
  return `${first}${separator}${parts[0]} ${parts[1]}`;
}

function email(first: string, last: string, dice: Dice): string {
  const plain = (text: string) =>
    text
      .normalize('NFD')
      .replace(/[^A-Za-z]/g, '')
      .toLowerCase();
  const user = dice.of([
    `${plain(first)}.${plain(last)}`,
    `${plain(first)[0]}${plain(last)}`,
    `${plain(last)}${dice.digits('##')}`,
    `${plain(first)}_${plain(last)}`,
  ]);
  return `${user}@${dice.of(['example.com', 'mail.example.com', 'posteo.example.com', 'corp.example.org', 'web.example.net'])}`;
}

function card(dice: Dice): string {
  const body = dice.digits(
    dice
      .of(['4539##########', '4716###########', '5425###########', '2223###########', '34############', '6011###########'])
      .padEnd(14, '#'),
  );
  const number = withCheckDigit(body.length === 14 && body.startsWith('34') ? body : body.padEnd(15, '7'));
  if (number.length === 15) return dice.of([number, number.replace(/^(.{4})(.{6})/, '$1 $2 ')]);
  return dice.of([number, number.replace(/(.{4})(?=.)/g, '$1 '), number.replace(/(.{4})(?=.)/g, '$1-')]);
}

function withCheckDigit(body: string): string {
  let sum = 0;
  for (let at = 0; at < body.length; at++) {
    const digit = Number(body[body.length - 1 - at]) * (at % 2 === 0 ? 2 : 1);
    sum += digit > 9 ? digit - 9 : digit;
  }
  return `${body}${(10 - (sum % 10)) % 10}`;
}

const ip = (dice: Dice) =>
  dice.chance(0.2)
    ? `2001:db8:${dice.hex(4)}::${dice.hex(3)}:${dice.hex(4)}`
    : `${dice.of(['192.0.2', '198.51.100', '203.0.113', `10.${dice.between(0, 255)}.${dice.between(0, 255)}`])}.${dice.between(1, 254)}`;

const two = (value: number) => String(value).padStart(2, '0');

function remember(seen: Map<string, string>, key: string, make: () => string): string {
  if (!seen.has(key)) seen.set(key, make());
  return seen.get(key)!;
}
