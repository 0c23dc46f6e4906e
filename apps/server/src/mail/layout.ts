/** A paragraph, a button with an address, or a small table. */
export type Part = string | { label: string; href: string } | { facts: [string, string][] };

/** The content of a mail, which the layout renders as text and HTML. */
export interface MailText {
  subject: string;
  parts: Part[];
}

/** Renders both forms of a mail. Every text is escaped here, so that no template can forget it. */
export function layOut({ subject, parts }: MailText, publicUrl: string): { text: string; html: string } {
  const foot = `Sent by Paddock at ${publicUrl}. Nobody reads answers to this address.`;
  return {
    text: `${[...parts.map(asText), `-- \n${foot}`].join('\n\n')}\n`,
    html: page(subject, parts.map(asHtml).join('\n'), foot),
  };
}

function asText(part: Part): string {
  if (typeof part === 'string') return part;
  if ('href' in part) return `${part.label}:\n${part.href}`;
  const width = Math.max(...part.facts.map(([name]) => name.length)) + 2;
  return part.facts.map(([name, value]) => `${`${name}:`.padEnd(width)}${value}`).join('\n');
}

// Mail programs know little CSS, and some read only style attributes.
const look = {
  page: 'margin:0;padding:24px 12px;background:#f8f8f5;color:#1a2327;font-family:Helvetica,Arial,sans-serif;font-size:16px;line-height:24px',
  box: 'width:100%;max-width:560px;background:#fefdfc;border:1px solid #dcdbd5;border-collapse:separate;border-radius:6px',
  head: 'padding:20px 28px 0;font-size:14px;color:#4e595e',
  body: 'padding:8px 28px 24px',
  title: 'margin:0 0 16px;padding:0 0 12px;border-bottom:1px solid #88867e;font-size:20px;line-height:28px',
  paragraph: 'margin:0 0 16px;overflow-wrap:anywhere',
  button: 'display:inline-block;padding:10px 18px;background:#116c70;color:#fcfcf9;border-radius:3px;text-decoration:none;font-weight:bold',
  address: 'margin:0 0 16px;font-size:13px;line-height:20px;color:#4e595e;word-break:break-all',
  facts: 'margin:0 0 16px;border-collapse:collapse',
  name: 'padding:2px 16px 2px 0;color:#4e595e;vertical-align:top;white-space:nowrap',
  value: 'padding:2px 0;vertical-align:top;word-break:break-word',
  foot: 'padding:14px 28px;border-top:1px solid #dcdbd5;font-size:13px;line-height:20px;color:#4e595e',
};

function asHtml(part: Part): string {
  if (typeof part === 'string') return `<p style="${look.paragraph}">${escape(part)}</p>`;
  if ('href' in part)
    return `<p style="${look.paragraph}"><a href="${escape(part.href)}" style="${look.button}">${escape(part.label)}</a></p>
<p style="${look.address}">${escape(part.href)}</p>`;
  const rows = part.facts.map(
    ([name, value]) => `<tr><td style="${look.name}">${escape(name)}</td><td style="${look.value}">${escape(value)}</td></tr>`,
  );
  return `<table role="presentation" style="${look.facts}">${rows.join('')}</table>`;
}

const page = (subject: string, body: string, foot: string) => `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light"><title>${escape(subject)}</title></head>
<body style="${look.page}">
<table role="presentation" align="center" style="${look.box}">
<tr><td style="${look.head}">Paddock</td></tr>
<tr><td style="${look.body}"><h1 style="${look.title}">${escape(subject)}</h1>
${body}</td></tr>
<tr><td style="${look.foot}">${escape(foot)}</td></tr>
</table>
</body>
</html>
`;

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;');
