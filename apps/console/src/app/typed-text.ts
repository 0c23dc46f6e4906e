import { formerSession, readSession } from '../api/session.ts';
import { fieldName, type TextField } from './field-name.ts';

/**
 * Keeps what is typed on the page at hand, in memory alone, for the person whose session the server ends: it is there again when the same
 * person comes back to the page. Call `sessionChanged` at each change of the session.
 */
export function followTyping(readPath: () => string): { sessionChanged: () => void; stop: () => void } {
  let path = '';
  let typed = new Map<string, string>();
  let kept: { user: string; path: string; typed: Map<string, string> } | undefined;

  const note = ({ target }: Event) => {
    const name = fieldName(target);
    if (!name) return;
    if (path !== readPath()) typed = new Map();
    path = readPath();
    typed.set(name, (target as TextField).value);
  };
  document.addEventListener('input', note, true);

  return {
    sessionChanged() {
      const former = formerSession();
      const user = readSession()?.user.id;
      const back = kept;
      kept = !user && former?.wasLeft === false ? { user: former.user.id, path, typed } : undefined;
      if (!user) typed = new Map();
      else if (back?.user === user)
        void import('./restore-typed.ts').then(({ restoreTyped }) => restoreTyped(back.typed, () => readPath() === back.path));
    },
    stop: () => document.removeEventListener('input', note, true),
  };
}
