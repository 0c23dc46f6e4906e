import { Breadcrumbs } from '../../navigation/Breadcrumbs.tsx';
import { PageLink } from '../../navigation/links.tsx';

interface Props {
  id: string;
  /** Undefined while loading. */
  name: string | undefined;
  /** The name of the page below the project. */
  here: string;
}

/** Breadcrumbs of a page below a project. */
export const ProjectBreadcrumbs = ({ id, name = 'Project', here }: Props) => (
  <Breadcrumbs
    here={here}
    above={[
      <PageLink key="projects" to="/projects">
        Projects
      </PageLink>,
      <PageLink key="project" to="/projects/$id" params={{ id }}>
        {name}
      </PageLink>,
    ]}
  />
);
