import { useQuery } from '@tanstack/react-query';
import { Banner } from '../../ui/feedback/Banner.tsx';
import { systemQuery } from '../system/queries.ts';
import { managedLacks } from './managed-lacks.ts';

/** The database types that this installation cannot run, and how to change that; renders nothing if it can run all. */
export function ManagedLacks() {
  const lacks = managedLacks(useQuery(systemQuery).data?.database_problems);
  if (!lacks) return null;
  return (
    <Banner tone="warning">
      <b className="font-bold">{lacks.title}</b>
      {lacks.details.map((detail) => (
        <p key={detail} className="break-words">
          <WithCode text={detail} />
        </p>
      ))}
      <p>{lacks.outcome}</p>
    </Banner>
  );
}

/** A sentence with commands between backticks. */
const WithCode = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence
      <code key={index} className="font-mono text-mono">
        {part}
      </code>
    ) : (
      part
    ),
  );
