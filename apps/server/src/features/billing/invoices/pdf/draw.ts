import type { InvoiceDetail } from '@paddock/contract';
import PDFDocument from 'pdfkit';
import { drawable, fontsFor } from './fonts.ts';
import { drawLines } from './line-table.ts';
import { createPen, type Doc, ink, type Pen, pageLayout } from './pen.ts';
import { formatPrice, formatQuantity, listFacts, listTotals, paymentInstruction, periodOf, testNote, titleOf } from './texts.ts';

const column = 235;

/** The PDF of an invoice or a credit note. The same document gives the same bytes. */
export async function drawInvoice(given: InvoiceDetail): Promise<Buffer> {
  const invoice = await makeDrawable(given);
  const fonts = await fontsFor(listTexts(invoice), invoice.buyer.country);
  const doc = new PDFDocument({
    size: 'A4',
    margin: 0,
    bufferPages: true,
    lang: 'en',
    displayTitle: true,
    pdfVersion: '1.7',
    info: {
      Title: `${titleOf(invoice)} ${invoice.id}`,
      Author: invoice.seller.name,
      Creator: 'Paddock',
      Producer: 'Paddock',
      CreationDate: new Date(invoice.created_at),
      ModDate: new Date(invoice.created_at),
    },
  });
  const chunks: Buffer[] = [];
  doc.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve, reject) => doc.once('end', resolve).once('error', reject));
  for (const { name, bytes } of fonts.all) doc.registerFont(name, bytes);
  const pen = createPen(doc, fonts);
  const head = drawHead(pen, invoice);
  drawTotals({ doc, pen }, invoice, drawLines({ doc, pen }, invoice, head));
  drawFooters({ doc, pen }, invoice);
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}

function drawHead(pen: Pen, invoice: InvoiceDetail): number {
  const { seller, buyer } = invoice;
  const right = pageLayout.right - column;
  let left = drawParty(pen, { name: seller.name, lines: partyLines(seller), y: pageLayout.top, size: 14 });
  let y = pen.write(
    titleOf(invoice),
    { size: 20, weight: 700, colour: ink.accent },
    { x: right, y: pageLayout.top - 5, width: column, align: 'right' },
  );
  y += 6;
  for (const [name, value] of listFacts(invoice)) {
    pen.write(name, { size: 8.5, colour: ink.quiet }, { x: right, y, width: 92 });
    y = pen.write(value, { size: 8.5, weight: 700 }, { x: right + 92, y, width: column - 92, align: 'right' }) + 2;
  }
  left = pen.write(
    invoice.kind === 'invoice' ? 'Billed to' : 'Credited to',
    { size: 8.5, colour: ink.quiet },
    { x: pageLayout.left, y: left + 22, width: column },
  );
  left = drawParty(pen, { name: buyer.name, lines: partyLines(buyer), y: left + 2, size: 11 });
  let end = Math.max(left, y) + 22;
  if (invoice.is_test) {
    pen.fill(ink.tint, { x: pageLayout.left, y: end - 4, width: pageLayout.width, height: 24 });
    end = pen.write(testNote, { size: 10, weight: 700 }, { x: pageLayout.left + 10, y: end, width: pageLayout.width - 20 }) + 20;
  }
  return end;
}

function drawParty(pen: Pen, { name, lines, y, size }: { name: string; lines: string[]; y: number; size: number }): number {
  let end = pen.write(name, { size, weight: 700 }, { x: pageLayout.left, y, width: column }) + 2;
  for (const line of lines) end = pen.write(line, { size: 9.5, colour: ink.quiet }, { x: pageLayout.left, y: end, width: column });
  return end;
}

type Party = InvoiceDetail['buyer'];
const partyLines = ({ address, postal_code, city, country_name, email, tax_id }: Party): string[] =>
  [...address, `${postal_code} ${city}`.trim(), country_name, email, tax_id && `Tax ID ${tax_id}`].filter((line) => line !== '');

function drawTotals({ doc, pen }: { doc: Doc; pen: Pen }, invoice: InvoiceDetail, from: number): void {
  const rows = listTotals(invoice);
  const closing = paymentInstruction(invoice);
  const needed = rows.length * 18 + 30 + pen.heightOf(closing, { size: 9.5 }, pageLayout.width);
  let y = from + 10;
  if (y + needed > pageLayout.bottom) {
    doc.addPage();
    y = pageLayout.top;
  }
  const [x, width] = [pageLayout.right - column, column - 6];
  rows.forEach(([name, value], index) => {
    const isLast = index === rows.length - 1;
    const look = isLast ? { size: 11.5, weight: 700 as const } : { size: 9.5 };
    if (isLast) {
      pen.rule(y, { x, width });
      y += 6;
    }
    pen.write(name, look, { x, y, width: width - 95 });
    y = pen.write(value, look, { x: x + width - 95, y, width: 95, align: 'right' }) + 3;
  });
  pen.write(closing, { size: 9.5, colour: ink.quiet }, { x: pageLayout.left, y: y + 18, width: pageLayout.width });
}

function drawFooters({ doc, pen }: { doc: Doc; pen: Pen }, { id, seller, is_test }: InvoiceDetail): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    doc.switchToPage(page);
    pen.rule(pageLayout.footer - 8, { x: pageLayout.left, width: pageLayout.width });
    const look = { size: 8, colour: ink.quiet };
    const width = pageLayout.width - 150;
    const name = [id, seller.name, is_test ? testNote : ''].filter(Boolean).join(' · ');
    pen.write(name, look, { x: pageLayout.left, y: pageLayout.footer, width });
    const number = `Page ${page - start + 1} of ${count}`;
    pen.write(number, look, { x: pageLayout.left + width, y: pageLayout.footer, width: 150, align: 'right' });
  }
}

/** The invoice with all untrusted texts made drawable. */
async function makeDrawable(invoice: InvoiceDetail): Promise<InvoiceDetail> {
  const party = async (one: Party): Promise<Party> => ({
    ...one,
    name: (await drawable(one.name)) || '-',
    email: await drawable(one.email),
    address: await Promise.all(one.address.map(drawable)),
    postal_code: await drawable(one.postal_code),
    city: await drawable(one.city),
    tax_id: await drawable(one.tax_id),
  });
  const lines = await Promise.all(invoice.lines.map(async (line) => ({ ...line, text: await drawable(line.text) })));
  return {
    ...invoice,
    lines,
    tax_label: await drawable(invoice.tax_label),
    seller: await party(invoice.seller),
    buyer: await party(invoice.buyer),
  };
}

/** All drawn texts: the fonts are subset to their characters. */
const listTexts = (invoice: InvoiceDetail): string[] => [
  titleOf(invoice),
  ...listFacts(invoice).flat(),
  ...listTotals(invoice).flat(),
  paymentInstruction(invoice),
  testNote,
  'Billed to Credited to Page of Tax ID Description Quantity Unit price Amount continued · ,.$-0123456789',
  ...[invoice.seller, invoice.buyer].flatMap((party) => [party.name, ...partyLines(party)]),
  ...invoice.lines.flatMap((line) => [line.text, periodOf(line), formatQuantity(line), formatPrice(line.amount)]),
];
