import { afterEach, describe, expect, it } from 'vitest';
import { Pharos } from './index';
import { refuse, type ScriptedService, type Step, startScriptedService } from './testing/scripted-service';

let service: ScriptedService;
afterEach(() => service.close());

const LAST = 5;

/** Numbers from 1 to 5, in pages of two. The service knows itself by an address that the client cannot reach. */
const pages: Step = (response, { path }) => {
  const query = new URL(path, 'http://pharos.test').searchParams;
  const first = Number(query.get('cursor') ?? 0) + 1;
  const items = [first, first + 1].filter((id) => id <= LAST).map((id) => ({ id: `mon_${id}` }));
  const next = new URL(`http://elsewhere.invalid${path}`);
  next.searchParams.set('cursor', String(first + 1));
  response.writeHead(200, {
    'content-type': 'application/json',
    'x-total-count': String(LAST),
    ...(first + 1 < LAST ? { link: `<${next}>; rel="next"` } : {}),
  });
  response.end(JSON.stringify(items));
};

async function connect(...steps: Step[]): Promise<Pharos> {
  service = await startScriptedService(...steps);
  return new Pharos({ url: service.url, key: 'ph_live_key' });
}

describe('a list of the client', () => {
  it('is iterated from page to page, with the same filters', async () => {
    const pharos = await connect(pages);
    const ids: string[] = [];
    for await (const { id } of pharos.monitors.list({ tag: 'a b' })) ids.push(id);
    expect(ids).toEqual(['mon_1', 'mon_2', 'mon_3', 'mon_4', 'mon_5']);
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/monitors?tag=a+b&limit=100',
      '/api/monitors?tag=a+b&limit=100&cursor=2',
      '/api/monitors?tag=a+b&limit=100&cursor=4',
    ]);
  });

  it('fetches no page before it is needed, and can be iterated again', async () => {
    const pharos = await connect(pages);
    const list = pharos.monitors.list({ limit: 2 });
    expect(service.requests).toHaveLength(0);
    for await (const { id } of list) if (id === 'mon_2') break;
    expect(service.requests).toHaveLength(1);
    for await (const { id } of list) if (id === 'mon_3') break;
    expect(service.requests).toHaveLength(3);
  });

  it('returns one page, and where the next one begins', async () => {
    const pharos = await connect(pages);
    const page = await pharos.monitors.list({ limit: 2 }).page();
    expect(page).toMatchObject({ items: [{ id: 'mon_1' }, { id: 'mon_2' }], cursor: '2', total: 5 });
    const last = await pharos.monitors.list({ limit: 2, cursor: '4' }).page();
    expect(last).toMatchObject({ items: [{ id: 'mon_5' }], cursor: null });
  });

  it('returns the first few items, and asks for no more', async () => {
    const pharos = await connect(pages);
    expect(await pharos.monitors.list().take(3)).toMatchObject([{ id: 'mon_1' }, {}, { id: 'mon_3' }]);
    expect(service.requests.map(({ path }) => path)).toEqual([
      '/api/monitors?limit=3',
      '/api/monitors?limit=3&cursor=2',
    ]);
    expect(await pharos.monitors.list().take(0)).toEqual([]);
    expect(await pharos.monitors.list().take(50)).toHaveLength(LAST);
  });

  it('repeats a page that failed, and continues', async () => {
    const pharos = await connect(pages, refuse(502, 'INTERNAL_ERROR', { 'retry-after': '0' }), pages);
    expect(await pharos.monitors.list().take(50)).toHaveLength(LAST);
    expect(service.requests).toHaveLength(4);
  });

  it('ends with an error if a page cannot be fetched, or the signal is aborted', async () => {
    const pharos = await connect(pages, refuse(403, 'FORBIDDEN'));
    await expect(pharos.monitors.list().take(50)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const controller = new AbortController();
    await service.close();
    const other = await connect(pages);
    const iterate = async () => {
      for await (const _ of other.monitors.list({}, { signal: controller.signal })) {
        controller.abort(new Error('stop'));
      }
    };
    await expect(iterate()).rejects.toThrow('stop');
    expect(service.requests).toHaveLength(1);
  });
});
