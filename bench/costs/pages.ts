import { randomBytes } from 'node:crypto';
import type { CostsWorld } from './world';
import { type CostRequest, withBody } from './worst-requests';

/** A request outside the API document; `before` makes it a cache miss. */
export type PageRequest = { name: string; request: CostRequest; before?: () => Promise<unknown> };

/** Public pages when they are not in memory, with everything a visitor can ask for. */
const PUBLIC_PATHS = [
  '',
  '?lang=de',
  '/history',
  '/history?page=20',
  '/search?q=slow+responses+4999',
  '/status.json',
  '/feed.atom',
  '/feed.rss',
  '/badge.svg',
  '/embed',
  '/maintenance.ics',
  '/api/v2/summary.json',
  '/api/v2/incidents.json',
];
const OTHER_PATHS = ['/sign-in', '/docs', '/docs/search.json', '/status/nowhere', '/nowhere'];
const DASHBOARD_PATHS = ['/monitors', '/incidents', '/status-pages', '/notifications', '/reports'];

/** Public pages, pages of the dashboard, and what these request besides server actions. */
export function listPageRequests(world: CostsWorld, worst: Record<string, string>): PageRequest[] {
  const get = (path: string, headers = {}) => ({ method: 'GET', path, headers });
  const change = () =>
    world.maker.api('PUT', `/status-pages/${world.slug}`, { description: randomBytes(8).toString('hex') });
  const signedIn = { cookie: world.cookie, origin: world.origin };
  const post = (path: string, body: string): PageRequest => ({
    name: `POST ${path}`,
    request: withBody({ method: 'POST', path, headers: signedIn }, body),
  });
  const { createMonitor = '', backtestMonitor = '' } = worst;
  const preview = JSON.stringify(previewOf(world));
  const imported = Array.from({ length: 500 }, (_, index) => ({
    name: `Imported ${index}`,
    url: world.targetUrl,
  }));
  return [
    ...PUBLIC_PATHS.map((path) => ({
      name: `GET /status/{slug}${path}`,
      request: get(`/status/${world.slug}${path}`),
      before: change,
    })),
    ...OTHER_PATHS.map((path) => ({ name: `GET ${path}`, request: get(path) })),
    ...[...DASHBOARD_PATHS, `/monitors/${world.monitorIds[0]}`].map((path) => ({
      name: `GET ${path.replace(/mon_\w+/, '{id}')}, signed in`,
      request: get(path, signedIn),
    })),
    post('/monitors/import/try', createMonitor.replace('"enabled":false', '"enabled":true')),
    post('/monitors/import/create', JSON.stringify({ format: 'csv', monitors: imported })),
    {
      ...post(`/monitors/${world.monitorIds[0]}/backtest`, backtestMonitor),
      name: 'POST /monitors/{id}/backtest, signed in',
    },
    {
      name: 'POST /preview/status-page',
      request: {
        method: 'POST',
        path: '/preview/status-page',
        body: `page=${encodeURIComponent(preview)}`,
        headers: { ...signedIn, 'content-type': 'application/x-www-form-urlencoded' },
      },
    },
  ];
}

/** A page in its editor, with a section for every twenty monitors. */
function previewOf({ monitorIds }: CostsWorld): object {
  const sections = Array.from({ length: 50 }, (_, index) => ({
    name: `Section ${index}`,
    description: '',
    collapsed: false,
    items: monitorIds
      .slice(index * 20, index * 20 + 20)
      .map((monitorId) => ({ monitorId, componentId: null, name: '', description: '' })),
  }));
  return {
    name: 'Costs',
    description: '',
    logoUrl: '',
    monitors: monitorIds,
    sections,
    theme: { primaryColor: '#123456', backgroundColor: '#ffffff', textColor: '#000000' },
    showResponseTimes: true,
    scheme: 'light',
  };
}
