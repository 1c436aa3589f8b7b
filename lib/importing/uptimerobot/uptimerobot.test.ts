import { describe, expect, it } from 'vitest';
import { importText, onlyItem } from '../testing/import-text';

const CSV = `ID,Type,Status,Friendly Name,URL/IP,Keyword Type,Keyword Value,Port
778001,1,2,Shop,https://shop.example.com,,,
778002,Keyword,Up,"Shop, start page",https://shop.example.com,2,Welcome,
778003,2,2,Errors,https://shop.example.com,1,Fatal error,
778004,3,0,Gateway,192.0.2.1,,,
778005,4,9,Mail,mail.example.com,,,993
778006,5,2,Backup,,,,
`;

describe('the CSV export of UptimeRobot', () => {
  it('becomes a monitor per row', async () => {
    const { items, notes } = await importText('uptimerobot', CSV);
    expect(items.map(({ name, monitor, reason }) => [name, monitor?.type, monitor?.url, reason])).toEqual([
      ['Shop', 'http', 'https://shop.example.com', null],
      ['Shop, start page', 'http', 'https://shop.example.com', null],
      ['Errors', 'http', 'https://shop.example.com', null],
      ['Gateway', 'ping', '192.0.2.1', null],
      ['Mail', 'tcp', 'mail.example.com:993', null],
      ['Backup', undefined, undefined, expect.stringContaining('does not say how often')],
    ]);
    expect(items[1]?.monitor).toMatchObject({ keyword: 'Welcome', ref: 'uptimerobot-778002', enabled: true });
    expect(items[2]?.monitor?.assertions).toContainEqual({
      source: 'body',
      property: null,
      comparison: 'notContains',
      target: 'Fatal error',
    });
    expect(items[3]?.monitor?.enabled).toBe(false);
    expect(notes).toEqual([expect.stringContaining('The CSV export has no intervals')]);
  });

  it('is read with semicolons and a byte order mark, as spreadsheets write it', async () => {
    const { items } = await importText(
      'uptimerobot',
      '\uFEFFFriendly Name;URL/IP;Type\nShop;https://shop.example.com;1\n',
    );
    expect(items[0]?.monitor).toMatchObject({ name: 'Shop', url: 'https://shop.example.com' });
  });

  it('is recognized by its columns', async () => {
    await expect(importText('uptimerobot', 'a,b\n1,2\n')).rejects.toThrow(/no columns "Friendly Name"/);
  });
});

const MONITOR = {
  id: 778001,
  friendly_name: 'Shop',
  url: 'https://shop.example.com',
  type: 1,
  status: 2,
  interval: 300,
};
/** Without redirects, which are followed. */
const STATUS = {
  source: 'status',
  property: null,
  comparison: 'oneOf',
  target: ['200-300', '304-306', '309-399'],
};
const body = (comparison: string, target: string) => ({ source: 'body', property: null, comparison, target });
const NEW_URL = 'Its job must call another URL, which is shown after the import.';

