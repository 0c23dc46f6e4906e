import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles as plan } from '../../test/plan-files.ts';

/** The first words of a start: the program and what it serves. */
const start = async (files: Record<string, string>) => (await plan(files)).start.slice(0, 2).join(' ');

const lines = (...all: string[]) => `${all.join('\n')}\n`;
const list = { 'requirements.txt': 'fastapi\nflask\nuvicorn\n' };

test('an app that a module creates by a function is served, and not the function', async () => {
  const make = lines('from fastapi import FastAPI', 'def create_desk(settings):', '    desk = FastAPI()', '    return desk');
  const routes = lines('desk = create_desk(settings)', '@desk.get("/tea")', 'def tea(): return {}');
  assert.equal(await start({ ...list, 'main.py': make + routes }), 'uvicorn main:desk');
  const typed = lines('desk: FastAPI = create_desk(', '    settings,', ')');
  assert.equal(await start({ ...list, 'main.py': make + typed }), 'uvicorn main:desk');
  const flask = lines('from flask import Flask', 'def create_app():', '    return Flask(__name__)', 'app = create_app()');
  assert.equal(await start({ ...list, 'app.py': flask }), 'gunicorn app:app');
});

test('the function that creates an app may be in another file', async () => {
  const make = lines('from fastapi import FastAPI', 'def create_desk():', '    return FastAPI()');
  const use = (module: string) => lines(`from ${module} import create_desk as get_desk`, 'desk = get_desk()');
  assert.equal(await start({ ...list, 'shop/desk.py': make, 'main.py': use('shop.desk') }), 'uvicorn main:desk');
  assert.equal(await start({ ...list, 'shop/desk.py': make, 'shop/main.py': use('.desk') }), 'uvicorn shop.main:desk');
  assert.equal(await start({ ...list, 'shop/__init__.py': make, 'shop/serve.py': use('.') }), 'uvicorn shop.serve:desk');
  const sameName = { 'app/__init__.py': make, 'run.py': lines('from app import create_desk', 'app = create_desk()') };
  assert.equal(await start({ ...list, ...sameName }), 'uvicorn run:app');
  assert.equal(await start({ ...list, 'shop/desk.py': make, 'main.py': use('tea') }), 'uvicorn shop.desk:create_desk');
});

test('an app that a module constructs comes before one that a function of it returns', async () => {
  const both = lines('def make_part():', '    return FastAPI()', 'part = make_part()', 'whole = FastAPI()', 'whole.mount("/part", part)');
  assert.equal(await start({ ...list, 'main.py': `from fastapi import FastAPI\n${both}` }), 'uvicorn main:whole');
});

test('the app that the ADK or AgentOS makes of agents is served as the module names it', async () => {
  const adk = lines('from google.adk.cli.fast_api import get_fast_api_app', 'app = get_fast_api_app(agents_dir=".", web=True)');
  const desk = { 'desk/agent.py': 'root_agent = 1\n', 'desk/__init__.py': '' };
  const ofAdk = await plan({ 'requirements.txt': 'google-adk\n', 'main.py': adk, ...desk });
  assert.deepEqual([ofAdk.start.slice(0, 2), ofAdk.framework], [['uvicorn', 'main:app'], 'Google ADK']);
  assert.equal(await start({ 'requirements.txt': 'google-adk\n', ...desk }), 'adk web');
  const agno = lines('from agno.os import AgentOS', 'agents = AgentOS(agents=[])', 'app = agents.get_app()');
  assert.equal(await start({ 'requirements.txt': 'agno\nfastapi\n', 'main.py': agno }), 'uvicorn main:app');
});

const side = { 'panel/api.py': lines('from fastapi import FastAPI', 'api = FastAPI()') };

test('a script that the image runs comes before an app that it does not load, unless a document names the app', async () => {
  const files = { ...list, ...side, 'serve.py': lines('import asyncio', 'asyncio.run(listen())') };
  const image = { Dockerfile: 'FROM python\nCOPY . .\nCMD ["python", "-u", "serve.py"]\n' };
  const made = await plan({ ...files, ...image });
  assert.deepEqual([made.start, made.type, made.framework], [['python', '-u', 'serve.py'], null, undefined]);
  assert.match(made.choices?.[0]?.start ?? '', /^uvicorn panel\.api:api /);
  const loads = { 'serve.py': 'from panel.api import api\n', ...image };
  assert.equal(await start({ ...files, ...loads }), 'uvicorn panel.api:api');
  assert.equal(await start({ ...files, ...image, 'serve.py': 'import uvicorn\nuvicorn.run("panel.api:api")\n' }), 'uvicorn panel.api:api');
  assert.equal(await start({ ...files, ...image, 'README.md': '`uvicorn panel.api:api`' }), 'uvicorn panel.api:api');
});

