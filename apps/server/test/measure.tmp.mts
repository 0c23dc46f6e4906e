// node measure.tmp.mts SET_DIR NN[,NN…] [--vars file.json]  -> appends to SET_DIR/result.jsonl
import { execFileSync } from 'node:child_process';
import { appendFileSync, readFileSync, existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPlatform } from './platform.ts';
const [dir, only, round = '1'] = process.argv.slice(2);
const rows = readFileSync(`${dir}/list.tsv`, 'utf8').trim().split('\n').map((l) => l.split('\t')).filter(([n]) => !only || only === 'all' || only.split(',').includes(n));
const asked = existsSync(`${dir}/round2.json`) ? JSON.parse(readFileSync(`${dir}/round2.json`, 'utf8')) : {};
const ends: (() => unknown)[] = [];
const p = await startPlatform({ after: (f) => ends.push(f) }, { PADDOCK_TRIAL_S: '60' });
try {
  const { api, token } = await p.person();
  const one = async ([n, name, commit, time]: string[]) => {
    const begun = Date.now();
    const out: any = { n, name, round };
    try {
      execFileSync('python3', ['-c', `
import zipfile,os,sys,time
d,t,o=sys.argv[1],int(sys.argv[2]),sys.argv[3]
z=zipfile.ZipFile(o,'w',zipfile.ZIP_DEFLATED)
for r,ds,fs in os.walk(d):
  ds[:]=[x for x in ds if x not in('.git','node_modules','.venv')]
  for f in fs:
    p=os.path.join(r,f)
    if os.path.islink(p) or not os.path.isfile(p): continue
    i=zipfile.ZipInfo(os.path.relpath(p,d),time.gmtime(t)[:6]); i.external_attr=(os.stat(p).st_mode&0xFFFF)<<16; i.compress_type=zipfile.ZIP_DEFLATED
    z.writestr(i,open(p,'rb').read())
z.close()`, `${dir}/${n}`, time ?? '', `${dir}/${n}.zip`]);
      const { id: project_id } = await api.projects.create({ name: `i-${n}-${round}` });
      const more = asked[n!] ?? {};
      if (round !== '1' && more.variables) await api.variables.set({ project_id, environment: 'production', variables: Object.entries(more.variables).map(([key, value]) => ({ key, value: String(value) })) }).catch((e) => { out.var_error = String(e); });
      let made: any;
      try { made = await api.deployments.create({ project_id, file: new Blob([readFileSync(`${dir}/${n}.zip`)]) as never, file_name: 'agent.zip', ...(round === '1' ? {} : more.fields ?? {}) }); } catch (e: any) { out.refused = String(e.message ?? e); return; }
      let d: any;
      for (;;) {
        d = await api.deployments.get({ id: made.id });
        if (['active', 'failed', 'completed', 'stopped'].includes(d.status)) break;
        if (Date.now() - begun > 900_000) { out.late = true; break; }
        await sleep(1000);
      }
      if (d.status === 'active') { await sleep(8000); d = await api.deployments.get({ id: made.id }); }
      Object.assign(out, { id: made.id, status: d.status, type: d.agent_type, error: d.error_message, plan: d.plan && { ...d.plan, asked_variables: (d.plan.asked_variables ?? []).map((a: any) => `${a.name}${a.required ? '!' : ''}`).join(' ') }, protocols: d.protocols, host_header: d.host_header });
      if (d.deployment_url) { const v = await p.visit(`i-${n}-${round}.localhost`, '/').catch((e) => ({ status: 0, body: String(e) })); out.visit = { status: v.status, body: v.body.slice(0, 150) }; }
      const { logs } = await api.logs.list({ id: made.id, limit: 400 } as never);
      out.log = logs.slice(-45).map((l: any) => `${l.source}: ${l.message}`.slice(0, 300));
      if (d.status === 'active') await api.deployments.stop({ id: made.id }).catch(() => undefined);
    } catch (e) { out.thrown = String(e); }
    finally { out.s = Math.round((Date.now() - begun) / 1000); appendFileSync(`${dir}/result.jsonl`, `${JSON.stringify(out)}\n`); console.log(n, name, out.status ?? out.refused ?? out.thrown, out.s, (out.error ?? '').slice(0, 160)); }
  };
  const queue = [...rows];
  await Promise.all([0, 1, 2].map(async () => { for (let r; (r = queue.shift()); ) await one(r); }));
} finally { for (const e of ends) await e(); }
process.exit(0);