describe('a response of getMonitors', () => {
  it.each([
    ['an interval', { interval: 900 }, { interval: 300 }, ['Interval 15 minutes becomes 5 minutes.']],
    ['a timeout', { timeout: 20 }, { timeout: 20 }, []],
    [
      'a method and a body',
      { http_method: 3, post_value: { a: 1 }, post_content_type: 1 },
      { method: 'POST', body: '{"a":1}', headers: { 'Content-Type': 'application/json' } },
      [],
    ],
    [
      'a user name',
      { http_username: 'ann', http_password: 'hush' },
      { headers: { Authorization: 'Basic YW5uOmh1c2g=' } },
      ['The user name and password become an Authorization header.'],
    ],
    ['headers', { custom_http_headers: { 'X-Token': 'hush' } }, { headers: { 'X-Token': 'hush' } }, []],
    [
      'one accepted status',
      { custom_http_statuses: { up: [401], down: [200] } },
      { expectedStatusCode: 401 },
      [],
    ],
    ['statuses as in requests', { custom_http_statuses: '404:1_500:0' }, { expectedStatusCode: 404 }, []],
    [
      'a keyword in any case',
      { type: 2, keyword_type: 2, keyword_case_type: 1, keyword_value: 'Welcome' },
      { assertions: [body('matches', '(?i)Welcome'), STATUS] },
      [],
    ],
    [
      'a text that must not exist',
      { type: 2, keyword_type: 1, keyword_case_type: 0, keyword_value: 'Error' },
      { assertions: [body('notContains', 'Error'), STATUS] },
      [],
    ],
    [
      'a text that must not exist in any case',
      { type: 2, keyword_type: 1, keyword_case_type: 1, keyword_value: 'a.b' },
      { assertions: [body('notMatches', '(?i)a\\.b'), STATUS] },
      [],
    ],
    [
      'a status that counts as down',
      { custom_http_statuses: { up: [], down: [204] } },
      { assertions: [{ ...STATUS, target: ['200-203', '205-300', '304-306', '309-399'] }] },
      [],
    ],
    [
      'heartbeats',
      { type: 5, interval: 86_400, url: 'https://heartbeat.example.com/hush' },
      { type: 'heartbeat', url: '', period: 86_400, grace: 60 },
      [NEW_URL, 'The file has no grace: a call may be a minute late.'],
    ],
    [
      'heartbeats and a grace',
      { type: 5, interval: 3600, grace_period: 300, status: 0 },
      { type: 'heartbeat', period: 3600, grace: 300, enabled: false },
      [NEW_URL],
    ],
    [
      'a known service',
      { type: 4, sub_type: 4, url: 'mail.example.com' },
      { type: 'tcp', url: 'mail.example.com:25' },
      [],
    ],
    [
      'a custom port',
      { type: 4, sub_type: 99, port: '8443', url: 'api.example.com' },
      { type: 'tcp', url: 'api.example.com:8443' },
      [],
    ],
    [
      'a name to resolve',
      { type: 'DNS', url: 'example.com' },
      { type: 'dns', url: 'example.com' },
      ['The expected records are not imported: any address of the name is a success.'],
    ],
    ['a pause', { status: 0 }, { enabled: false }, []],
  ])('with %s', async (_, fields, expected, changes) => {
    const plan = await importText('uptimerobot', { stat: 'ok', monitors: [{ ...MONITOR, ...fields }] });
    const item = onlyItem(plan);
    expect(item.monitor).toMatchObject({ ref: 'uptimerobot-778001', ...expected });
    expect(item.changes.toSorted()).toEqual(changes.toSorted());
  });

  it.each([
    [
      'digest authentication',
      { http_auth_type: 2, http_username: 'ann', http_password: 'hush' },
      /Only basic/,
    ],
    ['heartbeats without an interval', { type: 5, interval: 0 }, /does not say how often/],
    ['UDP', { type: 'UDP' }, /UDP/],
    ['a type of the future', { type: 42 }, /no check of this type/],
    ['no URL', { url: '' }, /no host, port or URL/],
  ])('says why a monitor with %s is not imported', async (_, fields, reason) => {
    const plan = await importText('uptimerobot', { stat: 'ok', monitors: [{ ...MONITOR, ...fields }] });
    expect(onlyItem(plan)).toMatchObject({ monitor: null, reason: expect.stringMatching(reason) });
  });

  it('can be one of several pages, and says which are missing', async () => {
    const page = (id: number) => ({
      stat: 'ok',
      pagination: { offset: 0, limit: 1, total: 3 },
      monitors: [{ ...MONITOR, id, alert_contacts: [{ id: '1' }], mwindows: [{ id: 7 }] }],
    });
    const { items, notes } = await importText('uptimerobot', [page(1), page(2)]);
    expect(items).toHaveLength(2);
    expect(notes).toEqual([
      'The file has 2 of 3 monitors. Export the other pages too (offset).',
      '1 alert contact is not imported.',
      '1 maintenance window is not imported.',
    ]);
  });

  it.each([
    ['an error response', { stat: 'fail', error: { message: 'api_key is wrong' } }, /error response/],
    ['another JSON', { data: [] }, /no monitors of UptimeRobot/],
    ['no JSON', '{"stat":', /not valid JSON/],
  ])('is rejected as %s', async (_, content, message) => {
    await expect(importText('uptimerobot', content)).rejects.toThrow(message);
  });
});
