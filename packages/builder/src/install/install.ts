import { installNode } from './install-node.ts';
import { installPython } from './install-python.ts';
import type { Installed, InstallRequest } from './request.ts';

/** Installs the dependencies that the plan names, or reuses the layer that has them. */
export function install(request: InstallRequest): Promise<Installed> {
  return request.plan.language === 'python' ? installPython(request) : installNode(request);
}
