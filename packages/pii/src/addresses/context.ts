// Signs that a number beside street words is not a house number: "Gate 3 Park Lane", "Hauptstraße 5 km", "40 Bridge Road shirts".

const measures =
  /^ ?(?:km|cm|mm|m²|kg|%|€|\$|Uhr|min|Min\.|Minuten?|Stunden?|Tage?n?|Wochen?|Monate?n?|Jahre?n?|Prozent|Meter|Kilometer|Grad|Plätze|Stück|minutes?|heures?|jours?|mètres|horas?|minutos?|días|metros|ore|minuti|giorni|metri|uur|minuten|dagen|meter)(?![A-Za-zÀ-ſ\d])/;

/** Whether the number is a count or a measure: a length, a time, a share. "12 m" may be a house number, "300 m" hardly. */
export function isMeasure(text: string, from: number, to: number): boolean {
  const behind = text.slice(to, to + 12);
  return measures.test(behind) || (to - from > 2 && /^ [mhgl](?![A-Za-z\d])/.test(behind));
}

const labels =
  /(?:^|[^A-Za-z])(?:gate|bay|dock|item|section|version|top|figure|fig\.?|chapter|page|booth|table|line|lane|platform|season|episode|phase|step|model|type|class|part|volume|vol\.?|code|only|about|over|(?:\d ?[x×])|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?) $/i;

/** Whether the number belongs to the word before it. */
export const isLabelled = (text: string, from: number): boolean => labels.test(text.slice(Math.max(0, from - 12), from));

const verbs = new Set(
  'belongs needs looks seems remains houses costs sits stands comes gets wants faces is was has as plus does'.split(' '),
);

/** Whether a plural follows, so that the number is a count. */
export function isCount(text: string, end: number): boolean {
  const found = /^ (style|styled|[a-z]{3,12}s)(?:$|[^A-Za-z])/.exec(text.slice(end, end + 15));
  return found !== null && !verbs.has(found[1]!) && !found[1]!.endsWith('ss');
}
