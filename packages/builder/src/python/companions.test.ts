import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const plan = (files: Record<string, string>) => planFiles({ 'requirements.txt': 'flask\nfastapi\n', ...files });

const start = async (files: Record<string, string>) => (await plan(files)).start.slice(0, 2).join(' ');
const lines = (...all: string[]) => `${all.join('\n')}\n`;

const site = lines('from flask import Flask', 'site = Flask(__name__)');
const awake = lines(site, 'from threading import Thread', 'def serve():', '    site.run(host="0.0.0.0", port=8080)');
const stayAwake = lines(awake, 'def stay_awake():', '    Thread(target=serve, daemon=True).start()');
const bot = lines('import discord', 'from awake import stay_awake', 'client = discord.Client()', 'stay_awake()', 'client.run("t")');

test('a bot that keeps itself awake by a small web server is started by its script', async () => {
  const made = await plan({ 'awake.py': stayAwake, 'desk_bot.py': bot });
  assert.deepEqual(made.start, ['python', 'desk_bot.py']);
  assert.deepEqual([made.type, made.may_listen], [null, 'awake.py makes a server']);
  assert.match(made.reasons.find(({ what }) => what === 'start')?.because ?? '', /^desk_bot\.py, which runs awake\.py beside/);
  assert.match(made.choices?.[0]?.start ?? '', /^gunicorn awake:site /, 'the app alone is a choice');
  assert.equal(await start({ 'awake.py': stayAwake, 'site.py': '', 'main.py': bot }), 'python main.py');
});

const poll = lines('if __name__ == "__main__":', '    worker.run_polling()');

test('the server of a companion may run in a lambda, a process, or by the name of a server', async () => {
  const serving = [
    'import threading\nthreading.Thread(target=lambda: site.run(port=8080)).start()',
    'import threading\nthreading.Thread(target=site.run, kwargs={"port": 8080}).start()',
    'import multiprocessing as mp, waitress\nmp.Process(target=waitress.serve, args=(site,)).start()',
    'from multiprocessing import Process\nfrom gevent.pywsgi import WSGIServer\ndef go():\n    WSGIServer(("", 1), site)\nProcess(target=go).start()',
  ];
  for (const by of serving) assert.equal(await start({ 'main.py': lines(site, by) }), 'python main.py', by);
  const other = lines('import threading', 'threading.Thread(target=count_tea).start()');
  assert.equal(await start({ 'main.py': lines(site, other) }), 'gunicorn main:site', 'another thread says nothing');
});

test('a script that polls a chat in its main part comes before an app that it has or imports', async () => {
  assert.equal(await start({ 'main.py': lines(site, poll) }), 'python main.py');
  assert.equal(await start({ 'web.py': site, 'chat.py': lines('from web import site', poll) }), 'python chat.py');
  const inApp = lines('from fastapi import FastAPI', 'app = FastAPI()', 'async def on_start():', '    await updater.start_polling()');
  assert.equal(await start({ 'main.py': inApp }), 'uvicorn main:app', 'an app that polls while it is served');
});

test('an app stays the start if a document serves it, or if the script needs a screen or a terminal', async () => {
  assert.equal(await start({ 'main.py': lines(site, poll), 'README.md': '`gunicorn main:site`' }), 'gunicorn main:site');
  for (const wants of ['import tkinter', 'name = input("Your name? ")'])
    assert.equal(await start({ 'main.py': lines(awake, 'Thread(target=serve).start()', wants) }), 'gunicorn main:site', wants);
});
