import { describe, expect, it } from 'vitest';
import { parseEnvironment } from '@/lib/env';
import { readInngestServer } from './inngest-server';
import { likelyOrigin } from './wake-worker';

const KEYS = { INNGEST_EVENT_KEY: 'e1', INNGEST_SIGNING_KEY: 'signkey-prod-abcd' };
const read = (source: Record<string, string>) => readInngestServer(parseEnvironment(source));

describe('what wakes the workers', () => {
  it.each([[{}], [{ INNGEST_DEV: '0' }], [{ INNGEST_BASE_URL: 'http://inngest:8288' }]])(
    'is the embedded driver with %o',
    (source) => {
      expect(read(source)).toBeNull();
    },
  );

  it('is Inngest Cloud with both keys, or a self-hosted server if its address is set', () => {
    expect(read(KEYS)).toMatchObject({ isDev: false, baseUrl: undefined, signingKey: 'signkey-prod-abcd' });
    expect(read({ ...KEYS, INNGEST_DEV: 'false', INNGEST_BASE_URL: 'http://inngest:8288' })).toMatchObject({
      isDev: false,
      baseUrl: 'http://inngest:8288',
    });
  });

  it('is a development server whenever INNGEST_DEV is set', () => {
    expect(read({ INNGEST_DEV: '1' })).toMatchObject({ isDev: true, baseUrl: 'http://localhost:8288' });
    expect(read({ ...KEYS, INNGEST_DEV: 'http://localhost:9999' })).toMatchObject({
      isDev: true,
      baseUrl: 'http://localhost:9999',
    });
  });
});

describe('the address of a worker without a configured one', () => {
  const cloud = { ...KEYS, APP_URL: 'https://pharos.example.com' };
  it.each([
    [
      'under a web process, at the public address',
      { ...cloud, WORKER_URL: 'http://localhost:3010' },
      'https://pharos.example.com',
    ],
    ['at its own port', cloud, 'http://localhost:3010'],
    [
      'next to an Inngest on the same machine, at the local address',
      {
        ...cloud,
        WORKER_URL: 'http://localhost:3010',
        INNGEST_BASE_URL: 'http://127.0.0.1:8288',
        PORT: '4000',
      },
      'http://localhost:4000',
    ],
  ])('%s', (_, source, origin) => {
    const environment = parseEnvironment(source);
    const server = readInngestServer(environment);
    expect(server && likelyOrigin({ ...environment, workerPort: 3010 }, server)).toBe(origin);
  });
});
