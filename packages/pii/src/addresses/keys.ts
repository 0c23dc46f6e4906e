const set = (text: string) => new Set(text.trim().split(/\s+/));

const addresses =
  set(`address fulladdress addressline addressline1 address1 addr addr1 street streetaddress street1 streetname line line1 shippingaddress
  billingaddress homeaddress workaddress mailingaddress postaladdress deliveryaddress residentialaddress permanentaddress currentaddress propertyaddress
  customeraddress mailingstreet billingstreet shippingstreet shipto residence
  strasse anschrift adresse wohnort lieferadresse rechnungsadresse postanschrift
  rue adressepostale adressecomplete domicile direccion direccioncompleta domicilio calle
  indirizzo indirizzocompleto residenza via endereco enderecocompleto morada rua logradouro adres volledigadres straat`);
const parts =
  set(`city town suburb locality state region province county zip zipcode postalcode postcode pincode country line2 addressline2 address2 unit apartment apt
  plz ort stadt land ville codepostal pays ciudad codigopostal pais citta cap cidade cep codigopostal plaats stad woonplaats`);

const known = new Map<string, 'address' | 'part' | 'other'>();
const maxKnown = 2_000;

/** Whether a key of a JSON object names an address, a part of one, or something else. */
export function keyOfAddress(key: string): 'address' | 'part' | 'other' {
  const found = known.get(key);
  if (found) return found;
  const kind = judgeKey(key);
  if (known.size >= maxKnown) known.clear();
  known.set(key, kind);
  return kind;
}

function judgeKey(key: string): 'address' | 'part' | 'other' {
  if (key.length > 60) return 'other';
  const plain = key
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/[^a-z0-9]/g, '');
  if (
    addresses.has(plain) ||
    (/(?:address|street)$/.test(plain) && !/(?:email|mail|ip|mac|web|wallet|contract|host|server|remote|bind|memory)address$/.test(plain))
  )
    return 'address';
  return parts.has(plain) ? 'part' : 'other';
}
