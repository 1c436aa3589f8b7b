import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { MAX_TEXT_BYTES, type ReadOptions, readImport } from '..';
import { importText, onlyItem } from '../testing/import-text';

/** A placeholder of Gatus. */
const env = (name: string) => `\${${name}}`;
const encode = (text: string) => new TextEncoder().encode(text);
const endpoint = (name: string, settings: object = {}) => ({
  name,
  url: 'https://a.example.com/',
  conditions: ['[STATUS] == 200'],
  ...settings,
});

const readFiles = (contents: readonly unknown[], options?: ReadOptions) =>
  readImport(
    'gatus',
    contents.map((each) => encode(typeof each === 'string' ? each : stringify(each))),
    options,
  );
const namesOf = ({ items }: Awaited<ReturnType<typeof readImport>>) => items.map(({ name }) => name);

describe('the configuration of Gatus in several files', () => {
  it('is merged: lists are appended, and providers have their settings from all of them', async () => {
    const plan = await readFiles([
      { alerting: { email: { host: 'mail.example.com', 'default-alert': { 'failure-threshold': 7 } } } },
      { endpoints: [endpoint('a', { alerts: [{ type: 'email' }] })], alerting: { discord: {} } },
      { endpoints: [endpoint('b')], 'external-endpoints': [{ name: 'c', heartbeat: { interval: '1h' } }] },
      { alerting: { email: { 'default-alert': { 'success-threshold': 4 } } } },
    ]);
    expect(namesOf(plan)).toEqual(['a', 'b', 'c']);
    expect(plan.items[0]?.monitor).toMatchObject({ alertThreshold: 7, recoveryThreshold: 4 });
    expect(plan.notes).toEqual(['2 alerting providers are not imported.']);
  });

  it('can be a ConfigMap, also in a stream of objects or a list', async () => {
    const configMap = (...names: string[]) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      data: {
        ...Object.fromEntries(
          names.map((name) => [`${name}.yaml`, stringify({ endpoints: [endpoint(name)] })]),
        ),
        'notes.txt': 'not: [YAML',
      },
    });
    const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', endpoints: [endpoint('no')] };
    const stream = [deployment, configMap('a', 'b'), null, { endpoints: [endpoint('c')] }];
    const list = { apiVersion: 'v1', kind: 'List', items: [configMap('d'), deployment, 1] };
    const plan = await readFiles([stream.map((each) => `---\n${stringify(each)}`).join(''), list]);
    expect(namesOf(plan)).toEqual(['a', 'b', 'c', 'd']);
  });

  it('does not mix lists that an alias gives two names', async () => {
    const first = 'endpoints: &all [{name: a, url: "https://a.example.com/"}]\nexternal-endpoints: *all';
    const plan = await readFiles([first, { endpoints: [endpoint('b')] }]);
    expect(namesOf(plan)).toEqual(['a', 'b', 'a']);
  });

  it.each([
    [
      '5 MiB',
      [MAX_TEXT_BYTES, 1].map((size) => ' '.repeat(size)),
      /^The files together are larger than 5 MiB/,
    ],
    ['10,000 monitors', [1, 2].map(() => ({ endpoints: Array(5001).fill({}) })), /more than 10,000 monitors/],
    ['a thousand documents', ['---\n'.repeat(1001)], /not valid YAML, or too large/],
    [
      'a million values behind aliases',
      [1, 2, 3].map(() => `a: &a [${'1,'.repeat(999)}1]\nb: [${'*a,'.repeat(400)}*a]\nendpoints: []`),
      /not valid YAML, or too large/,
    ],
    ['files without endpoints', [{ alerting: {} }, 'a: 1'], /no endpoints of Gatus/],
  ])('has limits that hold for all of them: %s', async (_, contents, message) => {
    await expect(readFiles(contents)).rejects.toThrow(message);
  });

  it('is the only one: another source takes one file', async () => {
    const files = [encode('a.example.com'), encode('b.example.com')];
    await expect(readImport('csv', files)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: 'There are several files. Import them one by one.',
    });
  });
});

describe('a variable in the configuration of Gatus', () => {
  const ENDPOINT = endpoint('api', {
    method: 'POST',
    url: `https://${env('USER')}:$PASSWORD@${env('HOST')}/`,
    headers: { 'X-Token': `Bearer ${env('TOKEN')}`, 'X-Price': `5$$ ${env('HOST')}` },
    body: `{"key": "${env('KEY')}"}`,
  });

  it('has the value that is given, as it is', async () => {
    const variables = { USER: 'ann', PASSWORD: 'a$TOKEN', HOST: 'a.example.com', TOKEN: 'hush$$', KEY: '1' };
    const plan = await readFiles([{ endpoints: [ENDPOINT] }], { variables });
    expect(onlyItem(plan)).toMatchObject({
      monitor: {
        url: 'https://a.example.com/',
        headers: {
          'X-Token': 'Bearer hush$$',
          'X-Price': '5$ a.example.com',
          Authorization: `Basic ${btoa('ann:a$TOKEN')}`,
        },
        body: '{"key": "1"}',
      },
      changes: ['The user name and password become an Authorization header.'],
    });
    expect(plan.notes).toEqual([]);
  });

  it('without a value hides what is sent, and is named with the command that fills it in', async () => {
    const plan = await readFiles([{ endpoints: [ENDPOINT] }], { variables: { HOST: 'a.example.com' } });
    const { monitor, changes } = onlyItem(plan);
    expect(monitor).toMatchObject({
      url: 'https://a.example.com/',
      headers: { 'X-Token': '[hidden]', 'X-Price': '5$ a.example.com', Authorization: '[hidden]' },
      body: '[hidden]',
    });
    const kept = 'is not in the file. Enter it in Pharos; a later import keeps it.';
    expect(changes).toEqual([
      `The value of the header X-Token ${kept}`,
      `The value of the header Authorization ${kept}`,
      `The request body ${kept}`,
    ]);
    expect(plan.notes).toEqual([
      "Some values are in the environment of Gatus. Put its variables into a file, as NAME=value, and import with --variables FILE on the command line; or run envsubst '$USER $PASSWORD $TOKEN $KEY' < config.yaml > full.yaml with them set, and import full.yaml.",
    ]);
  });

  it('is never sent to a port or in a query of GraphQL, and remains text elsewhere', async () => {
    const read = async (settings: object) =>
      onlyItem(await importText('gatus', { endpoints: [endpoint('a', settings)] }));
    const port = await read({ url: 'tcp://a.example.com:1', body: `AUTH ${env('TOKEN')}` });
    expect(port.monitor?.send).toBe('[hidden]');
    expect(port.changes).toContainEqual(
      expect.stringMatching(/^The text that is sent first is not in the file/),
    );
    const query = await read({ method: 'POST', graphql: true, body: `{ a(b: "${env('B')}") }` });
    expect(query.monitor).toMatchObject({
      body: '[hidden]',
      headers: { 'Content-Type': 'application/json' },
    });
    const { monitor, changes } = await read({ url: `https://a.example.com/${env('PATH_OF_IT')}` });
    expect(monitor?.url).toContain('PATH_OF_IT');
    expect(changes).toEqual([`${env('PATH_OF_IT')} is imported as text: enter the value in Pharos.`]);
  });
});
