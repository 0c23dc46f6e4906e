import type PDFDocument from 'pdfkit';
import { bidiRuns } from './bidi-runs.ts';
import type { Fonts, Weight } from './fonts.ts';
import { wrapText } from './wrap-text.ts';

export type Doc = InstanceType<typeof PDFDocument>;

export interface TextStyle {
  /** In points. */
  size: number;
  weight?: Weight;
  colour?: string;
}
/** The position of a text; its right edge with `align`. */
export interface TextPosition {
  x: number;
  y: number;
  width: number;
  align?: 'left' | 'right';
}
export type Pen = ReturnType<typeof createPen>;

/** A4, in points: the area for texts. */
export const pageLayout = { left: 50, top: 48, width: 495.28, right: 545.28, bottom: 770, footer: 792 } as const;
export const ink = { text: '#1a2327', quiet: '#4e595e', rule: '#c9c8c1', accent: '#116c70', tint: '#f3f3ee' } as const;
const leading = 1.4;

/** Draws texts of any script, wrapped, with the fonts of the document. */
export function createPen(doc: Doc, fonts: Fonts) {
  const runs = (line: string, { weight = 400 }: TextStyle) => bidiRuns(line, (character) => fonts.of(character, weight));
  const widthOf = (line: string, look: TextStyle) =>
    runs(line, look).reduce((sum, { font, text }) => sum + doc.font(font).fontSize(look.size).widthOfString(text), 0);
  const lines = (text: string, look: TextStyle, width: number) => wrapText(text, { width, widthOf: (part) => widthOf(part, look) });

  function draw(line: string, look: TextStyle, { x, y, width, align = 'left' }: TextPosition): void {
    let at = align === 'right' ? x + width - widthOf(line, look) : x;
    // Fonts have different baselines: all runs of a line share one.
    const baseline = y + look.size;
    for (const { font, text } of runs(line, look)) {
      doc
        .font(font)
        .fontSize(look.size)
        .fillColor(look.colour ?? ink.text);
      doc.text(text, at, baseline, { lineBreak: false, baseline: 'alphabetic' });
      at += doc.widthOfString(text);
    }
  }

  return {
    heightOf: (text: string, look: TextStyle, width: number) => lines(text, look, width).length * look.size * leading,
    /** Draws a text downwards from its top, and returns where it ends. */
    write(text: string, look: TextStyle, place: TextPosition): number {
      const all = text === '' ? [] : lines(text, look, place.width);
      all.forEach((line, index) => draw(line, look, { ...place, y: place.y + index * look.size * leading }));
      return place.y + all.length * look.size * leading;
    },
    rule(y: number, { x, width }: { x: number; width: number }): void {
      doc
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.6)
        .strokeColor(ink.rule)
        .stroke();
    },
    fill(colour: string, { x, y, width, height }: { x: number; y: number; width: number; height: number }): void {
      doc.rect(x, y, width, height).fill(colour);
    },
  };
}
