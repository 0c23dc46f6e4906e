import type { Deployment } from '@paddock/contract';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { filled } from '../../../api/filled.ts';
import { parametersOf, parseLogView } from '../../logs/search.ts';
import { ChangesCard } from '../changes/ChangesCard.tsx';
import { ProvenanceCard } from './ProvenanceCard.tsx';

/** The origin of a deployment's code, and its changes. The deployment that it is compared with is kept in the address. */
export function OriginCards({ deployment, isFolded }: { deployment: Deployment; isFolded: boolean }) {
  const { with: other = '', ...log } = useSearch({ from: '/shell/deployments/$id' });
  const navigate = useNavigate({ from: '/deployments/$id' });
  const compare = (id: string) =>
    void navigate({
      to: '.',
      search: { ...parametersOf(parseLogView(log)), ...filled({ with: id }) },
      replace: true,
      resetScroll: false,
      hashScrollIntoView: false,
    });
  return (
    <>
      <ProvenanceCard id={deployment.id} projectName={deployment.project_name} isFolded={isFolded} />
      <ChangesCard deployment={deployment} other={other} onOther={compare} />
    </>
  );
}
