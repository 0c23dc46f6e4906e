// Words that show the meaning of a number or a date beside them: in English, German, French, Spanish, Italian, Portuguese and Dutch.

/** The meanings of a cue, one bit each. */
export const EMAIL = 1;
export const PHONE = 2;
export const SSN = 4;
export const CARD = 8;
export const IP = 16;
export const BIRTH = 32;
/** Another number: an order, an invoice, an identifier. */
export const OTHER_NUMBER = 64;
/** A version, which may look like an IP address. */
export const VERSION = 128;
/** Another date: of joining, of payment. */
export const OTHER_DATE = 256;
/** Only for keys: the surrounding object describes a person. */
export const PERSON = 512;
/** The word is the second of a pair that forms a cue: `security` in `social security`. */
export const SECOND = 1024;
/** Only for keys: the surrounding object describes a thing that is sold, run or played. */
export const THING = 2048;

const EMAIL_WORDS = 'email emails mail mailto gmail courriel correo posta mailadresse reach contact write';

const PHONE_WORDS = `
  phone phones telephone tel cell cellphone mobile fax call calling called whatsapp sms texting dial hotline landline ph phonenumber
  phoneno mobileno mobilenumber telno msisdn pager contact reach ring voicemail callback helpline
  telefon telefonnummer tel handy handynummer mobil mobilnummer mobiltelefon rufnummer festnetz anrufen zurückrufen ruf durchwahl erreichbar erreichen telefonisch
  téléphone telephone portable appeler appelez appelle rappeler rappelez rappelle joindre joignable numéro télécopie fixe
  teléfono telefono móvil celular llame llamar llámame llamarme teléfonos
  cellulare richiamare richiamerà chiamare chiamami chiamatemi chiami telefonare
  telefone telemóvel telemovel ligue ligar contato contacto telefónico fone
  telefoon telefoonnummer mobiel mobiele bel bellen terugbellen bereikbaar gsm
  my_number text_me me_at`;

const SSN_WORDS = `
  ssn ssns itin social_security social_sec soc_sec socialsecurity socialsecuritynumber ssnumber ss_number ss_no tax_id taxpayer taxid tin socialnumber social_number
  socialnum social_num sozialversicherungsnummer sozialversicherung sécurité_sociale securite_sociale seguridad_social seguro_social sicurezza_sociale
  segurança_social seguranca_social burgerservicenummer bsn codice_fiscale`;

const CARD_WORDS = `
  card cards creditcard creditcardnumber cardnumber debitcard cardno ccnum ccnumber ccn cc visa mastercard amex maestro discover jcb diners pan
  kreditkarte kreditkartennummer kartennummer karte carte tarjeta carta cartão cartao creditcardnummer kaart kaartnummer betaalkaart kredietkaart bancaire`;

const IP_WORDS = `
  ip ips ipv ipaddress ipaddr ipadresse ip_address address_ip remote_addr remoteaddr remote_address client_addr client_address source_address host hosts
  server subnet gateway dns ping localhost forwarded_for peer login logged connected connecting connection from_ip src dst listening adresse_ip dirección_ip indirizzo_ip
  endereço_ip whitelist allowlist blocklist firewall nameserver`;

const BIRTH_WORDS = `
  born birth birthday birthdate birthdays dob bday dateofbirth birth_date o_b
  geboren geb geburtsdatum geburtstag geburt
  né née nee_le ne_le naissance anniversaire
  nacido nacida nació nacio nacimiento cumpleaños fecha_nacimiento
  nato_il nata_il nato_a nata_a nascita compleanno
  nascido nascida nasceu nascimento aniversário aniversario
  geboortedatum geboortedag verjaardag geboorte`;

