import { describe, expect, it } from 'vitest';
import { resolveHost } from './resolve-host';

const APP = 'pharos.test';
const acme = { id: 'sp_1', slug: 'acme' };
const other = { id: 'sp_2', slug: 'other' };
const domains = new Map([
  ['status.acme.test', acme],
  ['status.other.test', other],
]);
const findPage = (host: string) => domains.get(host) ?? null;

const app = (reason: string) => ({ to: 'app', reason });
const page = (path: string) => ({ to: 'page', reason: 'verified domain', page: acme, path });
const unknownHost = { to: 'notFound', reason: 'unknown host' };
const noPath = { to: 'notFound', reason: 'not a page path' };

describe('a request', () => {
  it.each([
    // host, path, with APP_URL, without
    [APP, '/', app('app host'), app('every host is the app')],
    [APP, '/api/monitors', app('app host'), app('every host is the app')],
    ['status.acme.test', '/', page('/status/acme'), page('/status/acme')],
    ['status.acme.test', '/history', page('/status/acme/history'), null],
    ['status.acme.test', '/incidents/inc_01jx', page('/status/acme/incidents/inc_01jx'), null],
    ['status.acme.test', '/status.json', page('/status/acme/status.json'), null],
    ['status.acme.test', '/feed.atom', page('/status/acme/feed.atom'), null],
    ['status.acme.test', '/feed.rss', page('/status/acme/feed.rss'), null],
    ['status.acme.test', '/api/v2/summary.json', page('/status/acme/api/v2/summary.json'), null],
    ['status.acme.test', '/badge.svg', page('/status/acme/badge.svg'), null],
    ['status.acme.test', '/embed', page('/status/acme/embed'), null],
    ['status.acme.test', '/status/acme', noPath, noPath],
    ['status.acme.test', '/status/other', noPath, noPath],
    ['status.acme.test', '/api/monitors', noPath, noPath],
    ['status.acme.test', '/api/health', noPath, noPath],
    ['status.acme.test', '/api/status-pages/public', noPath, noPath],
    ['status.acme.test', '/monitors', noPath, noPath],
    ['status.acme.test', '/manifest.webmanifest', noPath, noPath],
    ['status.acme.test', '/push-worker.js', noPath, noPath],
    ['status.acme.test', '/_next/static/chunks/main.js', noPath, noPath],
    ['status.acme.test', '/history/', noPath, noPath],
    ['status.acme.test', '//history', noPath, noPath],
    ['status.acme.test', '/%68istory', noPath, noPath],
    ['status.acme.test', '/incidents/../../api/me', noPath, noPath],
    ['status.acme.test', '/incidents/inc_1/more', noPath, noPath],
    ['status.acme.test', '/constructor', noPath, noPath],
    ['status.acme.test', '*', noPath, noPath],
    ['status.acme.test', '/api/live', app('liveness'), app('liveness')],
    ['unknown.test', '/api/live', app('liveness'), app('liveness')],
    ['worker.internal', '/api/inngest', app('Inngest call'), app('Inngest call')],
    ['worker.internal', '/api/inngest/probe-eu-west', app('Inngest call'), app('Inngest call')],
    ['worker.internal', '/api/inngestion', unknownHost, app('every host is the app')],
    ['status.acme.test', '/api/inngest', noPath, noPath],
    ['web', '/api/internal/tls-allowed', app('TLS check'), app('TLS check')],
    ['status.acme.test', '/api/internal/tls-allowed', noPath, noPath],
    ['unknown.test', '/', unknownHost, app('every host is the app')],
    ['unknown.test', '/status/acme', unknownHost, app('every host is the app')],
    ['127.0.0.1', '/api/health', unknownHost, app('every host is the app')],
    ['', '/', unknownHost, app('every host is the app')],
    ['acme.test', '/', unknownHost, app('every host is the app')],
    ['x.status.acme.test', '/', unknownHost, app('every host is the app')],
  ])('to %s%s', (host, path, withApp, without) => {
    expect(resolveHost(host, path, { appHost: APP, findPage })).toEqual(withApp);
    expect(resolveHost(host, path, { appHost: null, findPage })).toEqual(without ?? withApp);
  });

  it('to the app never shows a page, even if one has verified its host', () => {
    const hosts = { appHost: APP, findPage: () => other };
    expect(resolveHost(APP, '/', hosts)).toEqual(app('app host'));
  });
});
