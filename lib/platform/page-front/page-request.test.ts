import { describe, expect, it } from 'vitest';
import { type RoutedRequest, readPageRequest } from './page-request';

function read(path: string, changes: Partial<RoutedRequest> = {}) {
  return readPageRequest({
    path,
    origin: 'http://pharos.test',
    isPageHost: false,
    acceptLanguage: undefined,
    ...changes,
  });
}

const keyOf = (path: string, changes?: Partial<RoutedRequest>) => read(path, changes)?.key;

describe('a page request', () => {
  it.each([
    ['/status/acme', '/status/acme', 'en'],
    ['/status/acme/history?lang=de', '/status/acme/history?lang=de', 'de'],
    ['/status/acme/incidents/inc_01jx', '/status/acme/incidents/inc_01jx', 'en'],
    ['/status/acme/status.json', '/status/acme/status.json', null],
    ['/status/acme/badge.svg?x=1&label=Shop', '/status/acme/badge.svg?label=Shop', null],
    ['/api/status-pages/public?slug=acme', '/api/status-pages/public?slug=acme', null],
  ])('%s becomes %s', (path, normalized, language) => {
    expect(read(path)).toMatchObject({ path: normalized, language, origin: 'http://pharos.test' });
  });

  it.each([
    '/',
    '/status',
    '/status/',
    '/status/ACME',
    '/status/acme/unknown',
    '/status/acme//history',
    '/status/../api/me',
    '/status/acme/../other',
    '/status/%61cme',
    '/statuses/acme',
    '/api/monitors',
    '/api/status-pages/public',
    '/api/status-pages/public?slug=',
    '/api/status-pages/public?slug=acme&x=1',
    '/api/status-pages/public?slug=a&slug=b',
    '/api/status-pages/public/?slug=acme',
    '*',
  ])('%s does not', (path) => {
    expect(read(path)).toBeNull();
  });

  it('has the same key for any order of and additions to the query', () => {
    const key = keyOf('/status/acme/history?lang=de&month=2026-03');
    expect(keyOf('/status/acme/history?month=2026-03&utm_source=x&lang=de&lang=fr')).toBe(key);
    expect(keyOf('/status/acme/history?lang=de')).not.toBe(key);
    expect(keyOf('/status/acme?x=1')).toBe(keyOf('/status/acme'));
    expect(keyOf('/status/acme/status.json?x=1')).toBe(keyOf('/status/acme/status.json'));
  });

  it.each([
    ['', 'lang=anything'],
    ['/history', 'lang=anything&page=2&page=3'],
    ['/history', 'page=anything'],
    ['/incidents/inc_01jx', 'id=1'],
    ['/embed', 'lang=de&theme=dark'],
    ['/feed.atom', 'lang=de'],
    ['/api/v2/summary.json', 'page=2'],
    ['/badge.svg', 'show=status&lang=de'],
  ])('has the key of /status/acme%s also with ?%s, which that does not read', (path, query) => {
    const acceptLanguage = 'fr';
    const key = keyOf(`/status/acme${path}`, { acceptLanguage });
    expect(keyOf(`/status/acme${path}?${query}`, { acceptLanguage })).toBe(key);
  });

  it('has one key for a language in its query, whatever the browser prefers', () => {
    const key = keyOf('/status/acme?lang=de', { acceptLanguage: 'fr' });
    expect(keyOf('/status/acme?lang=de', { acceptLanguage: 'en' })).toBe(key);
    expect(read('/status/acme?lang=de', { acceptLanguage: 'fr' })).toMatchObject({ language: 'de' });
  });

  it('has one key per language if it is translated', () => {
    const german = keyOf('/status/acme', { acceptLanguage: 'de-AT,en;q=0.5' });
    expect(keyOf('/status/acme', { acceptLanguage: 'de' })).toBe(german);
    expect(keyOf('/status/acme', { acceptLanguage: 'nl' })).toBe(keyOf('/status/acme'));
    expect(keyOf('/status/acme')).not.toBe(german);
    expect(keyOf('/status/acme/feed.atom', { acceptLanguage: 'de' })).toBe(keyOf('/status/acme/feed.atom'));
  });

  it('has one key per origin', () => {
    const own = { origin: 'http://status.acme.test', isPageHost: true };
    const keys = [keyOf('/status/acme'), keyOf('/status/acme', own), keyOf('/status/other', own)];
    expect(new Set(keys).size).toBe(3);
    expect(read('/status/acme', own)).toMatchObject({ isPageHost: true });
  });
});

it.each(['subscribe', 'confirm?token=x', 'unsubscribe?id=sub_1&token=x'])(
  'passes on /%s, which is for one visitor',
  (step) => {
    const origin = 'https://pharos.example.com';
    const path = `/status/acme/${step}`;
    expect(readPageRequest({ path, origin, isPageHost: false, acceptLanguage: undefined })).toBeNull();
  },
);
