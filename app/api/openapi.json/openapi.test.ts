import { readdirSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Validator } from '@seriousme/openapi-schema-validator';
import { describe, expect, it } from 'vitest';
import { describeService, listOperations, ROUTES } from './describe';

const apiFolder = fileURLToPath(new URL('..', import.meta.url));
/** Paths of next-auth, unknown paths, the document itself, the CSV export, and a path for proxies only. */
const UNDOCUMENTED = [
  '/auth/{...nextauth}',
  '/{{...path}}',
  '/openapi.json',
  '/audit/export',
  '/internal/tls-allowed',
];

function walkRoutes(): string[] {
  return readdirSync(apiFolder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('route.ts'))
    .map((file) => `/${relative('.', dirname(file))}`.replaceAll('[', '{').replaceAll(']', '}'));
}

const document = await describeService({ serviceName: 'Pharos', baseUrl: 'https://pharos.test/api' });

describe('the OpenAPI document', () => {
  it('is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(JSON.parse(JSON.stringify(document)));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(validator.version).toBe('3.1');
  });

  it('covers every route below app/api', () => {
    expect(Object.keys(ROUTES).toSorted()).toEqual(
      walkRoutes()
        .filter((path) => !UNDOCUMENTED.includes(path))
        .toSorted(),
    );
    for (const path of Object.keys(ROUTES)) expect(document.paths?.[path], path).toBeDefined();
  });

  it('gives every operation a unique summary and a response schema', async () => {
    const operations = await listOperations();
    expect(new Set(operations.map(({ summary }) => summary)).size).toBe(operations.length);
    for (const { path, method, status } of operations) {
      const described = document.paths?.[path]?.[method]?.responses?.[String(status)];
      expect(described, `${method} ${path}`).toHaveProperty(['content', 'application/json', 'schema']);
    }
  });
});
