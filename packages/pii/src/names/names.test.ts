import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detect } from '../index.ts';

const namesIn = (text: string) => detect(text, { types: new Set(['Name']) }).map(({ start, end }) => text.slice(start, end));

function finds(texts: Record<string, string[]>) {
  for (const [text, names] of Object.entries(texts)) assert.deepEqual(namesIn(text), names, text);
}

test('who introduces himself is found, in seven languages and in small letters', () => {
  finds({
    'My name is Xanthe Quillfeather.': ['Xanthe Quillfeather'],
    'hi, my name is marcus odell and i need help': ['marcus odell'],
    'Mein Name ist Annegret Sommerfeld.': ['Annegret Sommerfeld'],
    "Je m'appelle Clémence Aubertin.": ['Clémence Aubertin'],
    'Me llamo Rocío Villalobos.': ['Rocío Villalobos'],
    'Mi chiamo Ludovica Ferrante.': ['Ludovica Ferrante'],
    'O meu nome é Leonor Vasconcelos.': ['Leonor Vasconcelos'],
    'Mijn naam is Marieke van der Veen.': ['Marieke van der Veen'],
  });
});

test('titles, greetings, labels and the ends of letters tell names that no list has', () => {
  finds({
    'Please ask Mrs. Quorlith about it.': ['Quorlith'],
    'Sehr geehrter Herr Wrobelkamp,': ['Wrobelkamp'],
    'Hi Zyanya,': ['Zyanya'],
    'Patient: Quorlith Vandrax': ['Quorlith Vandrax'],
    'See you on Monday.\n\nBest regards,\nQuorlith': ['Quorlith'],
    '**Name:** Quorlith Vandrax': ['Quorlith Vandrax'],
  });
});

test('first names and last names are found without any hint', () => {
  finds({
    'Yesterday Priya Raman and Tobias moved the deadline.': ['Priya Raman', 'Tobias'],
    "We've noticed a login to Brandon's account.": ['Brandon'],
    'The report was written by Odalys Ferreira.': ['Odalys Ferreira'],
  });
});

test('who was named in full is found by one word later', () => {
  finds({ 'Dr. Nathaniel Obiora said no. Later Obiora agreed.': ['Nathaniel Obiora', 'Obiora'] });
});

test('keys of JSON tell names, whatever they look like, and things that are no names', () => {
  finds({
    '{"first_name":"xq","lastName":"Vandrax","city":"Victoria","product":"Jasper"}': ['xq', 'Vandrax'],
    '{"customer":{"name":"Quorlith Vandrax"},"project":{"name":"Lincoln Redesign"}}': ['Quorlith Vandrax'],
    '{"arguments":"{\\"full_name\\":\\"Odalys Ferreira\\"}"}': ['Odalys Ferreira'],
  });
});

test('the heads of tables tell which cells hold names', () => {
  finds({
    'id,first_name,last_name\n1,Quorlith,Vandrax\n2,Zyanya,Tan': ['Quorlith', 'Vandrax', 'Zyanya', 'Tan'],
    '| Guest | Room |\n|---|---|\n| Quorlith Vandrax | 12 |': ['Quorlith Vandrax'],
    'sku,title\n10,Madison Chair\n11,Park Row Jacket': [],
  });
});

test('the words around a name tell that it is the name of a thing', () => {
  finds({
    'The Taft Hartley rules and the Lamont Doherty lab stay.': [],
    'Das Netzteil kommt von der Alma Vogt GmbH.': [],
    'We use Stanley Tape Measures and Mary Jane Flats.': [],
    "I'm Marlene, your virtual assistant.": [],
    'Marlene: a language for data. Wanda is a library for tests.': [],
    'We drove from Houston and Lydia to the lake near Milton.': [],
    'Product: Melissa Quint. Brand: Nora Lind.': [],
    '2 x Bruno Falk, blue\nAunt Nora Beans   1   2.99': [],
  });
});

test('what speaks against a name does not hide one beside it that a cue speaks for', () => {
  finds({
    'My name is Nora Lind, your contract is ready.': ['Nora Lind'],
    "The package is in Lydia's car.": ['Lydia'],
    'Lydia, Houston': ['Lydia'],
    'Contact: John Deere': ['John Deere'],
    'I am Nora, the teacher of your son.': ['Nora'],
  });
});

test('an object or a table about things has names of things', () => {
  finds({
    '{"menu":[{"name":"Shirley Falk","price":5},{"name":"Nora","price":8}]}': [],
    '{"cluster":{"name":"Gordon"}}': [],
    '{"guests":[{"name":"Shirley Falk","email":"s@example.com"}]}': ['Shirley Falk'],
    'sku,name,brand,stock\n10-4401,Nora Lind,Clarks,14\n10-4402,Chuck Falk,Dr. Martens,9': [],
    'name,age\nNora Lind,41\nChuck Falk,29': ['Nora Lind', 'Chuck Falk'],
  });
});

test('items of lists, identifiers of code, shouted lines and words of other languages are no names', () => {
  finds({
    'Languages:\n- Quorlish\n- Basque\n- Annotations': [],
    "import { Nora } from './nora'; CPAN::Nora, Nora/index.ts, Max-Age": [],
    'THAI CHARACTER NORA FALK SIGN': [],
    'Dieser Wert wird gesetzt. Jedes Feld zählt. Traduzione di Prova.': [],
    '- name: hudson\n  image: x': [],
  });
});

test('months, towns, firms, streets, models, verbs and code are no names', () => {
  finds({
    'Will you mark April and May? I may grant access.': [],
    'Compare Wells Fargo, Morgan Stanley and Johnson & Johnson.': [],
    'From Austin to San Francisco and Jackson, then Madison Avenue.': [],
    'Can Claude or Gemini beat Llama 3.3?': [],
    'Hi there! Dear Customer, Thanks Team, Best Wishes.': [],
    'at com.acme.Frank.checkout(MariaService.java:118)': [],
    'Victoria Park, Charlotte Airport and Morgan Freight Inc.': [],
  });
});
