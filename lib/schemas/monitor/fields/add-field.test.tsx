import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { monitorValues, readMonitorForm } from '@/app/(dashboard)/monitors/form-values';
import { writeDocument } from '@/app/api/openapi.json/describe';
import { readSourceFiles } from '@/bin/lint/source-files.mjs';
import { MonitorForm } from '@/components/monitors/form/monitor-form';
import { hasFieldGroup } from '@/lib/checks/types';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { beginStory } from '@/lib/engine/testing/story';
import { readCertificate } from '@/lib/platform/net/testing/servers';
import { updateMonitorSchema } from '@/lib/schemas/monitor';
import { parseInput } from '@/lib/schemas/validation';
import { useTestDatabase } from '@/lib/testing/database';
import {
  describeField,
  FIELD_NAMES,
  FORM_FIELDS,
  type MonitorConfig,
  monitorDefaults,
  PROBED_FIELDS,
  pickFields,
  RESETTING_FIELDS,
  sqlColumnOf,
} from '.';

// Follows "Add a field" of CONTRIBUTING.md: a descriptor is enough for a field to appear everywhere.

const root = fileURLToPath(new URL('../../../..', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8').replaceAll(/\s+/g, ' ');
const database = useTestDatabase();

const AUTHENTICATION = { method: 'digest', username: 'ann', password: 'one' } as const;

/** A monitor in which no field has its default. */
const SHOP: MonitorConfig = {
  name: 'Shop',
  description: 'Runs in the old data center.\nRestart: wiki/shop',
  url: 'http://shop.test/',
  type: 'http',
  method: 'POST',
  interval: 300,
  timeout: 5,
  expectedStatusCode: 201,
  headers: { 'X-Token': 'one' },
  body: '{}',
  regions: ['eu-west', 'us-east'],
  alertThreshold: 4,
  recoveryThreshold: 2,
  degradedThreshold: 900,
  confirmInterval: 15,
  keyword: 'welcome',
  assertions: [{ source: 'json', property: '$.up', comparison: 'equals', target: true }],
  send: 'PING\r\n',
  expectedAnswer: 'none',
  resolvers: ['192.0.2.53', '[2001:db8::53]:5353'],
  resolverMatch: 'any',
  protocol: 'tls',
  ipVersion: 'both',
  connectTo: 'edge.test:8080',
  followRedirects: false,
  maxRedirects: 2,
  tlsVerify: false,
  tlsExpiryDays: 14,
  authentication: AUTHENTICATION,
  clientCertificate: readCertificate('good'),
  period: 86_400,
  schedule: { cron: '30 3 * * *', timeZone: 'Europe/Berlin' },
  grace: 600,
  members: ['mon_gateway'],
  memberRule: 'count',
  memberMinimum: 1,
  dependsOn: ['mon_gateway'],
  tags: ['shop'],
  ref: 'shop-1',
  enabled: true,
};

describe('a field with a descriptor', () => {
  it('has a column', async () => {
    const columns = await database.db.$queryRaw<{ name: string }[]>`
      SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'monitor'`;
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(FIELD_NAMES.map(sqlColumnOf)));
  });

  it('is stored, returned, changed, and passed to the probe', async () => {
    const story = await beginStory(database.db);
    const gateway = await story.addMonitor({ enabled: false });
    const shop = { ...SHOP, dependsOn: [gateway.id], members: [gateway.id] };
    const { id } = await story.addMonitor(shop);
    expect(await getMonitor(story.ctx, id)).toMatchObject(shop);
    const [check] = await story.take();
    expect(check?.monitor.target).toEqual(pickFields(SHOP, PROBED_FIELDS));

    const defaults = { ...monitorDefaults, name: 'Store', url: 'http://store.test/', enabled: false };
    await updateMonitor(story.ctx, id, parseInput(updateMonitorSchema, defaults));
    expect(await getMonitor(story.ctx, id)).toMatchObject(defaults);
  });

  it('is in the OpenAPI document, required only if it has no default', async () => {
    const { paths, components } = JSON.parse(
      await writeDocument({ serviceName: 'Pharos', baseUrl: 'https://pharos.test/api' }),
    );
    const bodyOf = (path: string, method: string) => {
      const { $ref } = paths[path][method].requestBody.content['application/json'].schema;
      return components.schemas[$ref.split('/').at(-1)];
    };
    const created = bodyOf('/monitors', 'post');
    for (const name of FIELD_NAMES) {
      const isRequired = !('default' in describeField(name));
      expect(created.properties[name], name).toBeDefined();
      expect(created.required.includes(name), name).toBe(isRequired);
      if (!isRequired) expect(created.properties[name].default, name).toEqual(describeField(name).default);
    }
    expect(Object.keys(bodyOf('/monitors/{id}', 'put').properties)).toEqual(
      expect.arrayContaining([...FIELD_NAMES]),
    );
    expect(components.schemas.Monitor.required).toEqual(expect.arrayContaining([...FIELD_NAMES]));
  });

  it.each(['http', 'tcp', 'dns', 'heartbeat', 'group'] as const)(
    'is in the form of type %s if that type uses it',
    (type) => {
      const values = { ...shownValues(SHOP), type };
      const html = renderToStaticMarkup(
        <MonitorForm
          save={async (state) => state}
          initial={values}
          known={values}
          choices={{
            fields: FORM_FIELDS,
            regions: [
              {
                id: 'us-east',
                name: 'us-east',
                location: 'Virginia',
                isInPlan: true,
                probedBy: '1 worker',
                machines: [],
              },
            ],
            monitors: [{ id: 'mon_gateway', name: 'Gateway' }],
          }}
          baseUrl="https://pharos.test"
        />,
      );
      for (const { name, group } of FORM_FIELDS) {
        const isShown = group === undefined || hasFieldGroup(type, group);
        expect(html.includes(` name="${name}"`), name).toBe(isShown);
      }
    },
  );

  it('is read as shown by the form', () => {
    for (const type of ['http', 'heartbeat', 'group'] as const) {
      const all = {
        ...SHOP,
        type,
        headers: { 'X-Token': '[hidden]' },
        authentication: { ...AUTHENTICATION, password: '[hidden]' },
        clientCertificate: '[hidden]',
      };
      const used = FORM_FIELDS.filter(({ group }) => group === undefined || hasFieldGroup(type, group));
      const names = used.map(({ name }) => name);
      expect(readMonitorForm(shownValues({ ...SHOP, type }))).toEqual(pickFields(all, names));
    }
  });
});

describe('maxRedirects, the example of the guide', () => {
  const [release] = readdirSync(join(root, 'prisma/migrations')).toSorted();
  const firstRelease = `prisma/migrations/${release}/migration.sql`;

  it('is in the places that the guide names', () => {
    const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
    const section = guide.slice(guide.indexOf('## Add a field'), guide.indexOf('## Add a check type'));
    const blocks = [...section.matchAll(/^ {3}```\w+\n {3}(?:\/\/|--) (\S+)\n([\s\S]*?)^ {3}```$/gm)];
    expect(blocks).toHaveLength(4);
    for (const [, path = '', code = ''] of blocks) {
      // The column is older than the numbers of migrations: the first release has it.
      const isMigration = path.startsWith('prisma/migrations/');
      const lines = isMigration ? code.replace(/[\s\S]*ADD COLUMN |;\s*$/g, '') : code;
      const file = isMigration ? firstRelease : path;
      expect(read(file)).toContain(lines.replaceAll(/\s+/g, ' ').trim());
    }
  });

  it('is named in no other source file', () => {
    const sources = [
      ...readSourceFiles(root),
      ['prisma/schema.prisma', read('prisma/schema.prisma')] as const,
    ];
    const naming = sources
      .filter(([path, text]) => !/\.test\.tsx?$/.test(path) && /maxRedirects|max_redirects/.test(text))
      // What other products call it, a new field need not know.
      .filter(([path]) => !path.startsWith('lib/importing/'))
      .map(([path]) => path);
    expect(naming.toSorted()).toEqual([
      'lib/checks/http/probe-http.ts',
      // By the name of its migration.
      'lib/platform/db/unnumbered-migrations.ts',
      'lib/schemas/monitor/fields/descriptors.ts',
      'prisma/schema.prisma',
    ]);
  });

  it('is passed to the probe, so a change resets the status', () => {
    expect(RESETTING_FIELDS).toContain('maxRedirects');
  });
});

function shownValues(config: MonitorConfig) {
  return monitorValues(config as Parameters<typeof monitorValues>[0]);
}
