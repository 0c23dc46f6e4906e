import type { StepContext } from './step-context.ts';

/** Next's build and its message name the style sheet of each font that they could not fetch. */
const address = /https:\/\/fonts\.googleapis\.com\/css2?\?[\w=+:@.,;&%-]{1,500}/;
const failed = /Failed to fetch (?:font )?`([\w -]{1,100})`/;
const maxFonts = 50;

export interface AbsentFonts {
  context: StepContext;
  /** Whether the build failed at a font. */
  isFound: () => boolean;
  /** Variables with which Next's build takes the fonts from the visitor's device. */
  env: () => Record<string, string>;
  warning: () => string;
}

/** Watches a build for fonts of Google that Next could not fetch. */
export function watchFonts(context: StepContext): AbsentFonts {
  const addresses = new Set<string>();
  const names = new Set<string>();
  const onLine: StepContext['onLine'] = (stream, line) => {
    context.onLine(stream, line);
    const [found] = address.exec(line) ?? [];
    // A sentence may end after the address.
    if (found !== undefined && addresses.size < maxFonts) addresses.add(found.replace(/\.$/, ''));
    const [, name] = failed.exec(line) ?? [];
    if (name !== undefined && names.size < maxFonts) names.add(name);
  };
  return {
    context: { ...context, onLine },
    isFound: () => names.size > 0,
    env: () => ({
      NEXT_FONT_GOOGLE_MOCKED_RESPONSES: '/opt/paddock/launchers/next_fonts.cjs',
      PADDOCK_FONT_ADDRESSES: JSON.stringify([...addresses]),
    }),
    warning: () =>
      `The fonts ${[...names].join(', ')} are not in the pages: this machine did not reach fonts.googleapis.com. Visitors see a font of their own device. Ask the operator to let builds reach that host, and deploy again.`,
  };
}
