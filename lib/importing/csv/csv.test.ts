import { describe, expect, it } from 'vitest';
import { readImport } from '@/lib/importing';
import { importText, onlyItem, unset } from '../testing/import-text';
import { FIELDS } from './fields';

describe('a list of targets', () => {
  it('becomes a monitor per line: HTTP for a URL, TCP for host:port, ping for a host', async () => {
    const lines =
      '# production\nhttps://shop.example.com/\n\ndb.example.com:5432\r\n[2001:db8::1]:443\ngateway.example.com\n192.0.2.1\ndns:example.com?type=MX\n';
    const { items, notes } = await importText('csv', lines);
    expect(items.map(({ name, monitor }) => [name, monitor?.type, monitor?.url])).toEqual([
      ['shop.example.com', 'http', 'https://shop.example.com/'],
      ['db.example.com:5432', 'tcp', 'db.example.com:5432'],
      ['[2001:db8::1]:443', 'tcp', '[2001:db8::1]:443'],
      ['gateway.example.com', 'ping', 'gateway.example.com'],
      ['192.0.2.1', 'ping', '192.0.2.1'],
      ['dns:example.com', 'dns', 'dns:example.com?type=MX'],
    ]);
    expect(notes).toEqual([]);
  });

  it('gets https:// for URLs without a scheme, and says so', async () => {
    const { items } = await importText('csv', 'shop.example.com/health\nlocalhost:3000/live?all=1\n');
    expect(items.map(({ monitor, changes }) => [monitor?.type, monitor?.url, changes])).toEqual([
      ['http', 'https://shop.example.com/health', ['https:// was added to the URL.']],
      ['http', 'https://localhost:3000/live?all=1', ['https:// was added to the URL.']],
    ]);
  });

  it('can be a single line', async () => {
    expect(onlyItem(await importText('csv', 'https://shop.example.com')).monitor?.ref).toMatch(
      /^csv-shop-example-com-/,
    );
  });

  it('says which lines are none', async () => {
    const { items } = await importText(
      'csv',
      'https://shop.example.com/\nnot a host\nftp://files.example.com/\n',
    );
    expect(items.map(({ reason }) => reason)).toEqual([
      null,
      'It is not an http or https URL, host:port, host name or IP address.',
      'It is not an http or https URL, host:port, host name or IP address.',
    ]);
  });

  it('shows neither password nor query in names', async () => {
    const { name, monitor, changes } = onlyItem(
      await importText('csv', 'https://ann:hush@shop.example.com/a?key=hush'),
    );
    expect({ name, changes }).toEqual({
      name: 'shop.example.com/a',
      changes: ['The user name and password become an Authorization header.'],
    });
    expect(monitor).toMatchObject({ url: 'https://shop.example.com/a?key=hush', name: 'shop.example.com/a' });
  });
});

