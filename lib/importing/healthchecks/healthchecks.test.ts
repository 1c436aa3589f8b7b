import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importText, onlyItem, unset } from '../testing/import-text';
import { FIELDS } from './fields';

const read = () => readFile(join(import.meta.dirname, 'testing', 'checks.json'), 'utf8');
const CHECK = {
  name: 'Backup',
  slug: 'backup',
  tags: 'backup fs',
  desc: 'Runs every hour',
  grace: 600,
  status: 'up',
  manual_resume: false,
  methods: '',
  uuid: '31365bce-8da9-4729-8ff3-aaa71d56b712',
  timeout: 3600,
};
const NEW_URL = 'Its job must call another URL, which is shown after the import.';
const FILTERED = 'The filters are not imported: the URL that a call uses says whether the job succeeded.';
const importCheck = async (settings: object) =>
  onlyItem(await importText('healthchecks', { checks: [{ ...CHECK, ...settings }] }));

describe("a response of Healthchecks' API", () => {
  it('becomes a heartbeat per check, or a reason why not', async () => {
    const { items, notes } = await importText('healthchecks', await read());
    const systemd = expect.stringContaining('OnCalendar');
    const cron = (expression: string, timeZone = 'UTC') => ({ cron: expression, timeZone });
    expect(
      items.map(({ name, monitor, reason }) => [name, monitor?.period ?? monitor?.schedule, reason]),
    ).toEqual([
      ['Filesystem backup', 3600, null],
      ['Database backup', cron('15 5 * * *'), null],
      ['Certificate renewal', cron('0 3 * * 1', 'Europe/Berlin'), null],
      ['Invoices', cron('0 7 1 * *', 'America/New_York'), null],
      ['Queue worker', 60, null],
      ['Yearly report', 31_536_000, null],
      ['Log rotation', cron('0 0 * * *'), null],
      ['Old import', 86_400, null],
      ['Mail reports', 86_400, null],
      ['Backup by email', 86_400, null],
      ['Webhook', 900, null],
      ['Body filter', 900, null],
      ['systemd timer', undefined, systemd],
      ['systemd timers', undefined, systemd],
      ['Last Friday', cron('0 18 * * 5L', 'Europe/London'), null],
      ['Business hours', cron('*/10 8-18 * * 1-5', 'Asia/Singapore'), null],
      ['Half past', cron('30 * * * *'), null],
      ['Never', undefined, 'The schedule must name a time that exists.'],
      [expect.stringMatching(/^healthchecks-[0-9a-f]{40}$/), 300, null],
      ['Replication', 120, null],
    ]);
    expect(notes).toEqual(['2 integrations are not imported.']);
  });

  it('becomes the same plan again', async () => {
    const first = await importText('healthchecks', await read());
    expect(await importText('healthchecks', await read())).toEqual(first);
  });

  it('has the ref and settings of each check also with a read-only key', async () => {
    const { checks } = JSON.parse(await read());
    const plan = await importText('healthchecks', { checks });
    const hidden = ['uuid', 'ping_url', 'update_url', 'pause_url', 'resume_url', 'channels'];
    const shown = checks.map((check: object, index: number) => ({
      ...Object.fromEntries(Object.entries(check).filter(([name]) => !hidden.includes(name))),
      unique_key: plan.items[index]?.monitor?.ref.replace('healthchecks-', '') ?? 'a',
    }));
    expect((await importText('healthchecks', { checks: shown })).items).toEqual(plan.items);
    // The pair of the documentation: https://healthchecks.io/docs/api/#list-checks.
    const documented = await importCheck({});
    expect(documented.monitor?.ref).toBe('healthchecks-a6c7b0a8a66bed0df66abfdab3c77736861703ee');
  });

  it('never shows the UUID, which is the secret of the URL', async () => {
    const { checks } = JSON.parse(await read());
    const plan = JSON.stringify(await importText('healthchecks', { checks }));
    for (const { uuid } of checks) expect(plan).not.toContain(uuid);
  });

  it.each([
    [
      'a period',
      {},
      { period: 3600, grace: 600, tags: ['backup', 'fs'], description: 'Runs every hour' },
      [],
    ],
    [
      'a schedule',
      { timeout: undefined, schedule: '15 5 * * *', tz: 'Europe/Berlin', desc: '', tags: '' },
      {
        schedule: { cron: '15 5 * * *', timeZone: 'Europe/Berlin' },
        grace: 600,
        tags: [],
        description: null,
      },
      [],
    ],
    [
      'a pause',
      { status: 'paused', desc: '', tags: '' },
      { period: 3600, grace: 600, enabled: false },
      ['A call does not resume it: resume it in Pharos.'],
    ],
    [
      'a pause until it is resumed',
      { status: 'paused', manual_resume: true, desc: '', tags: '' },
      { period: 3600, grace: 600, enabled: false },
      [],
    ],
    [
      'only POST',
      { methods: 'POST', desc: '', tags: '' },
      { period: 3600, grace: 600 },
      ['Calls with any method count, not only POST.'],
    ],
    ['filters', { filter_http_body: true, desc: '', tags: '' }, { period: 3600, grace: 600 }, [FILTERED]],
    [
      'the filters of older versions',
      { subject: 'SUCCESS', desc: '', tags: '' },
      { period: 3600, grace: 600 },
      [FILTERED],
    ],
  ])('with %s', async (_, settings, expected, changes) => {
    const { monitor, changes: said } = await importCheck(settings);
    expect(monitor).toEqual({
      ...unset(FIELDS, 'heartbeat'),
      name: 'Backup',
      ref: expect.stringMatching(/^healthchecks-/),
      type: 'heartbeat',
      url: '',
      enabled: true,
      ...expected,
    });
    expect(said).toEqual([NEW_URL, ...changes]);
  });

  it.each([
    ['no times', { timeout: undefined }, /does not say when/],
    ['a schedule that is none', { schedule: 'a b c d e' }, /^The schedule must be a valid cron/],
    [
      'an unknown time zone',
      { schedule: '* * * * *', tz: 'Mars' },
      /^The schedule must be an IANA time zone/,
    ],
    ['a schedule of systemd', { schedule: 'daily' }, /OnCalendar/],
  ])('says why a check with %s is not imported', async (_, settings, reason) => {
    expect(await importCheck(settings)).toMatchObject({
      monitor: null,
      reason: expect.stringMatching(reason),
    });
  });

  it('can be one of several projects', async () => {
    const other = { ...CHECK, uuid: '803f680d-e89b-492b-82ef-2be7b774a92d' };
    const { items } = await importText('healthchecks', [{ checks: [CHECK] }, { checks: [other] }]);
    expect(items).toHaveLength(2);
  });

  it.each([
    ['an error response', { error: 'wrong api key' }, /error response/],
    ['another JSON', { data: [] }, /no checks of Healthchecks/],
    ['no JSON', 'name,url', /not a response of Healthchecks/],
  ])('is rejected as %s', async (_, content, message) => {
    await expect(importText('healthchecks', content)).rejects.toThrow(message);
  });
});
