// Names of months and their short forms in English, German, French, Spanish, Italian, Portuguese and Dutch.
export const MONTHS: ReadonlySet<string> = new Set(
  `january february march april may june july august september october november december
   jan feb mar apr jun jul aug sep sept oct nov dec
   januar jänner februar märz maerz mai juni juli oktober dezember mrz okt dez
   janvier février fevrier mars avril juin juillet août aout septembre octobre novembre décembre decembre janv févr avr juil déc
   enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ene abr ago dic
   gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug set ott
   janeiro fevereiro março marco maio junho julho setembro outubro novembro dezembro fev out
   januari februari maart mei augustus mrt`
    .trim()
    .split(/\s+/),
);
