import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { useFolder } from '@/e2e/support/use-folder';
import { callPharos } from '../cli/testing/call-pharos';

const setting = borrowTenant();
const folder = useFolder();

const FILE = join(import.meta.dirname, '../../lib/importing/statuspage/testing/statuspage.json');
const convert = (...options: string[]) => callPharos(['convert', 'statuspage', FILE, ...options], {});

it('pharos convert prints a page of Statuspage that apply takes, once', async () => {
  const tenant = await setting.backdoor.addTenant();
  const { code, stdout, stderr } = await convert();
  expect([code, stderr]).toEqual([0, expect.stringContaining('The file has 1 incident: --incidents prints')]);
  const slug = `example-${tenant.organizationId.slice(-8)}`;
  const file = await folder.save('page.yaml', stdout.replace('slug: example', `slug: ${slug}`));
  const run = (...words: string[]) =>
    callPharos(words, { PHAROS_URL: setting.service.url, PHAROS_API_KEY: tenant.apiKey });
  const first = await run('apply', file, '--yes');
  expect([first.code, first.stderr]).toEqual([0, '']);
  const { body } = await tenant.api('GET', `/status-pages/${slug}`);
  expect(body).toMatchObject({ name: 'Example', published: false });
  expect(body.sections.map(({ name }: { name: string }) => name)).toEqual([
    'Europe',
    'Services',
    'United States',
  ]);
  // A text that looks like a variable.
  expect(JSON.stringify(body.sections)).toMatch(/Costs \$\{AMOUNT\} a message/);
  const plan = await run('plan', file);
  expect([plan.code, plan.stderr]).toEqual([0, '']);

  const list = await convert('--subscribers');
  const importing = (body: object) => tenant.api('POST', `/status-pages/${slug}/subscribers/import`, body);
  const imported = await importing({ csv: list.stdout, confirmed: true, source: 'Statuspage' });
  expect(imported.body).toMatchObject({ created: 3, confirmed: 3, invalid: 0 });
  const others = await convert('--subscribers', 'unconfirmed');
  expect((await importing({ csv: others.stdout })).body).toMatchObject({ created: 1, confirmed: 0 });
});

it('pharos convert shows both pages side by side with --dry-run', async () => {
  const { code, stdout } = await convert('--dry-run');
  expect(code).toBe(0);
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'GROUP          COMPONENT       SECTION        ROW                        CHANGES',
    'Europe         API             Europe         API',
    'Europe         Dashboard       Europe         Dashboard',
  ]);
  expect(stdout).toMatch(/^United States {2}API {13}United States {2}API \(United States\)$/m);
});

it('pharos convert --subscribers exits with 1 without subscribers by email in the list', async () => {
  const component = { id: 'a', name: 'API', group: false, group_id: null };
  const file = await folder.save('public.json', JSON.stringify({ components: [component] }));
  const list = (...options: string[]) =>
    callPharos(['convert', 'statuspage', file, '--subscribers', ...options], {});
  const none = { code: 1, stdout: '' };
  expect(await list()).toMatchObject({ ...none, stderr: 'the file has no confirmed subscribers by email\n' });
  const stderr = 'the file has no unconfirmed subscribers by email\n';
  expect(await list('unconfirmed')).toMatchObject({ ...none, stderr });
});

it('pharos convert --subscribers takes the file before or after it, and names the lists that there are', async () => {
  const run = (...words: string[]) => callPharos(['convert', 'statuspage', ...words], {});
  const { stdout } = await convert('--subscribers');
  expect(await run('--subscribers', FILE)).toMatchObject({ code: 0, stdout });
  expect(await run('--subscribers', 'confirmed', FILE)).toMatchObject({ code: 0, stdout });
  const wrong = await run('--subscribers', 'active', FILE);
  expect([wrong.code, wrong.stderr]).toEqual([
    1,
    '--subscribers takes confirmed or unconfirmed, not active\n',
  ]);
  const none = await run('--subscribers', 'unconfirmed');
  expect([none.code, none.stderr]).toEqual([1, 'name the exported file, or - for standard input\n']);
});

describe('past incidents of Statuspage', () => {
  /** The page of the file in a new organization, and its incidents as `convert` prints them. */
  async function moveIn() {
    const tenant = await setting.backdoor.addTenant();
    const responses = [FILE, FILE.replace(/\w+\.json$/, 'incidents.json')].map(async (name) =>
      JSON.parse(await readFile(name, 'utf8')),
    );
    const all = await folder.save('all.json', JSON.stringify((await Promise.all(responses)).flat()));
    const run = (...words: string[]) =>
      callPharos(words, { PHAROS_URL: setting.service.url, PHAROS_API_KEY: tenant.apiKey });
    const slug = `example-${tenant.organizationId.slice(-8)}`;
    const page = (await run('convert', 'statuspage', all)).stdout.replace('slug: example', `slug: ${slug}`);
    await run('apply', await folder.save('page.yaml', page), '--yes');
    const converted = await run('convert', 'statuspage', all, '--incidents');
    const file = await folder.save('incidents.json', converted.stdout);
    return {
      tenant,
      slug,
      file,
      converted,
      send: (...more: string[]) => run('incidents', 'import', slug, file, ...more),
    };
  }

  it('move into the history of the page, and a second run imports none', async () => {
    const { tenant, slug, converted, send } = await moveIn();
    expect([converted.code, converted.stderr]).toEqual([
      0,
      expect.stringMatching(/^1 incident left out, not resolved there\..*\n2 incidents left out/),
    ]);
    expect(await send()).toEqual({
      code: 0,
      stderr: '',
      stdout: '15 incidents imported, 0 imported before.\n',
    });
    await tenant.api('PUT', `/status-pages/${slug}`, { published: true });
    const show = async (path: string) => (await fetch(`${setting.service.url}${path}`)).text();
    const history = await show(`/status/${slug}/history?month=2025-05`);
    const [, path = ''] = /href="([^"]+)">Outage of API and Dashboard</.exec(history) ?? [];
    expect((await show(path)).includes('The database is overloaded'), path).toBe(true);
    const again = await send('--json');
    expect([again.code, JSON.parse(again.stdout)]).toEqual([
      0,
      { created: 0, existing: 15, invalid: 0, refused: [] },
    ]);
  });

  it('that are refused are named with the reason, and the command exits with 1', async () => {
    const { tenant, slug, send } = await moveIn();
    const { body } = await tenant.api('GET', `/status-pages/${slug}`);
    const [first] = body.sections;
    const items = first.items.map((item: { name: string }) =>
      item.name === 'Checkout' ? { ...item, name: 'Cart' } : item,
    );
    await tenant.api('PUT', `/status-pages/${slug}`, {
      sections: [{ ...first, items }, ...body.sections.slice(1)],
    });
    const { code, stdout } = await send();
    expect([code, stdout]).toEqual([
      1,
      '14 incidents imported, 0 imported before.\n1 incident refused:\nstatuspage-in01 names “Checkout”, which is not a row of the page\n',
    ]);
  });

  it('are read from what convert printed only', async () => {
    const { slug } = await moveIn();
    const file = await folder.save('other.json', '[]');
    const { code, stderr } = await callPharos(['incidents', 'import', slug, file], {});
    expect([code, stderr]).toEqual([1, expect.stringContaining('convert statuspage FILE --incidents')]);
  });
});
