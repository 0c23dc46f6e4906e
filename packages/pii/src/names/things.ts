// Signs that words which look like a name belong to a thing: "the Taft Hartley rules", "Robert Bosch GmbH", "Product: Heather Grey".
import { isLetter, type Word } from './capital-words.ts';
import { keyOfName } from './keys.ts';
import { stop } from './stops.ts';
import { knownWord } from './word-list.ts';

const { first, last, everyday } = knownWord;

/** Nouns that a name may precede as an adjective, and that are not verbs. */
const kinds = new Set(
  `algorithm theorem lemma equation inequality distribution coefficient matrix transform conjecture identity function heuristic sampler estimator
  syndrome disease lymphoma virus antigen fracture amendment rules doctrine treaty lab laboratory node cluster broker server database db daemon
  instance pod container plugin framework library package module driver compiler runtime protocol scheduler pipeline repo repository branch codebase
  endpoint dashboard workspace hotel motel restaurant cafe museum airport station bridge building stadium theatre theater river valley island
  beach county district region province neighborhood neighbourhood suburb railway highway street avenue road festival prize medal award trophy
  tournament album novel soundtrack franchise brand sauce cake pie pizza salad soup sandwich recipe whisky whiskey beer rum shoe boot sneaker jeans
  jacket dress shirt perfume fragrance lamp sofa chair mattress guitar piano camera laptop engine truck tractor suv sedan mower foundation university
  college institute hospital clinic academy cathedral archive probe telescope spacecraft satellite rover comet crater sonata
  concerto symphony opera ballet quartet rose tulip orchid lily pear potato tea coffee gambit defence defense opening endgame valve wrench screwdriver paradox razor filter
  gradient regression classifier kernel sampling approximation limestone outcrop fault basin ridge trench winery vineyard brewery ferry cruise airline orchestra choir
  cartridge battery drone robot chipset processor gpu cpu microarchitecture
  dataset benchmark corpus notebook`.split(/\s+/),
);
const maxKind = 20;

/** "the Lamont Doherty lab", "Sarbanes Oxley amendments": the name belongs to the word after it. */
export function isBeforeKind(text: string, end: number): boolean {
  if (text.charCodeAt(end) !== 32) return false;
  let at = end + 1;
  while (at < end + maxKind && isSmall(text.charCodeAt(at))) at++;
  const code = text.charCodeAt(at);
  if (at < end + 3 || isLetter(code) || code === 45 || code === 95 || (code >= 48 && code <= 57)) return false;
  const word = text.slice(end + 1, at);
  if (kinds.has(word)) return true;
  return word.endsWith('s') && (kinds.has(word.slice(0, -1)) || kinds.has(word.slice(0, -2)));
}

const isSmall = (code: number) => code >= 97 && code <= 122;