test('an app that a document starts comes before Streamlit pages that no document names', async () => {
  const files = { ...side, 'requirements.txt': 'fastapi\nstreamlit\n', 'ui/page.py': 'import streamlit as st\n' };
  const readme = '`uv run -m panel.api`';
  assert.equal(await start({ ...files, 'README.md': readme }), 'uvicorn panel.api:api');
  assert.equal(await start({ ...files, 'README.md': `${readme} \n\`streamlit run ui/page.py\`` }), 'streamlit run');
  assert.equal(await start({ ...files, 'README.md': readme, Dockerfile: 'FROM a\nCMD streamlit run ui/page.py' }), 'streamlit run');
  assert.equal(await start(files), 'streamlit run');
});

test('an app that imports from a folder above itself by its name is served with the folder around that on the path', async () => {
  const app = lines('from fastapi import FastAPI', 'from desk.tea import a', 'app = FastAPI()');
  const below = async (folder: string, more: Record<string, string> = {}) => {
    const made = await plan({ ...list, [`${folder}/desk/tea.py`]: 'a = 1\n', [`${folder}/desk/main.py`]: app, ...more });
    return [made.start[1], ...made.start.slice(6)].join(' ');
  };
  assert.equal(await below('services/shop'), 'desk.main:app --app-dir services/shop');
  assert.equal(await below('src', { 'src/__init__.py': '' }), 'desk.main:app --app-dir src');
  assert.equal(await below('shop', { 'desk/tea.py': 'a = 1\n' }), 'shop.desk.main:app', 'the name stands at the top');
  const ofPackage = lines('from fastapi import FastAPI', 'from agents import Agent', 'app = FastAPI()');
  assert.equal(await start({ ...list, 'shop/agents/main.py': ofPackage }), 'uvicorn shop.agents.main:app', 'a package of that name');
});

test('a page of Gradio that a function makes and launches is a web agent, if its file is the one that runs', async () => {
  const list = { 'requirements.txt': 'gradio\n' };
  const build = lines(
    'import gradio as gr',
    'def build():',
    '    with gr.Blocks() as desk:',
    '        gr.Markdown("tea")',
    '    return desk',
  );
  const guard = lines("if __name__ == '__main__':", '    build().launch()');
  const found = await plan({ ...list, 'desk.py': build + guard });
  assert.deepEqual([found.framework, found.type, found.start], ['Gradio', 'web', ['python', 'desk.py']]);
  assert.equal(found.env.GRADIO_SERVER_NAME, '0.0.0.0');
  const image = { Dockerfile: lines('FROM python:3.11', 'ENV GRADIO_SERVER_PORT=7860 TEA=green', 'COPY . .', 'CMD ["python", "desk.py"]') };
  const { GRADIO_SERVER_PORT, TEA } = (await plan({ ...list, ...image, 'desk.py': build + guard })).env;
  assert.deepEqual([GRADIO_SERVER_PORT, TEA], ['$PORT', 'green'], 'the image says where the page listens in the image alone');
  const main = lines('import gradio as gr', 'def main():', '    with gr.Blocks() as desk:', '        pass', '    desk.launch()', 'main()');
  assert.deepEqual((await plan({ ...list, 'desk.py': main })).framework, 'Gradio');
  const other = { 'main.py': lines('from desk import build', 'build().launch()'), 'desk.py': build };
  assert.deepEqual((await plan({ ...list, ...other })).start, ['python', 'main.py'], 'a module that only makes the page is no start');
});

test('a file that launches the page of Gradio that its modules make is a web agent, and a page that is shared is warned of', async () => {
  const list = { 'requirements.txt': 'gradio\n' };
  const page = {
    'ui/__init__.py': '',
    'ui/page.py': lines('import gradio as gr', 'class Page:', '    def show(self):', '        return gr.Blocks()'),
  };
  const main = (run: string) => lines('from ui.page import Page', 'def main():', `    ${run}`, "if __name__ == '__main__':", '    main()');
  const found = await plan({ ...list, ...page, 'main.py': main('Page().show().launch(share=True)') });
  assert.deepEqual([found.framework, found.type, found.start], ['Gradio', 'web', ['python', 'main.py']]);
  assert.match(found.warnings.join('\n'), /main\.py launches its page with share=True/);
  const quiet = await plan({ ...list, ...page, 'main.py': main('Page().show().launch()') });
  assert.deepEqual(quiet.warnings, []);
  const bare = await plan({ ...list, ...page, 'main.py': main('print(Page())') });
  assert.equal(bare.framework, undefined, 'nothing is launched');
});
