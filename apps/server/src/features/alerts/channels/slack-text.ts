import type { ChannelEventBody, DeploymentData } from './channel-event.ts';

/** Slack and compatible receivers truncate longer texts. */
const maxLetters = 3000;

const stops: Record<string, string> = {
  stopped: 'was stopped',
  cancelled: 'was cancelled',
  superseded: 'was not started: a newer deployment serves already',
  project_deleted: 'ended with its project',
};

/** A plain paragraph. Slack reads `<…>` as links and mentions, so the three characters of its markup are escaped. */
export function slackText(told: ChannelEventBody): string {
  return escaped(cut(sentence(told)));
}

function sentence(told: ChannelEventBody): string {
  if (told.type === 'channel.test') return `This is a test of the channel "${told.data.channel_name}" of Paddock.`;
  if (told.type === 'alert.opened' || told.type === 'alert.resolved') {
    const { severity, project_name, message } = told.data;
    const place = project_name === null ? '' : ` in ${project_name}`;
    return told.type === 'alert.opened' ? `Alert (${severity})${place}: ${message}` : `Resolved (${severity})${place}: ${message}`;
  }
  return `Deployment ${told.data.id} of ${told.data.project_name} (${told.data.environment}) ${outcome(told.data)}`;
}

function outcome({ status, url, error_message, reason }: DeploymentData): string {
  if (status === 'active') return `${reason === 'came_back' ? 'serves again' : 'is active'}${url === null ? '.' : `: ${url}`}`;
  if (status === 'failed') return `failed${error_message === null ? '.' : `: ${error_message}`}`;
  return `${stops[reason] ?? 'was stopped'}.`;
}

function cut(text: string): string {
  const letters = Array.from(text);
  return letters.length > maxLetters ? `${letters.slice(0, maxLetters - 1).join('')}…` : text;
}

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
