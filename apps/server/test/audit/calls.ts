import { Secret, TOTP } from 'otpauth';
import { zip } from '../archives.ts';
import { markFound } from '../erasures.ts';
import { codeOf, somebody } from '../oauth-world.ts';
import { billingCalls } from './billing-calls.ts';
import type { Api, Prepare } from './prepared.ts';
import type { AuditWorld } from './world.ts';

const newPassword = 'CANARY battery horse';
const project = (w: AuditWorld, press: (api: Api, id: string) => Promise<unknown>) =>
  Promise.resolve({ press: (api: Api) => press(api, w.project_id), target: w.project_id });
const user = (w: AuditWorld, press: (api: Api) => Promise<unknown>) => Promise.resolve({ press, target: w.user_id });
const withId = async (id: Promise<string>, press: (api: Api, id: string) => Promise<unknown>) => {
  const target = await id;
  return { press: (api: Api) => press(api, target), target };
};

/** The codes of an authenticator app, one for each request. */
async function codesOf(w: AuditWorld) {
  const { secret } = await w.api.twoFactor.setUp({ password: w.password });
  return async () => {
    await w.sql`update second_factors set last_step = 0`;
    return new TOTP({ secret: Secret.fromBase32(secret) }).generate();
  };
}
async function withSecondFactor(w: AuditWorld) {
  const code = await codesOf(w);
  await w.api.twoFactor.confirm({ code: await code() });
  return code;
}
const policy = async ({ api }: AuditWorld) => (await api.policies.create({ name: 'Strict', rules: ['Be kind'] })).id;
const tokenFrom = async (w: AuditWorld, to: string) => (await w.mailsTo(to)).findLast(({ token }) => token)?.token ?? '';

