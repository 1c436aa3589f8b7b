import { expect, it } from 'vitest';
import { nextLink } from './list-operation';

const NEXT = { at: new Date('2026-03-01T12:00:00.000Z'), tie: 2 };
const REQUEST = 'http://localhost:3000/api/monitors/mon_1/results?region=eu-west&cursor=old';

const linkOf = (headers: Record<string, string>, appUrl?: string) =>
  nextLink(new Request(REQUEST, { headers }), NEXT, appUrl).Link;

it('leads to the same list with another cursor, under APP_URL', () => {
  expect(linkOf({ host: 'evil.test' }, 'https://status.example.com')).toBe(
    '<https://status.example.com/api/monitors/mon_1/results?region=eu-west&cursor=MTc3MjM2NjQwMDAwMC4y>; rel="next"',
  );
});

it.each([
  [{ host: 'pharos.test:8080' }, 'http://pharos.test:8080'],
  [{ host: 'pharos.test', 'x-forwarded-proto': 'https' }, 'https://pharos.test'],
  [{ host: '"><script>' }, 'http://localhost:3000'],
  [{}, 'http://localhost:3000'],
])('without APP_URL keeps to the address that was called: %o', (headers, origin) => {
  expect(linkOf(headers)).toContain(`<${origin}/api/monitors/`);
});

it('is absent on the last page', () => {
  expect(nextLink(new Request(REQUEST), null, undefined)).toEqual({});
});
