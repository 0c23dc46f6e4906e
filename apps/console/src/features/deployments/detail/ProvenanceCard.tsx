import type { Provenance } from '@paddock/contract';
import { shownText } from '@paddock/contract/terminal-text';
import { useQuery } from '@tanstack/react-query';
import { Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { api } from '../../../api/api.ts';
import { failureText } from '../../../api/failure.ts';
import { Loaded } from '../../../api/Loaded.tsx';
import { useAction } from '../../../api/use-action.ts';
import { PageLink } from '../../../navigation/links.tsx';
import { Button } from '../../../ui/controls/Button.tsx';
import { CopyButton } from '../../../ui/controls/CopyButton.tsx';
import { saveFile } from '../../../ui/controls/save-file.ts';
import { FormError } from '../../../ui/feedback/FormError.tsx';
import { Skeleton } from '../../../ui/feedback/Skeleton.tsx';
import { Card } from '../../../ui/layout/Card.tsx';
import { bytesText } from '../../../ui/text/bytes.ts';
import { Timestamp } from '../../../ui/text/Timestamp.tsx';
import { Icon } from '../../../ui/theme/Icon.tsx';
import { provenanceQuery } from '../changes/queries.ts';

/** The origin of the code, and its installed packages. */
export function ProvenanceCard({ id, projectName, isFolded = false }: { id: string; projectName: string; isFolded?: boolean }) {
  const query = useQuery(provenanceQuery(id));
  const save = useAction({
    mutationFn: async () => {
      const sbom = await api.deployments.sbom({ id });
      saveFile(`${JSON.stringify(sbom, null, 2)}\n`, {
        name: `${projectName}-${id.slice(-8)}.cdx.json`,
        type: 'application/vnd.cyclonedx+json',
      });
    },
  });
  return (
    <Card
      title="Provenance"
      isFolded={isFolded}
      actions={
        <Button icon={<Icon of={Download} />} busy={save.isPending} onClick={() => save.mutate()}>
          Download SBOM (CycloneDX)
        </Button>
      }
    >
      <FormError>{failureText(save.error, 'The SBOM could not be loaded. Try again.')}</FormError>
      <Loaded query={query} failed="The provenance could not be loaded. Running agents are not affected." skeleton={<Skeleton rows={4} />}>
        {(data) => <Facts of={data} />}
      </Loaded>
    </Card>
  );
}

function Facts({ of: { sha256, source_bytes, actor, audit_id, created_at, predecessor, rollback_target } }: { of: Provenance }) {
  const facts: [term: string, value: ReactNode][] = [
    [
      'Digest',
      sha256 === null ? (
        'None: uploaded before Paddock stored digests. Deploy the archive again to get one.'
      ) : (
        <span key="digest" className="flex items-center gap-1">
          <span className="min-w-0 font-mono text-mono break-all">sha256:{sha256}</span>
          <CopyButton text={sha256} label="Copy digest" />
        </span>
      ),
    ],
    ['Archive', bytesText(source_bytes)],
    [
      'Actor',
      <span key="actor">
        {shownText(actor.name ?? actor.id, 80)}, {actor.type === 'key' ? 'an API key' : 'a person'}
        {audit_id === null ? null : (
          <>
            {'; '}
            <PageLink to="/governance" search={{ log: audit_id }}>
              audit record
            </PageLink>
          </>
        )}
      </span>,
    ],
    ['Time', <Timestamp key="time" at={created_at} />],
    ['Predecessor', <Earlier key="before" of={predecessor} none="None: the first to serve its environment" />],
    ['Rolls back to', <Earlier key="target" of={rollback_target} none="No earlier deployment has served" />],
  ];
  return (
    <dl className="grid items-baseline grid-cols-[6rem_minmax(0,1fr)] gap-x-3 gap-y-1">
      {facts.map(([term, value]) => (
        <div key={term} className="contents">
          <dt className="text-muted">{term}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const Earlier = ({ of, none }: { of: Provenance['predecessor']; none: string }) =>
  of === null ? (
    none
  ) : (
    <>
      <PageLink to="/deployments/$id" params={{ id: of.id }}>
        …{of.id.slice(-4)}
      </PageLink>
      , deployed <Timestamp at={of.deployed_at} />
    </>
  );
