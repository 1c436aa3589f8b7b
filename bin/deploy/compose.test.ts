import { existsSync, readFileSync } from 'node:fs';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { parseEnvironment, VARIABLE_NAMES } from '@/lib/env';

const root = new URL('../../', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), 'utf8');
const compose: unknown = parse(read('compose.yaml'), { merge: true });

const service = z.looseObject({
  image: z.string(),
  build: z.string().optional(),
  command: z.array(z.string()).optional(),
  environment: z.record(z.string(), z.string()).default({}),
  volumes: z.array(z.string()).default([]),
  healthcheck: z.looseObject({ test: z.array(z.string()) }).optional(),
});
const { services, volumes } = z
  .looseObject({ services: z.record(z.string(), service), volumes: z.record(z.string(), z.null()) })
  .parse(compose);
const ours = Object.entries(services).filter(([, { build }]) => build !== undefined);

/** A text as Compose expands it, with every required variable set. */
const interpolate = (text: string, settings: Record<string, string>) =>
  text.replace(/\$\{(\w+)(?::[?-][^}]*)?\}/g, (_, name: string) => settings[name] ?? '');
const SETTINGS = {
  APP_URL: 'https://pharos.example.com',
  SECRET_KEY: 'ab'.repeat(32),
  POSTGRES_PASSWORD: 'cd'.repeat(32),
  INNGEST_EVENT_KEY: 'ef'.repeat(32),
  INNGEST_SIGNING_KEY: '01'.repeat(32),
};

describe('compose.yaml', () => {
  it('follows the Compose Specification', () => {
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats(ajv);
    const schema = JSON.parse(read('bin/deploy/testing/compose-spec.json'));
    const validate = ajv.compile({ ...schema, $schema: undefined });
    validate(compose);
    expect(validate.errors).toBeNull();
    expect(validate({ services: { web: { imag: 'pharos' } } }), 'the schema is in force').toBe(false);
  });

  it('gives our processes valid settings', () => {
    expect(ours.map(([name]) => name)).toEqual(['web', 'worker']);
    for (const [name, { environment, command }] of ours) {
      expect(Object.keys(environment).filter((variable) => !VARIABLE_NAMES.includes(variable))).toEqual([]);
      const values = Object.entries(environment).map(([key, value]) => [key, interpolate(value, SETTINGS)]);
      expect(parseEnvironment(Object.fromEntries(values))).toMatchObject({ APP_URL: SETTINGS.APP_URL });
      expect(command).toEqual([name]);
    }
  });

  it('requires exactly the settings that its example explains, and contains no secret', () => {
    const required = [...read('compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    const explained = [...read('docs/deploy/.env.example').matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect([...new Set(required)].toSorted()).toEqual(explained.toSorted());
  });

  it('has commands shown as docs/operate/containers.md runs them', () => {
    const { COMMAND_PREFIX = '' } = services.web?.environment ?? {};
    expect(read('docs/operate/containers.md')).toContain(`\n${COMMAND_PREFIX} org create `);
  });

  it('mounts only existing paths', () => {
    for (const [source = ''] of Object.values(services).flatMap((one) =>
      one.volumes.map((it) => it.split(':')),
    )) {
      if (source.startsWith('./')) expect(existsSync(new URL(source, root)), source).toBe(true);
      else expect(volumes).toHaveProperty(source);
    }
  });

  it('checks the health of every dependency, as the image does of our processes, and keeps the data of Inngest on disk', () => {
    for (const name of ['postgres', 'inngest', 'redis']) {
      expect(services[name]?.healthcheck?.test[0], name).toBe('CMD');
    }
    expect(services.redis?.command).toEqual(expect.arrayContaining(['--appendonly', 'yes']));
    expect(services.inngest?.environment.INNGEST_REDIS_URI).toBe('redis://redis:6379');
  });
});

it('the Caddyfile requests permission before it gets a certificate', () => {
  expect(read('docs/deploy/Caddyfile')).toMatch(/ask http:\/\/web:3000\/api\/internal\/tls-allowed\n/);
});
