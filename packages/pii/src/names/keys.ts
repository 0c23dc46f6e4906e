import { plainWord } from './known-words.ts';

/**
 * The meaning of a JSON key for names: its value is a name, may be one or is none; it is the key of objects whose names are not persons; or
 * unknown.
 */
export type KeyOfName = 'name' | 'maybe' | 'thing' | 'container' | 'unknown';

const set = (text: string) => new Set(text.trim().split(/\s+/));

const names = set(`fullname firstname lastname givenname familyname surname middlename maidenname mothersmaidenname displayname realname
  customername clientname contactname patientname guestname passengername holdername cardholder cardholdername accountholder accountholdername nameoncard
  recipientname sendername authorname employeename managername ownername agentfullname personname membername studentname teachername doctorname
  physicianname spousename leadname candidatename applicantname borrowername attorneyname billingname shippingname legalname userfullname
  fname lname given family recipient passenger applicant borrower coborrower tenant landlord patient physician beneficiary insured spouse signatory
  interviewer guest attendee attendees participant participants assignee reporter employee emergencycontact cardname payeename payee payer speaker displayname caller
  vorname nachname familienname kundenname ansprechpartner empfanger versicherter
  prenom nomcomplet nomdefamille nomfamille nomclient destinataire
  nombre apellido apellidos nombrecompleto nombres destinatario titular
  cognome nomecompleto nomeecognome nominativo intestatario
  apelido sobrenome nomecliente voornaam achternaam volledigenaam klantnaam tussenvoegsel`);

const maybes = set(`name author owner customer client user contact agent assignedto createdby updatedby sender to from by member host lead
  manager supervisor cc person people names friend holder buyer seller doctor nurse teacher student candidate contacts customers users authors members
  kunde kundin mandant nom utilisateur cliente usuario nome utente paciente paziente naam klant gebruiker persoon contactperson attn attention
  actor assignee profile username login nickname alias handle`);

const things =
  set(`city town ort stadt ville ciudad citta cidade plaats country land pays pais paese state region province county district place location
  timezone airport station company organization organisation employer firma entreprise empresa azienda bedrijf product productname companyname item model modelid
  type status id sku currency brand event eventname language locale branch commit version build label labels tag tags category genre team department
  project projectname title songtitle album band filename file path url uri host hostname domain server service servicename sdk agentname toolname function
  manufacturer hersteller marke marque marca fabricante hotel restaurant venue stadium landmark cluster node pod namespace database schema queue bucket
  dataset repository repo airline vessel vehicle dealer gene syndrome publisher imprint merchant species breed font palette
  suite browser priority plan severity level role finishreason object ownedby region zone source channel format unit color colour size code key keyword`);

/** Keys with texts of any kind. But an object under one of them has the name of a thing. */
const containers =
  set(`step stage workflow pipeline job task field metric monitor alert dashboard experiment index collection volume disk route endpoint hook plugin page
  section chapter lesson course module place poi attraction dish meal menu drink ingredient medication drug vaccine planet animal plant flower ship train line club
  tournament film movie series show episode book recipe restaurant device asset artikel article producto produit prodotto produto item material exhibit ride trail park`);

/** Endings of keys of names, whatever precedes them: `primary_contact_name`. */
const endings = [
  'firstname',
  'lastname',
  'fullname',
  'givenname',
  'familyname',
  'surname',
  'holdername',
  'customername',
  'contactname',
  'clientname',
];

const known = new Map<string, KeyOfName>();
const maxKnown = 2_000;

export function keyOfName(key: string): KeyOfName {
  const found = known.get(key);
  if (found) return found;
  const kind = judgeKey(key);
  if (known.size >= maxKnown) known.clear();
  known.set(key, kind);
  return kind;
}

function judgeKey(key: string): KeyOfName {
  if (key.length > 60) return 'unknown';
  const plain = plainWord(key).replace(/[^a-z]/g, '');
  if (names.has(plain) || endings.some((ending) => plain.endsWith(ending))) return 'name';
  if (maybes.has(plain)) return 'maybe';
  if (things.has(plain) || (plain.endsWith('s') && things.has(plain.slice(0, -1)))) return 'thing';
  if (containers.has(plain) || (plain.endsWith('s') && containers.has(plain.slice(0, -1)))) return 'container';
  return plain.endsWith('name') && things.has(plain.slice(0, -4)) ? 'thing' : 'unknown';
}