const OTHER_NUMBER_WORDS = `
  order orders invoice ticket tracking isbn issn sku serial part ref reference account acct routing iban bic policy case confirmation model amount total lot upc ean gtin imei
  fare population votes temp temperature range matrix gauge auftrag vorgang kundennr kontostand contract terminal sample samples specimen specimens catalog catalogue docket voucher coupon items parts tickets invoices references rule incident sendung artikel beleg vertrag
  contrat contrato contratto expediente código codigo codice réf lote
  build commit transaction receipt batch quote item product id ids uuid guid hash sha timestamp epoch issue claim flight booking reservation member membership license licence
  permit vin asin article parcel shipment shipping package po rma port pid size bytes count checksum digest token key session seq sequence row rows line lines version release
  coordinates latitude longitude lat lng lon price cost qty quantity units sum balance customer_id customer_number patent doi nhs medicare passport npi ein mrn chart dni nif cpf cnpj rg steuernummer ustid zip zipcode postal error code status exit revision rev
  bestellnummer bestellung auftragsnummer rechnungsnummer rechnung kundennummer sendungsnummer artikelnummer vorgangsnummer aktenzeichen betrag plz
  commande facture référence dossier colis montant siret siren
  pedido factura referencia seguimiento importe
  ordine fattura riferimento spedizione importo
  encomenda fatura referência rastreio
  bestelling bestelnummer factuur factuurnummer klantnummer kenmerk`;

const VERSION_WORDS = `
  v ver version versions release releases build firmware sdk upgrade upgraded downgrade patch semver section chapter oid clause rev revision driver versione versión versão versie
  requires changelog bump bumped chrome safari`;

const OTHER_DATE_WORDS = `
  joined hired expires expiry expiration exp expired issued due created updated modified ordered died death since delivered delivery admitted visit visited appointment
  meeting scheduled schedule deadline released published effective start started end ended until valid signed purchased paid payment shipped arrived departure flight booked
  last next seen timestamp logged invoice filed renewed renewal terminated discharged
  eingestellt gültig fällig erstellt ausgestellt termin gestorben verstorben rechnungsdatum lieferdatum bestellt
  expire émis créé livraison rendez décédé échéance commande facture
  vence vencimiento creado emitido cita falleció pedido factura
  scadenza creato emesso morto fattura appuntamento
  vencimento criado emitida consulta faleceu fatura
  vervalt aangemaakt geldig afspraak overleden factuur`;

const THING_WORDS = `
  price prices preis prix precio prezzo preço prijs stock bestand inventory sku gtin ean upc isbn asin brand marke marque marca manufacturer hersteller stars variant variants
  qty quantity menge quantité cantidad calories ingredients replicas vcpu ram capacity dimensions warranty firmware cuisine genre bpm mileage odometer horsepower abv bedrooms
  sla`;

const PERSON_WORDS = `
  first_name last_name full_name given_name family_name middle_name firstname lastname fullname surname gender nationality
  vorname nachname geschlecht prénom prenom nom apellido apellidos cognome sobrenome apelido voornaam achternaam`;

/** Bits by word, and by two words separated by a space. */
export const CUES: ReadonlyMap<string, number> = buildCueTable([
  [EMAIL, EMAIL_WORDS],
  [PHONE, PHONE_WORDS],
  [SSN, SSN_WORDS],
  [CARD, CARD_WORDS],
  [IP, IP_WORDS],
  [BIRTH, BIRTH_WORDS],
  [OTHER_NUMBER, OTHER_NUMBER_WORDS],
  [VERSION, VERSION_WORDS],
  [OTHER_DATE, OTHER_DATE_WORDS],
]);

/** Words that are cues only as keys. */
export const KEY_CUES: ReadonlyMap<string, number> = buildCueTable([
  [PERSON, PERSON_WORDS],
  [THING, THING_WORDS],
  [OTHER_DATE, 'date at time'],
  [OTHER_NUMBER, 'number_of num_tokens tokens index offset ms seconds duration created updated width height score weight'],
]);

function buildCueTable(rows: [number, string][]): Map<string, number> {
  const bits = new Map<string, number>();
  for (const [bit, words] of rows)
    for (const word of words.trim().split(/\s+/)) {
      const add = (text: string, more: number) => bits.set(text, (bits.get(text) ?? 0) | more);
      add(word.replaceAll('_', ' '), bit);
      if (word.includes('_')) add(word.slice(word.lastIndexOf('_') + 1), SECOND);
    }
  return bits;
}
