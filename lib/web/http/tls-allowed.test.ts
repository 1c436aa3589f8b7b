import { describe, expect, it } from 'vitest';
import { isAppHost } from './address/request-address';
import { createTlsPermission } from './tls-allowed';

function setUp(served: string[] = ['status.acme.test']) {
  const asked: string[] = [];
  const question = createTlsPermission({
    appHost: 'pharos.example.com',
    isServed: async (domain) => {
      asked.push(domain);
      return served.includes(domain);
    },
  });
  return { asked, question };
}

describe('a certificate', () => {
  it('is allowed for the app and all served domains, in any notation', async () => {
    const { question } = setUp();
    for (const host of [
      'pharos.example.com',
      'PHAROS.example.com.',
      'status.acme.test',
      'Status.Acme.Test.',
    ]) {
      expect(await question(host)).toBe(true);
    }
    for (const host of [
      'other.test',
      'a.pharos.example.com',
      'acme.test',
      '',
      'localhost',
      '192.0.2.1',
      'a\0b',
    ]) {
      expect(await question(host)).toBe(false);
    }
  });

  it('is looked up once for a domain, and never for invalid ones', async () => {
    const { question, asked } = setUp();
    for (let round = 0; round < 3; round += 1) {
      await question('status.acme.test');
      await question('other.test');
      await question('<img onerror=…>.test');
    }
    expect(asked).toEqual(['status.acme.test', 'other.test']);
  });

  it('has limited lookups, while known domains are still allowed', async () => {
    const { question, asked } = setUp();
    await question('status.acme.test');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 500 }, (_, index) => question(`made-up-${index}.test`)),
    );
    const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(asked.length).toBeLessThanOrEqual(201);
    expect(refused[0]?.reason).toMatchObject({ code: 'RATE_LIMITED', headers: { 'Retry-After': '1' } });
    expect(await question('status.acme.test')).toBe(true);
  });
});

describe('the host of the app', () => {
  it.each([
    ['pharos.example.com', true],
    ['pharos.example.com:443', true],
    ['127.0.0.1:3000', true],
    ['[::1]:3000', true],
    ['localhost:3000', true],
    ['pharos_web:3000', true],
    ['status.acme.test', false],
    ['a.pharos.example.com', false],
    ['', false],
  ])('%s: %s', (host, isApp) => {
    expect(isAppHost(host, 'https://pharos.example.com')).toBe(isApp);
    expect(isAppHost(host, undefined)).toBe(true);
  });
});
