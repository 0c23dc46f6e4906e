import { createLink } from '@tanstack/react-router';
import { ButtonAnchor } from '../ui/controls/ButtonAnchor.tsx';
import { TextLink } from '../ui/controls/TextLink.tsx';

/** A text link to a page of the console: `<PageLink to="/deployments" search={{ project: id }}>`. */
export const PageLink = createLink(TextLink);

/** A link to a page of the console that looks like a button. */
export const ButtonLink = createLink(ButtonAnchor);
