import { describe, expect, it } from 'vitest';
import { pathOn, readPagePath, safePagePath } from './page-paths';

describe('where a visitor returns to', () => {
  it.each([
    ['', ''],
    ['/', '/'],
    ['?lang=de', '?lang=de'],
    ['/history', '/history'],
    ['/history?month=2026-11&lang=de', '/history?month=2026-11&lang=de'],
    ['/incidents/inc_01kxk1j7c2e5x8q3n6w4r9t0zb', '/incidents/inc_01kxk1j7c2e5x8q3n6w4r9t0zb'],
    ['/search?q=a b&q=<c>', '/search?q=a+b&q=%3Cc%3E'],
    ['/history?a=1\r\nSet-Cookie: b=2', '/history?a=1%0D%0ASet-Cookie%3A+b%3D2'],
  ])('is %j on the page: %j', (given, path) => {
    expect(safePagePath(given)).toBe(path);
  });

  it.each([
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    '/history/../..',
    '/../../sign-in',
    '/history%2f..',
    '/history#x',
    '/history\r\nX: 1',
    '/monitors',
    'history',
    '/incidents/..',
    '/incidents/inc_1/..',
    '/access',
    '/access?to=/history',
    '/HISTORY',
    '/history/',
    '/toString',
    `/history?a=${'x'.repeat(1000)}`,
  ])('is the page itself instead of %j', (given) => {
    expect(safePagePath(given)).toBe('');
  });

  it.each([
    ['/status/acme', ''],
    ['/status/acme/history?lang=de', '/history?lang=de'],
    ['/status/acme/access?to=/history', '/history'],
    ['/status/acme/access?to=//evil.example', ''],
    ['/status/acme/access?to=/access', ''],
    ['/status/acme.example', ''],
    ['/status/other/history', ''],
  ])('is read from the request: %j is %j', (path, expected) => {
    expect(readPagePath({ url: `https://pharos.test${path}` }, { slug: 'acme' })).toBe(expected);
  });

  it.each([
    ['', '/status/acme', '/'],
    ['/history', '/status/acme/history', '/history'],
    ['?lang=de', '/status/acme?lang=de', '/?lang=de'],
  ])('%j is at %j on the host of the app, and at %j on that of the page', (path, onApp, onPage) => {
    const own = new Headers({ 'x-pharos-page-host': '1' });
    expect(pathOn({ headers: new Headers() }, { slug: 'acme' }, path)).toBe(onApp);
    expect(pathOn({ headers: own }, { slug: 'acme' }, path)).toBe(onPage);
  });
});