/** Prepares each call that is recorded. */
export const auditedCalls: Record<string, Prepare> = {
  'accounts.signup': async (w) => ({
    press: () => w.anonymous.accounts.signup({ email: 'CANARY@example.com', password: newPassword, name: 'Eve' }),
    target: ({ user }: { user: { id: string } }) => user.id,
  }),
  'accounts.login': async (w) => ({
    press: () => w.anonymous.accounts.login({ email: w.email, password: w.password }),
    target: /^ses_/,
  }),
  'accounts.logout': async (w) => {
    const { sessions } = await w.api.profile.sessions();
    return { press: () => w.api.accounts.logout(), target: sessions[0]!.id };
  },
  'accounts.reset': async (w) => {
    await w.anonymous.accounts.forgot({ email: w.email });
    const token = await tokenFrom(w, w.email);
    return user(w, () => w.anonymous.accounts.reset({ token, password: newPassword }));
  },
  'accounts.verify': async (w) => {
    const token = await tokenFrom(w, w.email);
    return user(w, () => w.anonymous.accounts.verify({ token }));
  },
  'profile.update': (w) => user(w, (api) => api.profile.update({ name: 'Ada the Second' })),
  'profile.changePassword': (w) =>
    user(w, (api) => api.profile.changePassword({ current_password: w.password, new_password: newPassword })),
  'profile.changeEmail': (w) => user(w, (api) => api.profile.changeEmail({ email: 'CANARY@example.com', password: w.password })),
  'profile.confirmEmail': async (w) => {
    await w.api.profile.changeEmail({ email: 'CANARY@example.com', password: w.password });
    const token = await tokenFrom(w, 'CANARY@example.com');
    return user(w, () => w.anonymous.profile.confirmEmail({ token }));
  },
  'profile.endSession': async (w) => {
    await w.anonymous.accounts.login({ email: w.email, password: w.password });
    const { sessions } = await w.api.profile.sessions();
    const { id } = sessions.find((one) => !one.is_current)!;
    return { press: (api) => api.profile.endSession({ id }), target: id };
  },
  'profile.endOtherSessions': async (w) => {
    await w.anonymous.accounts.login({ email: w.email, password: w.password });
    return user(w, (api) => api.profile.endOtherSessions());
  },
  'profile.deleteAccount': (w) => user(w, (api) => api.profile.deleteAccount({ password: w.password, confirmation: w.email })),
  'twoFactor.confirm': async (w) => {
    const code = await codesOf(w);
    return user(w, async (api) => api.twoFactor.confirm({ code: await code() }));
  },
  'twoFactor.renewRecoveryCodes': async (w) => {
    const code = await withSecondFactor(w);
    return user(w, async (api) => api.twoFactor.renewRecoveryCodes({ password: w.password, code: await code() }));
  },
  'twoFactor.disable': async (w) => {
    const code = await withSecondFactor(w);
    return user(w, async (api) => api.twoFactor.disable({ password: w.password, code: await code() }));
  },
  'oauth.callback': async (w) => {
    const there = somebody();
    await w.link(w.api, 'google', there);
    return { press: () => w.enter('google', there), target: /^ses_/ };
  },
  'oauth.linkCallback': async (w) => ({ press: (api) => w.link(api, 'google', somebody()), target: 'google' }),
  'oauth.unlink': async (w) => {
    await w.link(w.api, 'google', somebody());
    return { press: (api) => api.oauth.unlink({ provider: 'google' }), target: 'google' };
  },
  'projects.create': async () => ({
    press: (api) => api.projects.create({ name: 'another', description: 'CANARY' }),
    target: ({ id }: { id: string }) => id,
  }),
  'projects.update': (w) => project(w, (api, id) => api.projects.update({ id, name: 'renamed', description: 'CANARY' })),
  'projects.delete': (w) => project(w, (api, id) => api.projects.delete({ id })),
  'alertRules.update': (w) => project(w, (api, id) => api.alertRules.update({ id, rule: 'error_rate', is_on: false })),
  'alertRules.reset': async (w) => {
    await w.api.alertRules.update({ id: w.project_id, rule: 'error_rate', is_on: false });
    return project(w, (api, id) => api.alertRules.reset({ id, rule: 'error_rate' }));
  },
  'variables.set': async ({ project_id }) => ({
    press: (api) =>
      api.variables.set({ project_id, environment: 'production', variables: [{ key: 'API_KEY', value: 'CANARY_of_a_variable' }] }),
    target: 'API_KEY',
  }),
  'variables.remove': async ({ api: own, project_id }) => {
    await own.variables.set({ project_id, environment: 'production', variables: [{ key: 'API_KEY', value: 'CANARY' }] });
    return { press: (api) => api.variables.remove({ project_id, environment: 'production', key: 'API_KEY' }), target: 'API_KEY' };
  },
  'deployments.create': async ({ project_id }) => ({
    press: (api) =>
      api.deployments.create({ project_id, start: 'TOKEN=CANARY node server.js', file: zip({ 'server.js': '1' }), file_name: 'a.zip' }),
    target: ({ id }: { id: string }) => id,
  }),
  'deployments.sample': async ({ project_id }) => ({
    press: (api) => api.deployments.sample({ project_id, sample: 'job' }),
    target: ({ id }: { id: string }) => id,
  }),
  'deployments.stop': (w) => withId(w.active(), (api, id) => api.deployments.stop({ id })),
  'deployments.restart': (w) => withId(w.active(), (api, id) => api.deployments.restart({ id })),
  'deployments.cancel': (w) =>
    withId(
      w.deploy().then(({ id }) => id),
      (api, id) => api.deployments.cancel({ id }),
    ),
  'deployments.redeploy': async (w) => {
    const id = await w.active();
    return { press: (api) => api.deployments.redeploy({ id }), target: (made: { id: string }) => made.id };
  },
  'deployments.rollback': async (w) => {
    const id = await w.active();
    return { press: (api) => api.deployments.rollback({ id }), target: (made: { id: string }) => made.id };
  },
  'deployments.try': (w) =>
    withId(w.active(), async (api, id) => {
      const body = 'CANARY';
      return Array.fromAsync(
        await api.deployments.try({ id, method: 'POST', path: '/CANARY', headers: [{ name: 'x-token', value: 'CANARY' }], body }),
      );
    }),
  'logs.list': (w) => withId(w.active(), (api, id) => api.logs.list({ id, search: 'CANARY' })),
  'logs.ticket': (w) => withId(w.active(), (api, id) => api.logs.ticket({ id })),
  'logs.download': (w) => withId(w.active(), (api, id) => api.logs.download({ id, search: 'CANARY' })),
  'databases.create': async ({ project_id }) => ({
    press: (api) => api.databases.create({ project_id, environment: 'production', type: 'postgresql', url: byoUrl }),
    target: ({ id }: { id: string }) => id,
  }),
  'databases.update': async ({ api: own, project_id }) => {
    const { id } = await own.databases.create({ project_id, environment: 'production', type: 'postgresql', url: byoUrl });
    return { press: (api) => api.databases.update({ id, url: `${byoUrl}2` }), target: id };
  },
  'databases.delete': (w) => withId(w.database(), (api, id) => api.databases.delete({ id })),
  'databases.connectionString': (w) => withId(w.database(), (api, id) => api.databases.connectionString({ id })),
  'databases.rotatePassword': async (w) => {
    // Simulates the node that has the database.
    await w.sql`create function done() returns trigger language plpgsql as 'begin new.status := ''done''; return new; end'`;
    await w.sql`create trigger done before insert on database_tasks for each row execute function done()`;
    return withId(w.database(), (api, id) => api.databases.rotatePassword({ id }));
  },
  'databases.start': (w) => withId(w.database({ wanted: 'stopped' }), (api, id) => api.databases.start({ id })),
  'databases.stop': (w) => withId(w.database(), (api, id) => api.databases.stop({ id })),
  'databases.createBackup': async (w) => {
    const id = await w.database();
    return { press: (api) => api.databases.createBackup({ id }), target: (backup: { id: string }) => backup.id };
  },
  'databases.deleteBackup': async (w) => {
    const id = await w.database();
    return withId(w.backup(id), (api, backup_id) => api.databases.deleteBackup({ id, backup_id }));
  },
  'databases.restore': async (w) => {
    const id = await w.database();
    return withId(w.backup(id), (api, backup_id) => api.databases.restore({ id, backup_id, into: 'new' }));
  },
  'databases.exportSql': (w) => withId(w.database(), (api, id) => api.databases.exportSql({ id })),
  'alerts.resolve': (w) => withId(w.alert(), (api, id) => api.alerts.resolve({ id })),
  'alerts.snooze': (w) => withId(w.alert(), (api, id) => api.alerts.snooze({ id, minutes: 60 })),
  'modelProviders.set': async (w) => ({
    press: (api) => api.modelProviders.set({ providers: [{ provider: 'openai', agreement: 'dpa', note: 'CANARY' }] }),
    target: w.team_id,
  }),
  ...billingCalls,
  'usage.setBudget': async (w) => ({ press: (api) => api.usage.setBudget({ amount: 25 }), target: w.team_id }),
  'invoices.export': async (w) => ({ press: (api) => api.invoices.export({}), target: w.team_id }),
  'invoices.setDetails': async (w) => {
    const details = {
      name: 'CANARY Ltd',
      email: 'CANARY@example.com',
      address: ['CANARY'],
      postal_code: '',
      city: '',
      country: 'DE',
      tax_id: '',
    };
    return { press: (api) => api.invoices.setDetails(details), target: w.team_id };
  },
  'traces.setPrices': async (w) => {
    const price = { model: 'mine', input_usd: 1, cached_input_usd: null, cache_write_usd: null, output_usd: 2 };
    return { press: (api) => api.traces.setPrices({ model_prices: [price] }), target: w.team_id };
  },
  'channels.create': async ({ outside }) => ({
    press: (api) => api.channels.create({ name: 'CI', type: 'webhook', url: `${outside.url}/CANARY` }),
    target: ({ channel }: { channel: { id: string } }) => channel.id,
  }),
  'channels.update': (w) => withId(w.channel(), (api, id) => api.channels.update({ id, url: `${w.outside.url}/CANARY`, is_active: false })),
  'channels.delete': (w) => withId(w.channel(), (api, id) => api.channels.delete({ id })),
  'channels.test': (w) => withId(w.channel(), (api, id) => api.channels.test({ id })),
  'channels.rotateSecret': (w) => withId(w.channel(), (api, id) => api.channels.rotateSecret({ id })),
  'channels.retry': async (w) => {
    const id = await w.channel();
    await w.api.channels.test({ id });
    const [delivery] = await w.sql<[{ id: string }]>`update channel_deliveries set status = 'failed' returning id`;
    return { press: (api) => api.channels.retry({ id, delivery_id: delivery.id }), target: id };
  },
  'governance.exportAuditLogs': async (w) => ({
    press: (api) => api.governance.exportAuditLogs({ format: 'jsonl', search: 'CANARY' }),
    target: w.team_id,
  }),
  'dataSubjects.create': async (w) => ({
    press: (api) => api.dataSubjects.create({ kind: 'find', identifiers: ['CANARY@example.com'], reference: 'CANARY' }),
    target: w.team_id,
  }),
  'dataSubjects.erase': async (w) => {
    const identifiers = ['CANARY@example.com'];
    const { id } = await w.api.dataSubjects.create({ kind: 'find', identifiers });
    await markFound(w.sql);
    return { press: (api) => api.dataSubjects.erase({ id, identifiers, password: w.password, reference: 'CANARY' }), target: w.team_id };
  },
  'governance.verifyAuditLogs': async (w) => ({ press: (api) => api.governance.verifyAuditLogs({}), target: w.team_id }),
  'compliance.check': async (w) => ({ press: (api) => api.compliance.check({ framework: 'gdpr' }), target: w.team_id }),
  'compliance.evidence': async (w) => ({ press: (api) => api.compliance.evidence({ framework: 'gdpr' }), target: w.team_id }),
  'compliance.createWaiver': async () => ({
    press: (api) => api.compliance.createWaiver(waiver()),
    target: ({ id }: { id: string }) => id,
  }),
  'compliance.deleteWaiver': async (w) => {
    const { id } = await w.api.compliance.createWaiver(waiver());
    return { press: (api) => api.compliance.deleteWaiver({ id }), target: id };
  },
  'governance.setDataProtection': async (w) => {
    const { is_default: _, ...settings } = await w.api.governance.dataProtection({ id: w.project_id });
    return project(w, (api, id) => api.governance.setDataProtection({ id, ...settings, bodies: 'none' }));
  },
  'accessReviews.start': async () => ({
    press: (api) => api.accessReviews.start(),
    target: ({ id }: { id: string }) => id,
  }),
  'accessReviews.decide': async (w) => {
    const { id } = await w.api.accessReviews.start();
    const { items } = await w.api.accessReviews.items({ id });
    return { press: (api) => api.accessReviews.decide({ id, decision: 'keep', items: [items[0]!.id] }), target: id };
  },
  'accessReviews.complete': async (w) => {
    const { id } = await w.api.accessReviews.start();
    const items = (await w.api.accessReviews.items({ id })).items.map((item) => item.id);
    await w.api.accessReviews.decide({ id, decision: 'keep', items });
    return { press: (api) => api.accessReviews.complete({ id }), target: id };
  },
  'policies.create': async () => ({
    press: (api) => api.policies.create({ name: 'Strict', rules: ['Deployments only by: CANARY@example.com'] }),
    target: ({ id }: { id: string }) => id,
  }),
  'policies.update': (w) =>
    withId(policy(w), (api, id) => api.policies.update({ id, name: 'Kind', status: 'archived', rules: ['CANARY'], description: 'CANARY' })),
  'policies.delete': (w) => withId(policy(w), (api, id) => api.policies.delete({ id })),
  'apiKeys.create': async () => ({
    press: (api) => api.apiKeys.create({ name: 'CI', scopes: ['agents:read'] }),
    target: ({ key_info }: { key_info: { id: string } }) => key_info.id,
  }),
  'apiKeys.rotate': async (w) => {
    const { key_info } = await w.api.apiKeys.create({ name: 'CI', scopes: ['agents:read'] });
    return { press: (api) => api.apiKeys.rotate({ id: key_info.id }), target: key_info.id };
  },
  'apiKeys.revoke': async (w) => {
    const { key_info } = await w.api.apiKeys.create({ name: 'CI', scopes: ['agents:read'] });
    return { press: (api) => api.apiKeys.revoke({ id: key_info.id }), target: key_info.id };
  },
};

const waiver = () => ({
  control: 'KEY-02' as const,
  owner: 'CANARY',
  reason: 'CANARY of a reason',
  expires_at: new Date(Date.now() + 86_400_000).toISOString(),
});

/** Nothing listens at this address: connections are refused at once. */
const byoUrl = 'postgres://user:CANARY@127.0.0.1:9/app';

/** The code that a call ends with; undefined if it went well. */
export const refusalOf = (call: Promise<unknown>): Promise<string | undefined> =>
  codeOf(call).then((code) => (code.startsWith('went well') ? undefined : code));
