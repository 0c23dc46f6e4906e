import type { Page } from '@playwright/test';
import { sized } from '../../scripts/test/size.ts';
import { brokenAgent, talkingAgent } from './agents.ts';
import { deploy, deployTo, newPerson, newProject, type Person, reaches } from './api.ts';
import { test as base, expect, expectAccessible, expectContrast, expectNoSideScroll, logLines, settled, stateOf } from './console.ts';

interface Scene {
  person: Person;
  project: string;
  name: string;
  active: string;
  failed: string;
}

/** A person with a running agent, a failed one, and two variables. */
const test = base.extend<object, { scene: Scene }>({
  scene: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the parameter's pattern
    async ({}, use) => {
      const person = await newPerson();
      const { id: project, name } = await newProject(person, 'support-router');
      await newProject(person, 'a-project-with-a-rather-long-name-of-40');
      await person.api.variables.set({
        project_id: project,
        environment: 'production',
        variables: ['TICKETS_URL', 'A_RATHER_LONG_NAME_OF_A_VARIABLE_WITH_MANY_WORDS_IN_IT'].map((key) => ({
          key,
          value: 'x',
          available_at_build: false,
        })),
      });
      const active = await deploy(person, project, talkingAgent('the screens'));
      const failed = await deployTo(person, { project_id: project, environment: 'preview' }, brokenAgent);
      await reaches(person, active.id, 'active');
      await reaches(person, failed.id, 'failed');
      await use({ person, project, name, active: active.id, failed: failed.id });
    },
    { scope: 'worker' },
  ],
  storageState: ({ scene }, use) => use(stateOf(scene.person)),
});

/** Screens that differ with real agents or are missing in the demo. The demo's tests check the other screens and dialogs. */
const screens: Record<string, (page: Page, scene: Scene) => Promise<unknown>> = {
  async dashboard(page) {
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Recent Deployments' }).waitFor();
  },
  async projects(page, { name }) {
    await page.goto('/projects');
    await page.getByRole('heading', { name }).waitFor();
  },
  async 'project menu'(page, { name }) {
    await page.goto('/projects');
    await page.getByRole('button', { name: `Actions for ${name}` }).click();
    await page.getByRole('menuitem', { name: 'Delete project' }).waitFor();
  },
  async 'remove variable'(page, { project }) {
    await page.goto(`/projects/${project}/variables`);
    await page.getByText('TICKETS_URL').waitFor();
    await page.getByRole('button', { name: 'Remove TICKETS_URL' }).click();
    await page.getByRole('alertdialog').waitFor();
  },
  async deployments(page) {
    await page.goto('/deployments');
    await page.getByText('2 of 2 shown').waitFor();
  },
  async 'log dialog'(page, { active }) {
    await page.goto(`/deployments?logs=${active}`);
    await logLines(page).getByText('the screens listens').waitFor();
  },
  async 'active deployment'(page, { active }) {
    await page.goto(`/deployments/${active}`);
    await logLines(page).getByText('the screens listens').waitFor();
    await page.getByText('Following').waitFor();
  },
  async 'failed deployment'(page, { failed }) {
    await page.goto(`/deployments/${failed}`);
    await logLines(page).getByText('Error: the model file is missing', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Log', exact: true }).getByText('Ended', { exact: true }).waitFor();
  },
  async 'no such deployment'(page) {
    await page.goto('/deployments/dep_00000000000000000000000000');
    await page.getByText('Deployment not found.').waitFor();
  },
  async shortcuts(page) {
    await page.goto('/dashboard');
    await page.getByRole('heading', { name: 'Dashboard' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
  },
};

for (const [name, go] of Object.entries(screens))
  test(`${name} is accessible in light and dark, and fits 360 px`, async ({ page, scene }) => {
    await look(page, name, () => go(page, scene));
  });

for (const path of ['login', 'signup'])
  base(`${path} is accessible in light and dark, and fits 360 px`, async ({ page }) => {
    await look(page, path, async () => {
      await page.goto(`/${path}`);
      await page.getByRole('button', { name: /Sign in|Create account/ }).click();
    });
  });

const reading: [name: string, path: string, after: string][] = [
  ['forgot password', '/forgot-password', 'Enter the e-mail address of your account'],
  ['new password', '/reset-password#token=x', 'All sessions of the account will end'],
  ['verify e-mail', '/verify-email#token=x', 'Confirm that this account is yours'],
  ['privacy', '/privacy', 'What is stored, and for how long'],
];
base('what mails and the sign-in lead to is accessible in light and dark, and fits 360 px', async ({ page }) => {
  for (const [name, path, text] of reading)
    await look(page, name, async () => {
      await page.goto('/login');
      await page.goto(path);
      await page.getByText(text).first().waitFor();
    });
});

base('an empty dashboard and empty lists are accessible in light and dark, and fit 360 px', async ({ browser, baseURL }) => {
  const context = await browser.newContext({ ...(baseURL ? { baseURL } : {}), storageState: stateOf(await newPerson()) });
  const page = await context.newPage();
  for (const [path, text] of [
    ['dashboard', 'Deploy Your First Agent'],
    ['projects', 'No projects yet.'],
    ['deployments', 'No deployments yet.'],
    ['api-keys', 'No API keys yet.'],
  ] as const)
    await look(page, `empty ${path}`, async () => {
      await page.goto(`/${path}`);
      await page.getByText(text).waitFor();
    });
  await context.close();
});

/**
 * Checks a screen. Only colours depend on the theme, so the short size runs all axe rules in light and only the colours in dark. It opens
 * the screen at both widths, since a dialog may be laid out for the first one only, and takes screenshots in both themes if a folder is given.
 */
async function look(page: Page, name: string, go: () => Promise<unknown>) {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const width of [1320, 360]) {
    await page.setViewportSize({ width, height: width === 360 ? 740 : 860 });
    await go();
    expect(await page.title()).toMatch(/ · Paddock$/);
    for (const colorScheme of width === 1320 || pictures ? (['light', 'dark'] as const) : (['dark'] as const)) {
      await page.emulateMedia({ colorScheme });
      await settled(page);
      if (pictures) await page.screenshot({ path: `${pictures}/platform-${name.replaceAll(' ', '-')}-${width}-${colorScheme}.png` });
      if (width === 1320) await (sized({ short: colorScheme === 'dark', long: false }) ? expectContrast(page) : expectAccessible(page));
    }
    await expectNoSideScroll(page);
  }
}

const pictures = process.env.PADDOCK_SCREENSHOTS;
