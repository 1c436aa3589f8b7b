import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { listOperations, writeDocument } from '@/app/api/openapi.json/describe';
import { type ApiDocument, exampleOf, jsonSchema, refName } from '@/components/docs/openapi';
import { listEntries, operationId, readReference } from '@/components/docs/reference';
import { eventSchemas } from '@/lib/schemas/webhooks/events';

const baseUrl = 'https://pharos.test/api';
const document: ApiDocument = JSON.parse(await writeDocument({ serviceName: 'Pharos', baseUrl }));
const components = document.components?.schemas ?? {};
const reference = readReference(document, baseUrl);
const views = reference.groups.flatMap(({ operations }) => operations);
const operations = listOperations().map((operation) => ({
  ...operation,
  name: `${operation.method} ${operation.path}`,
  described: document.paths?.[operation.path]?.[operation.method],
}));

/** The samples of all operations in one language. */
function samplesIn(language: string): string[] {
  const texts = views.flatMap(({ samples }) => samples.filter((sample) => sample.language === language));
  expect(texts).toHaveLength(views.length);
  return texts.map(({ text }) => text);
}

describe('the API reference', () => {
  it('shows every operation of the document under a unique anchor', () => {
    expect(views.map(({ id }) => id).toSorted()).toEqual(
      operations.map(({ method, path }) => operationId(method, path)).toSorted(),
    );
    expect(new Set(views.map(({ id }) => id)).size).toBe(views.length);
    expect(operationId('get', '/monitors/{id}')).toBe('get-monitors-id');
  });

  it('finds every operation, event, object and field at a unique address', () => {
    const hrefs = listEntries(reference, []).map(({ href }) => href);
    expect(new Set(hrefs).size).toBe(hrefs.length);
    const shown = [...views, ...reference.events, ...reference.objects];
    expect(hrefs).toEqual(expect.arrayContaining(shown.map(({ href }) => href)));
    expect(hrefs).toContain('/docs/monitors#post-monitors-body-interval');
    expect(hrefs).toContain('/docs/objects#object-monitor-interval');
  });

  it('shows every event, and every object but bodies of requests, which their operation shows', () => {
    expect(reference.events.map(({ name }) => name)).toEqual([...Object.keys(eventSchemas), 'webhook.test']);
    const bodies = operations.flatMap(
      ({ described }) => refName(jsonSchema(described?.requestBody) ?? {}) ?? [],
    );
    const objects = reference.objects.map(({ name }) => name);
    expect([...new Set([...objects, ...bodies])].toSorted()).toEqual(Object.keys(components).toSorted());
    expect(objects).toContain('Monitor');
    expect(objects).not.toContain('CreateMonitor');
  });

  it.each(operations.filter(({ body }) => body))('shows a valid example request for $name', (operation) => {
    const parsed = operation.body?.safeParse(exampleOf(operation.described?.requestBody));
    expect(parsed?.error?.issues ?? []).toEqual([]);
  });

  it.each(Object.entries(eventSchemas))('shows a valid payload for %s', (kind, schema) => {
    const example = reference.events.find(({ name }) => name === kind)?.example ?? '';
    expect(schema.safeParse(JSON.parse(example)).error?.issues ?? []).toEqual([]);
  });

  it('shows valid curl commands', () => {
    const { status, stderr } = spawnSync('sh', ['-n'], {
      input: samplesIn('curl').join('\n'),
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('shows valid JavaScript', () => {
    const all = samplesIn('javascript')
      .map((text) => `{\n${text}\n}`)
      .join('\n');
    const args = ['--input-type=module', '--check'];
    const { status, stderr } = spawnSync(process.execPath, args, { input: all, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });

  const isPythonMissing = spawnSync('python3', ['--version']).status !== 0;
  it.skipIf(isPythonMissing)('shows valid Python (skipped without python3)', () => {
    const all = samplesIn('python').join('\n');
    const parse = 'import ast, sys; ast.parse(sys.stdin.read())';
    const { status, stderr } = spawnSync('python3', ['-c', parse], { input: all, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(status).toBe(0);
  });
});
