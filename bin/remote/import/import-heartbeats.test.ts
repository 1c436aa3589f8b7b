import { expect, it } from 'vitest';
import { borrowTenant } from '@/app/api/testing/borrow-tenant';
import { useFolder } from '@/e2e/support/use-folder';
import { callPharos } from '../../cli/testing/call-pharos';

const setting = borrowTenant();
const folder = useFolder();

const GATUS = `
endpoints:
  - name: api
    url: https://api.example.com/health
    interval: 1m
    conditions:
      - "[STATUS] < 300"
      - "[BODY].status == UP"
      - "len([BODY].items) > 0"
      - "[RESPONSE_TIME] < 500"
external-endpoints:
  - name: backup
    group: jobs
    token: hush
    heartbeat:
      interval: 24h
`;

it('imports assertions and heartbeats, lists the URLs that jobs must call, and changes nothing the second time', async () => {
  const tenant = await setting.backdoor.addTenant();
  const file = await folder.save('config.yaml', GATUS);
  const run = (...args: string[]) =>
    callPharos(args, {
      PHAROS_URL: setting.service.url,
      PHAROS_API_KEY: tenant.apiKey,
      XDG_CONFIG_HOME: folder.path('.'),
    });
  const first = await run('import', 'gatus', file, '--yes');
  expect([first.stderr, first.code]).toEqual(['', 0]);
  expect(first.stdout).toContain('2 created, 0 changed, 0 unchanged, 0 rejected.');
  const { body: monitors } = await tenant.api('GET', '/monitors');
  const byName = new Map<string, Record<string, unknown>>(
    monitors.map((monitor: { name: string }) => [monitor.name, monitor]),
  );
  const url = byName.get('backup')?.heartbeatUrl;
  expect(url).toMatch(/^http.*\/heartbeat\/\S{20,}$/);
  expect(first.stdout).toContain(
    `Put each into its job, which otherwise keeps calling the old one:\n  backup  ${url}\n`,
  );
  expect(byName.get('backup')).toMatchObject({ type: 'heartbeat', period: 86_400, grace: 0, tags: ['jobs'] });
  expect(byName.get('api')?.assertions).toEqual([
    { source: 'status', property: null, comparison: 'oneOf', target: ['100-299'] },
    { source: 'json', property: '$.status', comparison: 'oneOf', target: ['UP'] },
    { source: 'json', property: '$[?length($.items) > 0]', comparison: 'exists', target: null },
    { source: 'responseTime', property: null, comparison: 'lessThan', target: 500 },
  ]);

  const second = await run('import', 'gatus', file, '--yes', '--json');
  const outcome = JSON.parse(second.stdout);
  expect(outcome).toMatchObject({ created: 0, changed: 0, unchanged: 2, failures: [] });
  expect(outcome.heartbeats).toEqual([{ ref: expect.stringMatching(/^gatus-/), name: 'backup', url }]);

  // A heartbeat has no target to try.
  const tried = await run('import', 'gatus', file, '--try', '--dry-run', '--json');
  expect(JSON.parse(tried.stdout).trials).toEqual([expect.objectContaining({ name: 'api' })]);

  const exported = await run('export');
  expect(exported.code).toBe(0);
  expect(exported.stdout).toContain('type: heartbeat');
  expect(exported.stdout).toContain('length($.items)');
  expect(exported.stdout).not.toContain('/heartbeat/');
  const resources = await folder.save('pharos.yaml', exported.stdout);
  const plan = await run('plan', resources);
  expect([plan.stderr, plan.stdout.trim()]).toEqual([
    '',
    '0 to create, 0 to change, 0 to delete, 2 unchanged.',
  ]);

  // The file alone creates the same monitors elsewhere, with heartbeats of their own.
  const other = await setting.backdoor.addTenant();
  const applied = await callPharos(['apply', resources, '--yes'], {
    PHAROS_URL: setting.service.url,
    PHAROS_API_KEY: other.apiKey,
    XDG_CONFIG_HOME: folder.path('.'),
  });
  expect([applied.stderr, applied.code]).toEqual(['', 0]);
  const { body: copies } = await other.api('GET', '/monitors');
  const copy = copies.find(({ name }: { name: string }) => name === 'backup');
  expect(copy).toMatchObject({ type: 'heartbeat', period: 86_400, grace: 0 });
  expect(copy.heartbeatUrl).not.toBe(url);
});
