import type { InvoiceDetail } from '@paddock/contract';
import { dateText, priceText } from '../words.ts';

/** A small PDF of a sample invoice, as letters of one byte each. A server makes it with fonts of its own; this has those that every reader has. */
export function samplePdf({ id, kind, created_at, buyer, lines, amount, credit_used }: InvoiceDetail): string {
  const rows: [text: string, price?: string][] = [
    [`${kind === 'invoice' ? 'Invoice' : 'Credit note'} ${id}`],
    ['A sample of the Paddock demo: nothing was sold, and no money was moved.'],
    [dateText(created_at)],
    [buyer.name],
    ...[...buyer.address, `${buyer.postal_code} ${buyer.city}`.trim(), buyer.country_name].filter(Boolean).map((text): [string] => [text]),
    [''],
    ...lines.map(({ text, amount: price }): [string, string] => [text, priceText(price)]),
    ...(credit_used > 0 ? [['Credit used', priceText(-credit_used)] as [string, string]] : []),
    ['Total', priceText(amount)],
  ];
  const drawn = rows.flatMap(([text, price], row) => {
    const y = 780 - row * 22;
    const size = row === 0 ? 18 : 11;
    return [show(text, { x: 50, y, size }), ...(price ? [show(price, { x: 470, y, size })] : [])];
  });
  return fileOf(drawn.join('\n'));
}

/** Helvetica has the letters of Latin-1. */
const show = (text: string, { x, y, size }: { x: number; y: number; size: number }) =>
  `BT /F1 ${size} Tf ${x} ${y} Td (${text.replace(/[^\x20-\x7e\xa0-\xff]/g, '?').replace(/[\\()]/g, '\\$&')}) Tj ET`;

function fileOf(content: string): string {
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
