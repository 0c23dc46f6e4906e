import '../ui/theme/styles.css';
import { createRoot } from 'react-dom/client';
import { warmApi } from '../api/api.ts';
import { readSession } from '../api/session.ts';
import { guardPresses } from '../ui/controls/press-guard.ts';
import { Console } from './Console.tsx';
import { consoleQueries } from './query-client.ts';
import { consoleRouter, followSession } from './router.tsx';

const place = document.getElementById('root');
if (!place) throw new Error('index.html has no #root.');

guardPresses();
const router = consoleRouter();
const queries = consoleQueries();
followSession(router, queries);
// The first page will call the API: load the API's chunk in parallel with the page's chunk.
if (readSession()) warmApi();
createRoot(place).render(<Console router={router} queries={queries} />);
