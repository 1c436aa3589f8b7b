import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseEnvironment } from '@/lib/env';

it('traefik.yml sends requests to the port of Pharos, and none to a process that is starting', () => {
  const text = readFileSync(new URL('../../docs/deploy/traefik.yml', import.meta.url), 'utf8');
  const { http } = parse(text);
  const { PORT } = parseEnvironment({});
  expect(http.routers.pharos).toMatchObject({ service: 'pharos', rule: 'Host(`pharos.example.com`)' });
  expect(http.services.pharos.loadBalancer).toEqual({
    servers: [{ url: `http://127.0.0.1:${PORT}` }],
    healthCheck: { path: '/api/live?ready', interval: '5s', timeout: '2s' },
  });
});
