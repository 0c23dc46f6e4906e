import type { Plan } from '@paddock/builder';
import { visitChainlit } from './chainlit.ts';
import type { Page } from './page.ts';
import { visitStreamlit } from './streamlit.ts';

/** How a framework that runs an app's code only for its visitors is visited once. */
interface FirstVisit {
  framework: 'Streamlit' | 'Chainlit';
  /** For the log. */
  announcement: string;
  /** A sentence without its end, for the failed start. */
  failure: string;
  /** Resolves to the error with which the code ended, such as `KeyError`; undefined if it ended well, still runs, or could not be visited. */
  visit: (page: Page, signal: AbortSignal) => Promise<string | undefined>;
}

const visits: FirstVisit[] = [
  {
    framework: 'Streamlit',
    announcement: 'Visiting the page once: Streamlit runs the script for each visitor',
    failure: 'the page answers, but its script raised an error at the first visit',
    visit: visitStreamlit,
  },
  {
    framework: 'Chainlit',
    announcement: 'Opening a chat once: Chainlit runs what a chat begins with for each visitor',
    failure: 'the page answers, but the first chat ended with an error as it began',
    visit: visitChainlit,
  },
];

/** Undefined for agents whose code runs at their start. A health path says by itself what counts as ready. */
export function findFirstVisit({ framework, health, start }: Pick<Plan, 'framework' | 'health' | 'start'>): FirstVisit | undefined {
  if (health !== undefined) return undefined;
  const isStarted = (name: string) => start.some((word) => word === name || word.endsWith(`/${name}`));
  return visits.find((visit) => framework === visit.framework || isStarted(visit.framework.toLowerCase()));
}
