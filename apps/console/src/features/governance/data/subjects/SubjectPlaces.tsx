import type { DataSubjectRequest } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { PageLink } from '../../../../navigation/links.tsx';
import { Timestamp } from '../../../../ui/text/Timestamp.tsx';
import { LinkButton } from '../../compliance/LinkButton.tsx';
import { type Go, isTraceId } from '../../view.ts';
import { placeWords } from './words.ts';

type Place = DataSubjectRequest['places'][number];

/** The places where data was found, how much of it was erased, and some of the items. */
export const SubjectPlaces = ({ of: { kind, places }, go }: { of: DataSubjectRequest; go: Go }) => (
  <ul aria-label="Places" className="list-none border border-border">
    {places.map((place) => {
      const { word, says } = placeWords[place.place] ?? { word: place.place, says: '' };
      return (
        <li key={place.place} aria-label={word} className="flex flex-col gap-1 border-t border-border px-3 py-2 first:border-t-0">
          <div className="flex flex-wrap justify-between gap-x-3">
            <h3 className="font-semibold">{word}</h3>
            <span>
              {place.found.toLocaleString('en')} found{kind === 'erase' ? `, ${place.erased.toLocaleString('en')} erased` : ''}
            </span>
          </div>
          <p className="text-sm text-muted">{says}</p>
          {place.examples.length > 0 ? (
            <ul aria-label={`Examples in ${word.toLowerCase()}`} className="grid list-none gap-x-6 text-sm sm:grid-cols-2">
              {place.examples.map((example) => (
                <li key={example.id} className="flex flex-wrap items-baseline justify-between gap-x-3">
                  <Where place={place.place} id={example.id} go={go} />
                  <span className="text-muted">
                    <Timestamp at={example.at} />
                  </span>
                </li>
              ))}
            </ul>
          ) : null}
          {place.found > place.examples.length && place.examples.length > 0 ? (
            <p className="text-sm text-muted">The first {place.examples.length} are listed.</p>
          ) : null}
        </li>
      );
    })}
  </ul>
);

/** A link to the item: a record, a log line or the lineage of a trace. People have no page. */
function Where({ place, id, go }: { place: Place['place']; id: string; go: Go }) {
  const end = `…${shownText(id.slice(-6), 6)}`;
  if (place === 'records' || place === 'facts')
    return (
      <LinkButton label={`Record ${end}`} onClick={() => go({ log: id }, { replace: false })}>
        Record {end}
      </LinkButton>
    );
  const [deployment = '', line] = id.split(':');
  if (place === 'logs' && line)
    return (
      <span className="font-mono text-mono">
        <PageLink to="/deployments/$id" params={{ id: deployment }} hash={`L${line}`}>
          Line {line} of …{deployment.slice(-4)}
        </PageLink>
      </span>
    );
  if (isTraceId(id))
    return (
      <LinkButton label={`Trace ${end}`} onClick={() => go({ lineage: id }, { replace: false })}>
        Trace {end}
      </LinkButton>
    );
  return <span className="font-mono text-mono wrap-anywhere">{shownText(id, 64)}</span>;
}
