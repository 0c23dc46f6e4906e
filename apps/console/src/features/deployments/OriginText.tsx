import type { Deployment } from '@paddock/contract';
import { commitText } from '@paddock/contract/commit-text';
import { shownText } from '@paddock/contract/terminal-text';

/** Message and commit of a deployment in at most two lines; nothing if its sender named neither. */
export function OriginText({ of }: { of: Deployment }) {
  const commit = commitText(of);
  if (!of.message && !commit) return null;
  return (
    <span className="flex flex-col text-sm font-normal text-muted sm:max-w-56">
      {of.message ? (
        <span className="line-clamp-1 break-all" title={shownText(of.message, 500)}>
          {shownText(of.message, 120)}
        </span>
      ) : null}
      {commit ? <span className="line-clamp-1 font-mono text-mono break-all">{shownText(commit, 120)}</span> : null}
    </span>
  );
}
