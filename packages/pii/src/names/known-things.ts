// Brands, dishes, drinks, places, works and holidays with the name of a person, two words each. Names that many people have are left out.
import { hashOfPlain } from './known-words.ts';

const both = (head: number, tail: number) => Math.imul(head, 31) ^ tail;

const slotOf = (hash: number) => (hash ^ (hash >>> 13)) & 4095;
/** An entry for each first word, which rules out most words. */
const heads = new Uint8Array(4096);

const readPairs = (list: string): ReadonlySet<number> =>
  new Set(
    list.split('|').map((name) => {
      const [head, tail] = name.trim().split(' ');
      heads[slotOf(hashOfPlain(head!))] = 1;
      return both(hashOfPlain(head!), hashOfPlain(tail!));
    }),
  );

const firms = readPairs(
  `morgan stanley|wells fargo|johnson johnson|goldman sachs|jp morgan|charles schwab|ralph lauren|calvin klein|tommy hilfiger|harley davidson|
hugo boss|louis vuitton|dr pepper|jack daniel|jack daniels|mary kay|levi strauss|baker hughes|booz allen|arthur andersen|ernst young|
sterling cooper|marks spencer|estee lauder|kate spade|michael kors|paul smith|ben jerry|sara lee|aston martin|alfa romeo|rolls royce|
victoria secret|virginia beach|san marino|costa rica|puerto rico|sierra leone|bill gates foundation|carolina panthers|santa claus|
visual studio|apache spark|jupyter lab|aurora borealis|dolce gabbana|christian dior|giorgio armani|jimmy choo|martha stewart living|
happy birthday|merry christmas|bank holiday|grand canyon|george washington bridge|prince edward|king george|queen elizabeth`,
);

const things = readPairs(
  `john deere|laura ashley|jack wolfskin|helly hansen|elizabeth arden|max factor|max mara|oscar mayer|jimmy dean|betty crocker|warner bros|warner brothers|
papa john|papa johns|tim hortons|philip morris|lockheed martin|merrill lynch|lehman brothers|franklin templeton|baker mckenzie|eli lilly|duncan hines|
sherwin williams|peter millar|vera bradley|tory burch|jo malone|bobbi brown|marc jacobs|kenneth cole|steve madden|johns hopkins|carnegie mellon|
robert bosch|hans grohe|villeroy boch|jil sander|karl lagerfeld|tom tailor|yves rocher|pierre cardin|bruno magli|paco rabanne|jean paul|nina ricci|
moet chandon|perrier jouet|remy martin|marie brizard|bang olufsen|fisher price|hamilton beach|russell hobbs|morphy richards|
stan smith|chuck taylor|mary jane|air jordan|doc martens|dr martens|dr oetker|dr scholl|dr bronner|mr clean|mr coffee|mr porter|mrs dash|mrs meyer|mrs meyers|
uncle ben|uncle bens|aunt jemima|captain morgan|captain crunch|colonel sanders|jim beam|johnnie walker|jose cuervo|don julio|dom perignon|veuve clicquot|stella artois|
samuel adams|miller lite|tom collins|bloody mary|shirley temple|harvey wallbanger|sloppy joe|earl grey|lady grey|granny smith|pink lady|cherry garcia|
peach melba|quiche lorraine|crepe suzette|fettuccine alfredo|pizza margherita|belle helene|tarte tatin|charlotte russe|beef wellington|eggs benedict|bananas foster|
jasmine rice|basil pesto|croque madame|croque monsieur|rosemary chicken|
moby dick|jane eyre|anna karenina|oliver twist|david copperfield|peter pan|robin hood|sherlock holmes|harry potter|super mario|lara croft|billie jean|hey jude|eleanor rigby|
sweet caroline|marie claire|jethro tull|franz ferdinand|iron maiden|pearl jam|rosetta stone|mona lisa|simon says|
sarbanes oxley|taft hartley|dodd frank|glass steagall|smoot hawley|hardy weinberg|newton raphson|runge kutta|michaelis menten|kolmogorov smirnov|mann whitney|
diffie hellman|black scholes|cobb douglas|crank nicolson|epstein barr|guillain barre|ada lovelace|myers briggs|dunning kruger|magna carta|monte carlo|
corpus christi|baton rouge|ann arbor|marina bay|marina del|san andreas|prince george|alice springs|martha vineyard|notre dame|regent street|stanley park|albert park|
ivy bridge|ivy lake|sandy bridge|chase sapphire|penny stock|rosa parks|grace period|earnest money|guy fawkes|martin luther|valentine day|columbus day|patrick day|mardi gras|
sweet william|queen anne|creeping jenny|jack russell|king charles|saint bernard|lady bird|daddy longlegs|jack frost|jolly roger|
olive green|heather grey|alice blue|rebecca purple|amber alert|ruby red|jade green|
max retries|max tokens|max length|max depth|max age|max size|dev deps|will call|bill to|ship to|mark read|rob peter`,
);

/**
 * `firm` for a brand whose name no person has, `thing` for one that a person may have too, so that a cue decides. Looked up by the hashes
 * of two words.
 */
export function knownThing(head: number, tail: number): 'firm' | 'thing' | undefined {
  if (heads[slotOf(head)] === 0) return undefined;
  const pair = both(head, tail);
  if (firms.has(pair)) return 'firm';
  return things.has(pair) ? 'thing' : undefined;
}
