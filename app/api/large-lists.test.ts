import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BorrowedService, borrowService } from '@/e2e/support/borrow-service';
import { CLOSED } from './testing/fixtures';
import { type Backdoor, openBackdoor, type Tenant } from './testing/tenants';

let service: BorrowedService;
let backdoor: Backdoor;
let tenant: Tenant;
/** More than two parts of a response. */
const COUNT = 1001;

beforeAll(async () => {
  service = await borrowService();
  backdoor = await openBackdoor(service);
  tenant = await backdoor.addTenant();
  const monitors = Array.from({ length: COUNT }, (_, index) => ({
    name: `Zürich 🙂 ${index}`,
    url: CLOSED,
    ref: `office-${index}`,
    enabled: false,
    regions: ['us-east'],
    headers: { Authorization: `Bearer ${index}` },
  }));
  for (let from = 0; from < COUNT; from += 500) {
    await tenant.api('POST', '/monitors/bulk', { monitors: monitors.slice(from, from + 500), upsert: true });
  }
});
afterAll(() => backdoor?.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  fetch(`${service.url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${tenant.apiKey}`, ...headers },
  });

describe('a list that is sent in parts', () => {
  it('is the same as its pages, and as its monitors one by one', async () => {
    const all = await (await get('/monitors')).json();
    expect(all).toHaveLength(COUNT);
    const pages: unknown[] = [];
    for (let path: string | null = '/monitors?limit=100'; path !== null; ) {
      const response: Response = await get(path);
      pages.push(...(await response.json()));
      path = /<[^>]*\/api([^>]*)>/.exec(response.headers.get('link') ?? '')?.[1] ?? null;
    }
    expect(pages).toEqual(all);
    for (const monitor of [all[0], all[499], all[500], all[COUNT - 1]]) {
      expect(await (await get(`/monitors/${monitor.id}`)).json()).toEqual(monitor);
    }
  });

  it('has its number of items, and an ETag that it is not sent again for', async () => {
    const response = await get('/monitors');
    await response.arrayBuffer();
    expect(response.headers.get('x-total-count')).toBe(String(COUNT));
    const etag = response.headers.get('etag') ?? '';
    expect(etag).toMatch(/^W\/"[\w-]{27}"$/);
    const again = await get('/monitors', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    const head = await get('/monitors', {}, 'HEAD');
    expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
  });
});

describe('requests at the same time', () => {
  it('see each change that was made before them, however many are in progress', async () => {
    const [first] = await (await get('/monitors?limit=1')).json();
    for (let round = 0; round < 2; round += 1) {
      const earlier = Array.from({ length: 4 }, () => get('/monitors'));
      const name = `Changed ${round}`;
      await tenant.api('PUT', `/monitors/${first.id}`, { name });
      const later = await Promise.all(Array.from({ length: 2 }, () => get('/monitors')));
      for (const response of later) {
        const [changed] = await response.json();
        expect(changed).toMatchObject({ id: first.id, name });
      }
      await Promise.all(earlier.map(async (response) => (await response).arrayBuffer()));
    }
  });

  it('get what their own key may see, no matter who asks for the same', async () => {
    const [reader, foreign] = [await tenant.addReader(), await backdoor.addTenant()];
    const asked = Array.from({ length: 2 }, async () => {
      const [own, read, other] = await Promise.all([
        tenant.api('GET', '/monitors'),
        reader('GET', '/monitors'),
        foreign.api('GET', '/monitors'),
      ]);
      expect(own.body[0].headers.Authorization).toMatch(/^Bearer \d+$/);
      expect(read.body[0].headers.Authorization).toBe('[hidden]');
      expect(other.body).toEqual([]);
    });
    await Promise.all(asked);
  });
});
