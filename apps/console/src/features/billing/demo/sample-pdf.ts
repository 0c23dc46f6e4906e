import type { InvoiceDetail } from '@paddock/contract';
import { dateText, priceText } from '../words.ts';

/**
 * A small PDF of a sample invoice. The server embeds its own fonts; this file uses a standard PDF font.
 */
export function samplePdf({ id, kind, created_at, buyer, lines, amount, credit_used }: InvoiceDetail): Uint8Array<ArrayBuffer> {
  const rows = [
    `${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${id}`,
    'A sample of the Paddock demo: nothing was sold, and no money was moved.',
    dateText(created_at),
    buyer.name,
    ...buyer.address,
    `${buyer.postal_code} ${buyer.city} ${buyer.country_name}`,
    ...lines.map((line) => `${line.text}: ${priceText(line.amount)}`),
    `Credit used: ${priceText(-credit_used)}`,
    `Total: ${priceText(amount)}`,
  ];
  // Helvetica has the characters of Latin-1.
  const texts = rows.map((row) => `(${row.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[\\()]/g, '\\$&')})'`);
  const file = buildPdfFile(`BT /F1 12 Tf 22 TL 50 800 Td ${texts.join('\n')} ET`);
  return Uint8Array.from(file, (letter) => letter.charCodeAt(0));
}

/** The file as one-byte characters. */
function buildPdfFile(content: string): string {
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
  ];
  let file = '%PDF-1.4\n';
  const places = objects.map((object, index) => {
    const place = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(place).padStart(10, '0')} 00000 n \n`;
  });
  const count = objects.length + 1;
  return `${file}xref\n0 ${count}\n0000000000 65535 f \n${places.join('')}trailer\n<</Size ${count}/Root 1 0 R>>\nstartxref\n${file.length}\n%%EOF\n`;
}
