import { readdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import type { ApiDocument } from '@/components/docs/openapi';
import { METHODS } from '@/lib/web/http/route';
import { listOperations, ROUTES, writeDocument } from './describe';

const apiFolder = fileURLToPath(new URL('..', import.meta.url));
/** The paths of next-auth, and unknown paths; the document describes itself. */
const UNDOCUMENTED = ['/auth/{...nextauth}', '/{{...path}}', '/openapi.json'];

function walkRoutes(): string[] {
  return readdirSync(apiFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('route.ts'))
    .map((file) => `/${relative('.', dirname(file))}`.replaceAll('[', '{').replaceAll(']', '}'));
}

const text = await writeDocument({ serviceName: 'Pharos', baseUrl: 'https://pharos.test/api' });
const document: ApiDocument = JSON.parse(text);

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(text));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('has the address at which it is read, and no other', async () => {
    const [here, there] = ['https://a.test/api', 'http://b.test:4310/api'];
    for (const baseUrl of [here, there]) {
      const own = await writeDocument({ serviceName: 'Pharos', baseUrl });
      expect(JSON.parse(own)).toMatchObject({
        servers: [{ url: baseUrl }],
        info: { contact: { url: baseUrl.replace('/api', '/docs') } },
      });
      expect(own).not.toContain('.invalid');
    }
  });

  it('has the path of every route.ts below app/api, which exports the operations of that path and no others', async () => {
    const files = walkRoutes().filter((path) => !UNDOCUMENTED.includes(path));
    const listed = Object.keys(ROUTES);
    expect(
      listed.filter((path) => !files.includes(path)),
      'in an operations.ts, but in no folder',
    ).toEqual([]);
    for (const path of files) {
      expect(listed, `${path} is in no operations.ts that describe.ts lists`).toContain(path);
      const folder = path.replaceAll('{', '[').replaceAll('}', ']');
      const exported = await import(`${apiFolder}${folder}/route.ts`);
      for (const method of METHODS) {
        expect(exported[method], `${folder}/route.ts: ${method}`).toBe(ROUTES[path]?.[method]);
      }
      expect(document.paths?.[path], path).toBeDefined();
    }
  });

  it('gives every operation a unique summary and a response schema', () => {
    const operations = listOperations();
    expect(new Set(operations.map(({ summary }) => summary)).size).toBe(operations.length);
    for (const { path, method, status, contentType = 'application/json' } of operations) {
      const described = document.paths?.[path]?.[method]?.responses?.[String(status)];
      expect(described, `${method} ${path}`).toHaveProperty(
        contentType === 'none' ? 'description' : ['content', contentType, 'schema'],
      );
    }
  });
});
