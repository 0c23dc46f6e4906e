import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planFiles } from '../../test/plan-files.ts';

const pyproject = `[project]
name = "desk"
version = "1"
dependencies = ["django"]
[project.optional-dependencies]
sheets = ["openpyxl>=3"]
[dependency-groups]
dev = ["django-debug-toolbar~=6.0", "django-zeal~=2.0", "pytest"]
`;
const files = {
  'pyproject.toml': pyproject,
  'manage.py': 'import os\nos.environ.setdefault("DJANGO_SETTINGS_MODULE", "desk.settings")\n',
  'desk/__init__.py': '',
  'desk/wsgi.py': 'from django.core.wsgi import get_wsgi_application\napplication = get_wsgi_application()\n',
  'desk/settings.py':
    'INSTALLED_APPS = ["django.contrib.auth", "desk", "debug_toolbar"]\nMIDDLEWARE = ["debug_toolbar.middleware.Own", "zeal.middleware.Own"]\n',
};

test('packages of a group that Django’s settings name are installed, too, and said with their file', async () => {
  const { install, reasons } = await planFiles(files);
  assert.deepEqual(
    install?.extra.filter((one) => one !== 'gunicorn'),
    ['django-debug-toolbar~=6.0', 'django-zeal~=2.0'],
  );
  assert.ok(
    reasons.some(
      ({ value, because }) => value === 'django-zeal~=2.0' && because === 'desk/settings.py loads zeal, which a group or an extra brings',
    ),
  );
  const lock = `version = 1
[[package]]
name = "django-debug-toolbar"
version = "6.1.0"
source = { registry = "https://index.example/simple" }
`;
  const locked = await planFiles({ ...files, 'uv.lock': lock });
  assert.ok(locked.install?.extra.includes('django-debug-toolbar==6.1.0'), 'in the version of the lock');
});

test('packages of an extra are installed if the start imports them, not if a function does', async () => {
  const own = { 'pyproject.toml': pyproject.replace('"django"', '"fastapi"') };
  const app = (imports: string) => ({ ...own, 'main.py': `from fastapi import FastAPI\n${imports}\napp = FastAPI()\n` });
  const extra = async (imports: string) => (await planFiles(app(imports))).install?.extra.filter((one) => !one.startsWith('uvicorn'));
  assert.deepEqual(await extra('import openpyxl'), ['openpyxl>=3']);
  assert.deepEqual(await extra('def read():\n    import openpyxl'), []);
  assert.deepEqual(await extra('import requests'), []);
});
