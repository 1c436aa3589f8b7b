import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { DomainError } from '@/lib/core/errors';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import { dropHidden } from '@/lib/schemas/monitor/fields';
import { IMPORT_SOURCES, type ImportSource, readImport } from '.';
import { createKumaDatabase } from './testing/create-kuma-database';

const encode = (text: string) => new TextEncoder().encode(text);

/** Fails unless the file becomes a plan of valid monitors with unique refs, or is rejected with a sentence. */
async function expectPlanOrRejection(source: ImportSource, files: Uint8Array | Uint8Array[]): Promise<void> {
  const result = await readImport(source, files).catch((error: unknown) => error);
  if (result instanceof DomainError) {
    expect(result.message).toMatch(/^[A-Z].*\.$/s);
    return;
  }
  if (result instanceof Error) throw result;
  const { items } = result as Awaited<ReturnType<typeof readImport>>;
  const refs = items.flatMap(({ monitor }) => monitor?.ref ?? []);
  expect(new Set(refs).size).toBe(refs.length);
  for (const { name, monitor, reason } of items) {
    expect(name).not.toBe('');
    expect(monitor === null).toBe(reason !== null);
    if (monitor !== null) expect(createMonitorSchema.safeParse(dropHidden(monitor)).error).toBeUndefined();
  }
}

const source = fc.constantFrom(...IMPORT_SOURCES);

/** Values that are likely where the products have a setting, and those that never are. */
const value = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('http', 'tcp', 'dns', 'ping', 'keyword', 'port', 'status', 1, 2, 4, 200, true),
  },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      'https://shop.example.com/',
      'https://a:b@c.example.com',
      'db.example.com:5432',
      'tcp://a.example.com:1',
      '[BODY] == pat(a*)',
      '$HOST',
    ),
  },
  { weight: 3, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
  { weight: 2, arbitrary: fc.oneof(fc.integer(), fc.double(), fc.constant(null)) },
  { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
  {
    weight: 1,
    arbitrary: fc.array(fc.record({ name: fc.string(), key: fc.string(), value: fc.string() }), {
      maxLength: 3,
    }),
  },
);

const FIELDS =
  'id name friendly_name pronounceable_name type monitor_type kind jobType url hostname port host uri interval timeout method headers body keyword keyword_value required_keyword request request_headers regions tags conditions alerts client dns assertions status parent retry maxretries accepted_statuscodes expected_status_codes custom_http_headers active enabled group frequency periodicity check slug uuid schedule grace __param_module __param_target query_name query_response toString __proto__'.split(
    ' ',
  );
const settings = fc.dictionary(fc.constantFrom(...FIELDS), value, { maxKeys: 20 });
const list = fc.array(
  fc.oneof({ weight: 9, arbitrary: settings }, { weight: 1, arbitrary: fc.jsonValue() }),
  { maxLength: 6 },
);

/** A file with the outer form of each source, and monitors of arbitrary settings. */
const document = fc.oneof(
  list,
  list.map((monitors) => ({ stat: 'ok', monitors })),
  list.map((monitorList) => ({ monitorList })),
  list.map((all) => ({
    data: all.map((attributes, id) => ({ id: String(id), type: 'monitor', attributes })),
  })),
  list.map((endpoints) => ({ endpoints, 'external-endpoints': endpoints, alerting: endpoints[0] })),
  list.map((checks) => ({ checks })),
  fc.tuple(list, fc.array(value)).map(([settings, targets]) => ({
    scrape_configs: [{ metrics_path: '/probe', static_configs: [{ targets, labels: settings[0] }] }],
    modules: Object.fromEntries(
      ['http', 'tcp', 'dns'].map((prober) => [
        prober,
        { ...Object(settings[1]), prober, [prober]: settings[0] },
      ]),
    ),
  })),
  list.map((sites) => ({ sites, workflowSchedule: sites[0] })),
  list.map((all) => ({ httpMonitors: all, tcpMonitors: all, dnsMonitors: all })),
  list.map((all) => Object.fromEntries(all.map((each, index) => [`m${index}`, each]))),
  fc.jsonValue(),
);

describe('every source reads a file as a plan of valid monitors or rejects it', () => {
  it('of any bytes', async () => {
    await fc.assert(fc.asyncProperty(source, fc.uint8Array({ maxLength: 200 }), expectPlanOrRejection), {
      numRuns: 100,
    });
  });

  it('of any JSON', async () => {
    const property = fc.asyncProperty(source, document, (each, content) =>
      expectPlanOrRejection(each, encode(JSON.stringify(content) ?? '')),
    );
    await fc.assert(property, { numRuns: 250 });
  });

  it('of any YAML', async () => {
    const property = fc.asyncProperty(source, document, (each, content) =>
      expectPlanOrRejection(each, encode(stringify(content) ?? '')),
    );
    await fc.assert(property, { numRuns: 100 });
  });

  it('of any number of files, also in a ConfigMap', async () => {
    const text = document.map((content) => stringify(content) ?? '');
    const file = fc.oneof(
      text,
      fc.array(text).map((texts) => texts.join('---\n')),
      text.map((config) => stringify({ kind: 'ConfigMap', data: { 'config.yaml': config } })),
    );
    const property = fc.asyncProperty(source, fc.array(file, { maxLength: 4 }), (each, files) =>
      expectPlanOrRejection(each, files.map(encode)),
    );
    await fc.assert(property, { numRuns: 100 });
  });

  it('of any text', async () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        'name,url,type',
        'Friendly Name,URL/IP,Type',
        'https://a.example.com/',
        'a: &a [*a]',
        '"',
      ),
    );
    const property = fc.asyncProperty(source, fc.array(line), (each, lines) =>
      expectPlanOrRejection(each, encode(lines.join('\n'))),
    );
    await fc.assert(property, { numRuns: 100 });
  });

  it('of a database with any damage', async () => {
    const row = { name: 'Shop', type: 'http', url: 'https://shop.example.com/' };
    const whole = await createKumaDatabase({ monitor: [row, row], tag: [{ name: 'a', color: 'b' }] });
    const damage = fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { minLength: 1, maxLength: 50 });
    const property = fc.asyncProperty(damage, fc.option(fc.nat(whole.length)), async (changes, length) => {
      const file = whole.slice(0, length ?? undefined);
      for (const [at, byte] of changes) file[at] = byte;
      await expectPlanOrRejection('uptime-kuma', file);
    });
    await fc.assert(property, { numRuns: 50 });
  });
});