const definition =
  /(?:: |,? (?:is|was) |, | [–—-]{1,2} | \()(?:an?|the|eine?|une?|una?) (?:[\p{L}-]{1,14} ){0,3}(?:language|unit|tool|library|framework|service|model|company|startup|city|town|village|suburb|river|island|lake|database|protocol|platform|brand|bot|satellite|spacecraft|telescope|planet|moon|breed|genus|species|plant|dish|sauce|font|game|app|application|distribution|variety|cultivar|constellation|hurricane|ship|rover|compiler|package|plugin|Stadt|Sprache|Einheit|ville|langue|ciudad)(?:$|[^\p{L}-])/uy;

const beginsDefinition = new Set(['i', 'w', '(', '-', '–', '—']);

/** "Julia: a language", "Kelvin is a unit of temperature". */
export function isDefinedAsThing(text: string, end: number): boolean {
  const code = text.charCodeAt(end);
  if (code === 32 ? !beginsDefinition.has(text[end + 1] ?? '') : code !== 58 && code !== 44) return false;
  definition.lastIndex = end;
  return definition.test(text);
}

const inside = /(?:^|[^\p{L}])(?:[Ii]n|[Nn]ear|[Ii]nto|[Aa]cross|[Oo]utside|[Tt]hroughout|[Nn]ach) $/u;

/** "We live in Milton": "in" precedes a place, except in "in Milton's office". */
export function isWhereabouts(text: string, word: Word): boolean {
  return (
    text.charCodeAt(word.start - 1) === 32 &&
    inside.test(text.slice(Math.max(0, word.start - 12), word.start)) &&
    !/['’]/.test(text[word.end] ?? '')
  );
}

const listings = new Set([' and ', ' or ', ' und ', ' oder ', ' et ', ' ou ', ' y ', ', ', ', and ', ', or ']);

/** "Houston and Carmel", "Orion, Vega or Leo": a name listed beside a place is a place, too. */
export function isListedWithPlaces(text: string, words: readonly Word[], at: number): boolean {
  const word = words[at]!;
  const [before, after] = [words[at - 1], words[at + 1]];
  if (before && isPlaceName(before) && word.start - before.end < 7 && listings.has(text.slice(before.end, word.start))) return true;
  // "Emma, London" is a person with a town.
  if (!after || !isPlaceName(after) || after.start - word.end > 6 || text.charCodeAt(word.end) === 44) return false;
  return listings.has(text.slice(word.end, after.start));
}

const isPlaceName = (word: Word) => (word.stops & (stop.place | stop.prefix)) !== 0 && (word.bits & everyday) === 0;

const articles = /(?:^|[^\p{L}])(?:(?:[Tt]he|[Dd]as|[Ll]os|[Ll]as|[Ll]es)|([Ee]l|[Ll]e|[Dd]u|[Aa]u)) $/u;

/** Persons have no article in English, and rarely one in Spanish and French. 0 if there is no article. */
export function weightOfArticle(text: string, word: Word): number {
  if (text.charCodeAt(word.start - 1) !== 32) return 0;
  if (word.isJoined && text.charCodeAt(word.start - 2) > 96 && isOfParticles(text, word.start)) return 0;
  const found = articles.exec(text.slice(Math.max(0, word.start - 5), word.start));
  if (!found) return 0;
  return found[1] === undefined ? 0.4 : 0.3;
}

/** "Ana de los Ríos": the article belongs to the name. */
const isOfParticles = (text: string, start: number) =>
  / de (?:la|los|las) $| (?:du|le|el|des) $/.test(text.slice(Math.max(0, start - 8), start));

const forms =
  /,? (?:gGmbH|GmbH|mbH|KGaA|OHG|eG|e\. ?V\.|S\.A\.|S\.L\.|S\.p\.A\.|S\.r\.l\.|SpA|SARL|SAS|B\.V\.|N\.V\.|L\.L\.C|L\.P\.|P\.C\.|Pty|PLC|ApS|A\/S|Oyj?)|, (?:Inc|LLC|LLP|PLLC|Ltd|Corp|Co)\b/y;

/** "Robert Bosch GmbH", "Jane Doe, LLC". */
export function isBeforeForm(text: string, end: number): boolean {
  forms.lastIndex = end;
  return forms.test(text);
}

const persona =
  /, (?:your|an?|the|ihr|dein|votre|ton|tu|su|il tuo) (?:[\p{L}-]{1,14} ){0,3}(?:assistant|agent|bot|chatbot|copilot|ai|assistent|asistente)(?:$|\P{L})/iuy;
const named =
  /(?:^|[^\p{L}])(?:assistant|agent|bot|chatbot|model|cluster|server|project|database|branch|file|folder|table|column|company|firm|brand|app|product|tool) (?:named|called) $/iu;

/** Whether the name is a program's: "I'm Atlas, your virtual assistant", "a bot called Ada". */
export function isMachine(text: string, start: number, end: number): boolean {
  persona.lastIndex = end;
  if (text.charCodeAt(end) === 44 && persona.test(text)) return true;
  return text.charCodeAt(start - 2) === 100 && named.test(text.slice(Math.max(0, start - 24), start));
}

/** Keys of things that people also write before names of persons. */
const loose = new Set([
  'task',
  'step',
  'job',
  'alert',
  'line',
  'field',
  'index',
  'team',
  'source',
  'role',
  'zone',
  'object',
  'event',
  'title',
  'label',
  'tag',
  'tags',
  'status',
  'type',
  'channel',
  'key',
  'department',
]);

const isThingKey = (key: string) => ['thing', 'container'].includes(keyOfName(key));

/** "Product: Heather Grey", `brand="Hugo Boss"`: the rules for JSON keys also apply to labels in prose. */
export function isAfterThingLabel(text: string, start: number): boolean {
  const code = text.charCodeAt(start - 1);
  const mayBeLabel = code === 32 ? text.charCodeAt(start - 2) === 58 : code === 34 || code === 39 || code === 61;
  if (!mayBeLabel) return false;
  const ending = labelEndings.find((each) => text.endsWith(each, start));
  if (ending === undefined) return false;
  const end = start - ending.length;
  let begin = end;
  while (begin > 0 && end - begin < maxLabel && ofLabel.test(text[begin - 1]!)) begin -= 1;
  const label = text.slice(begin, end);
  return label.length > 1 && !loose.has(label.toLowerCase()) && isThingKey(label);
}
const labelEndings = ['": "', '":"', ': "', ': ', '="', "='", '='];
const maxLabel = 20;
const ofLabel = /[\p{L}_]/u;

/** Lines of an order: "2 x Bruno Magli", "Uncle Bens Rice   1   2.99". */
export function isItemOfOrder(text: string, start: number, end: number): boolean {
  const isCounted = (text[start - 2] === 'x' || text[start - 2] === '×') && /\d ?[x×] $/.test(text.slice(Math.max(0, start - 4), start));
  return isCounted || (isBlank(text[end]) && isBlank(text[end + 1]) && behindItem.test(text.slice(end, end + 40)));
}

const isBlank = (char: string | undefined) => char === ' ' || char === '\t';

const behindItem = /^[ \t]{2,24}\d{1,3}[ \t]{2,12}[$€£]?\d{1,6}[.,]\d\d(?:$|\D)/;

/** "Stanley Tape Measure": an everyday word continues the phrase. */
export function isHeadOfPhrase(words: readonly Word[], end: number): boolean {
  const next = words[end];
  return (
    next?.isJoined === true &&
    next.shape === 'capital' &&
    (next.bits & (everyday | first | last)) === everyday &&
    (next.stops & stop.greeting) === 0
  );
}
