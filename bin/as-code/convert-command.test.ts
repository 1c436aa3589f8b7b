import { join } from 'node:path';
import { expect, it } from 'vitest';
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
  expect([code, stderr]).toEqual([0, expect.stringContaining('1 incident is not imported.')]);
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
