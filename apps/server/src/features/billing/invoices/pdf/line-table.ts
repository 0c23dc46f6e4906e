import type { InvoiceDetail, InvoiceLine } from '@paddock/contract';
import { type Doc, ink, type Pen, pageLayout } from './pen.ts';
import { formatPrice, formatQuantity, periodOf } from './texts.ts';

const columns = {
  text: { x: pageLayout.left + 6, width: 245, align: 'left' },
  quantity: { x: pageLayout.left + 257, width: 95, align: 'right' },
  price: { x: pageLayout.left + 358, width: 55, align: 'right' },
  amount: { x: pageLayout.left + 418, width: 71, align: 'right' },
} as const;
const look = { size: 9.5 };
const small = { size: 8, colour: ink.quiet };

interface Page {
  doc: Doc;
  pen: Pen;
}

/** Draws the lines, over as many pages as needed, each with the table head. Returns where the table ends on the last page. */
export function drawLines(page: Page, { lines, id }: InvoiceDetail, from: number): number {
  const { doc, pen } = page;
  let y = drawHead(pen, from);
  for (const line of lines) {
    if (y + heightOf(pen, line) > pageLayout.bottom) {
      doc.addPage();
      const top = pen.write(`${id}, continued`, small, { x: pageLayout.left, y: pageLayout.top - 16, width: pageLayout.width });
      y = drawHead(pen, top + 6);
    }
    y = drawLine(pen, line, y);
  }
  return y;
}

function drawHead(pen: Pen, y: number): number {
  const head = { size: 8.5, weight: 700 as const };
  pen.fill(ink.tint, { x: pageLayout.left, y: y - 5, width: pageLayout.width, height: 22 });
  pen.write('Description', head, { ...columns.text, y });
  pen.write('Quantity', head, { ...columns.quantity, y });
  pen.write('Unit price', head, { ...columns.price, y });
  return pen.write('Amount', head, { ...columns.amount, y }) + 12;
}

const heightOf = (pen: Pen, line: InvoiceLine) =>
  pen.heightOf(line.text, look, columns.text.width) + (periodOf(line) ? pen.heightOf(periodOf(line), small, columns.text.width) : 0) + 12;

function drawLine(pen: Pen, line: InvoiceLine, y: number): number {
  pen.write(formatQuantity(line), look, { ...columns.quantity, y });
  if (line.unit_price !== null) pen.write(formatPrice(line.unit_price), look, { ...columns.price, y });
  pen.write(formatPrice(line.amount), look, { ...columns.amount, y });
  let end = pen.write(line.text, look, { ...columns.text, y });
  end = pen.write(periodOf(line), small, { ...columns.text, y: end });
  pen.rule(end + 5, { x: pageLayout.left, width: pageLayout.width });
  return end + 12;
}
