import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFirstVisit } from './first-visit.ts';

test('Streamlit and Chainlit are visited however they are started, unless a health path says what counts', () => {
  const visited = (plan: Parameters<typeof findFirstVisit>[0]) => findFirstVisit(plan)?.framework;
  assert.equal(visited({ framework: 'Streamlit', start: ['python', 'x'] }), 'Streamlit');
  assert.equal(visited({ start: ['python', '-m', 'streamlit', 'run', 'app.py'] }), 'Streamlit');
  assert.equal(visited({ start: ['/app/.venv/bin/chainlit', 'run', 'app.py'] }), 'Chainlit');
  assert.equal(visited({ framework: 'Streamlit', health: '/_stcore/health', start: ['streamlit', 'run', 'app.py'] }), undefined);
  assert.equal(visited({ framework: 'Chainlit', health: '/', start: ['chainlit', 'run', 'app.py'] }), undefined);
  assert.equal(visited({ framework: 'FastAPI', start: ['uvicorn', 'streamlit_api:app'] }), undefined);
});