describe('a CSV with a header row', () => {
  /** The item of one row. */
  const read = async (row: Record<string, string>) => {
    const quote = (text: string) => `"${text.replaceAll('"', '""')}"`;
    const text = [Object.keys(row), Object.values(row)].map((cells) => cells.map(quote).join(',')).join('\n');
    return onlyItem(await importText('csv', text));
  };

  it('gets https:// where the type is HTTP and the URL has no scheme', async () => {
    const { monitor, changes } = await read({ target: 'shop.example.com', type: 'http' });
    expect([monitor?.url, changes]).toEqual(['https://shop.example.com', ['https:// was added to the URL.']]);
  });

  it('can have every field of a monitor', async () => {
    const item = await read({
      name: 'Shop',
      url: 'https://shop.example.com/',
      type: 'http',
      method: 'post',
      interval: '2m',
      timeout: '20',
      expectedStatusCode: '201',
      headers: 'Accept: */*\nX-Token: hush',
      body: '{"a": 1, "b": 2}',
      keyword: 'ok',
      regions: 'us-east; eu-west',
      alertThreshold: '2',
      recoveryThreshold: '2',
      degradedThreshold: '800',
      confirmInterval: '10',
      followRedirects: 'yes',
      maxRedirects: '3',
      tlsVerify: 'false',
      tlsExpiryDays: '14',
      tags: 'shop, production',
      ref: 'shop-1',
      enabled: 'no',
    });
    expect(item).toEqual({
      name: 'Shop',
      kind: 'http',
      changes: [],
      reason: null,
      monitor: {
        ...unset(FIELDS, 'http'),
        name: 'Shop',
        url: 'https://shop.example.com/',
        type: 'http',
        method: 'POST',
        interval: 120,
        timeout: 20,
        expectedStatusCode: 201,
        assertions: [],
        headers: { Accept: '*/*', 'X-Token': 'hush' },
        body: '{"a": 1, "b": 2}',
        keyword: 'ok',
        regions: ['us-east', 'eu-west'],
        alertThreshold: 2,
        recoveryThreshold: 2,
        degradedThreshold: 800,
        confirmInterval: 10,
        followRedirects: true,
        maxRedirects: 3,
        tlsVerify: false,
        tlsExpiryDays: 14,
        tags: ['shop', 'production'],
        ref: 'shop-1',
        enabled: false,
      },
    });
  });

  it.each([
    ['only a URL', { url: 'https://shop.example.com/' }, { name: 'shop.example.com', type: 'http' }],
    [
      'a host and a port',
      { host: 'db.example.com', port: '5432' },
      { type: 'tcp', url: 'db.example.com:5432' },
    ],
    ['a host', { Hostname: 'gateway.example.com' }, { type: 'ping', url: 'gateway.example.com' }],
    [
      'a record',
      { url: 'example.com', type: 'dns', record: 'mx' },
      { type: 'dns', url: 'dns:example.com?type=MX' },
    ],
    ['another name for a type', { url: 'db.example.com:5432', type: 'Port' }, { type: 'tcp' }],
    [
      'another name for a column',
      { URL: 'https://shop.example.com/', 'Expected status': '204' },
      { expectedStatusCode: 204 },
    ],
    [
      'headers as JSON',
      { url: 'https://shop.example.com/', headers: '{"X-A":"1"}' },
      { headers: { 'X-A': '1' } },
    ],
  ])('can have %s', async (_, row, expected) => {
    expect((await read(row)).monitor).toMatchObject(expected);
  });

  it.each([
    [
      'an unknown type',
      { url: 'shop.example.com', type: 'gopher' },
      /The type gopher is not supported\. Use http, tcp, ping, dns and heartbeat\./,
    ],
    ['no target', { name: 'Shop', url: '' }, /no host, port or URL/],
    ['a wrong target', { url: 'ftp://shop.example.com', type: 'http' }, /must start with https:/],
  ])('says why it does not import a row with %s', async (_, row, reason) => {
    expect(await read(row)).toMatchObject({ monitor: null, reason: expect.stringMatching(reason) });
  });

  it.each([
    ['90', 'Interval 90 seconds becomes 1 minute.', 60],
    ['5 min', null, 300],
    ['5 minutes', null, 300],
    ['300 s', null, 300],
    ['300s', null, 300],
    ['PT5M', null, 300],
    ['00:05:00', null, 300],
    ['0.5m', null, 30],
    ['1m 60s', null, 120],
    ['2 h', 'Interval 2 hours becomes 5 minutes.', 300],
    ['1d', 'Interval 24 hours becomes 5 minutes.', 300],
    ['1w', 'Interval 168 hours becomes 5 minutes.', 300],
    ['-60', 'Interval “-60” is not understood and becomes 1 minute.', 60],
    ['0', 'Interval “0” is not understood and becomes 1 minute.', 60],
    ['banana', 'Interval “banana” is not understood and becomes 1 minute.', 60],
    ['5 bananas', 'Interval “5 bananas” is not understood and becomes 1 minute.', 60],
    ['PT', 'Interval “PT” is not understood and becomes 1 minute.', 60],
  ])('with the interval “%s”: %s', async (interval, change, seconds) => {
    const { monitor, changes } = await read({ url: 'https://shop.example.com/', interval });
    expect([changes, monitor?.interval]).toEqual([change === null ? [] : [change], seconds]);
  });

  it('lists numbers and flags that it does not understand, and what they become', async () => {
    const { changes, monitor } = await read({
      url: 'https://shop.example.com/',
      timeout: '-5',
      degradedThreshold: 'slow',
      confirmInterval: 'soon',
      alertThreshold: 'abc',
      recoveryThreshold: '-1',
      maxRedirects: 'few',
      tlsExpiryDays: 'two weeks',
      followRedirects: 'nope',
      tlsVerify: 'nah',
      enabled: 'maybe',
    });
    expect(changes.toSorted()).toEqual([
      'Alert after “abc” is not understood and becomes 3.',
      'Certificate warning “two weeks” is not understood and is left out.',
      'Confirm every “soon” is not understood and is left out.',
      'Enabled “maybe” is not understood and becomes true.',
      'Follow redirects “nope” is not understood and becomes true.',
      'Maximum redirects “few” is not understood and becomes 5.',
      'Recover after “-1” is not understood and becomes 1.',
      'Slow above “slow” is not understood and becomes 5s.',
      'Timeout “-5” is not understood and becomes 30 seconds.',
      'Verify certificate “nah” is not understood and becomes true.',
    ]);
    expect(monitor).toMatchObject({ enabled: true, timeout: 30, alertThreshold: 3 });
  });

  it('rejects a port that is none, instead of a ping of the host', async () => {
    expect(await read({ host: 'db.example.com', port: 'postgres' })).toMatchObject({
      monitor: null,
      reason: 'The port “postgres” is not a number from 1 to 65535.',
    });
    expect((await read({ url: 'https://shop.example.com/', port: '443' })).monitor?.type).toBe('http');
  });

  it('keeps what the file hides, or has no column for', async () => {
    const url = 'https://shop.example.com/';
    const hidden = await read({ url, method: 'POST', body: '[hidden]', headers: 'X-Token: ***' });
    expect(hidden.monitor).toMatchObject({ body: '[hidden]', headers: { 'X-Token': '[hidden]' } });
    expect(hidden.changes).toEqual([
      'The value of the header X-Token is not in the file. Enter it in Pharos; a later import keeps it.',
      'The request body is not in the file. Enter it in Pharos; a later import keeps it.',
    ]);
    const { monitor } = await read({ url, interval: '60' });
    for (const field of ['headers', 'body', 'method']) expect(monitor).not.toHaveProperty(field);
    expect((await read({ url, headers: '', body: '' })).monitor).toMatchObject({ headers: {}, body: null });
  });

  it('leaves out a line that is no header, without showing it', async () => {
    const { changes } = await read({ url: 'https://shop.example.com/', headers: 'Bearer hush' });
    expect(changes).toEqual(['A header with an invalid name is left out.']);
  });

  it('has unique refs, which do not depend on the order of different rows', async () => {
    const refsOf = async (rows: string[]) =>
      (await importText('csv', `name,url\n${rows.join('\n')}`)).items.map(({ monitor }) => monitor?.ref);
    const [a, b] = ['Shop A,https://a.example.com/', 'Shop-A,https://b.example.com/'];
    const [first, second] = await refsOf([a ?? '', b ?? '']);
    expect(first).not.toBe(second);
    expect(await refsOf([b ?? '', a ?? ''])).toEqual([second, first]);
    expect(
      await refsOf([
        'shop,https://a.example.com/',
        'shop,https://b.example.com/',
        'shop-2,https://c.example.com/',
      ]),
    ).toEqual(['csv-shop', 'csv-shop-2', 'csv-shop-2-2']);
  });

  it('is asked for in UTF-8 if it is a text in another encoding', async () => {
    const bytes = new TextEncoder().encode('name,url\nCafe,https://cafe.example.com/\n');
    await expect(
      readImport(
        'csv',
        bytes.map((byte) => (byte === 0x65 ? 0xe9 : byte)),
      ),
    ).rejects.toThrow(/^The file is not encoded as UTF-8\. Save it as UTF-8/);
  });

  it('says which columns it does not know', async () => {
    const { notes } = await importText('csv', 'url,Color,weight\nhttps://shop.example.com/,red,3\n');
    expect(notes).toEqual(['Columns that are not imported: color and weight.']);
  });

  it.each([
    ['empty', ' \n', /The file is empty/],
    ['a table without targets', 'name,color\nShop,red\n', /no column "url"/],
    ['binary', '\u0000\uFFFF', /It is not an http or https URL/],
  ])('is rejected if it is %s', async (_, content, message) => {
    const result = importText('csv', content).then(({ items }) => items[0]?.reason ?? 'imported');
    await expect(result.catch((error: Error) => error.message)).resolves.toMatch(message);
  });
});
