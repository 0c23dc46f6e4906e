import { plural } from '@paddock/contract/plural';
import { Glyph } from '../../../ui/theme/Glyph.tsx';
import { megabytes } from './megabytes.ts';
import type { Preflight } from './preflight.ts';

/** The result of the preflight check, before the archive is uploaded. */
export function PreflightSummary({ result }: { result: Preflight }) {
  const { files, unpackedBytes, problems, warnings, stack } = result;
  if (problems.length > 0)
    return (
      <ul role="alert" className="flex flex-col gap-1 text-sm text-error-fg">
        {problems.map((problem) => (
          <li key={problem} className="flex items-start gap-2">
            <span className="mt-1">
              <Glyph name="cross" />
            </span>
            <span className="min-w-0 break-words">{problem}</span>
          </li>
        ))}
      </ul>
    );
  return (
    <div className="flex flex-col gap-1 text-sm">
      <p role="status" className="text-muted">
        {plural(files, 'file')}, {megabytes(unpackedBytes)} unpacked.{' '}
        {stack ? (
          <>
            Detected <b className="font-semibold text-text">{stack.language}</b> from {stack.because}
            {stack.entry && stack.entry !== stack.because ? `, starting from ${stack.entry}` : ''}
            {stack.manifest ? `; settings in ${stack.manifest} take precedence` : ''}.
          </>
        ) : (
          'The files do not show how it starts; the build determines it.'
        )}
      </p>
      {warnings.map((warning) => (
        <p key={warning} className="flex items-start gap-2 text-warning-fg">
          <span className="mt-1">
            <Glyph name="triangle" />
          </span>
          <span className="min-w-0">{warning}</span>
        </p>
      ))}
    </div>
  );
}
