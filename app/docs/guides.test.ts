import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseMarkdown } from '@/lib/core/formats/markdown';
import { RETRY_DELAYS } from '@/lib/domain/webhooks/retry-schedule';
import { PLANS } from '@/lib/plans/catalogue';
import { ERROR_STATUS } from '@/lib/web/http/problem';
import { editableProduct, WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';
import { readGuides, readReceivers } from './read-guides';

const folder = new URL('../../docs/api/', import.meta.url);
const guides = await readGuides('https://status.example.org');
const textOf = (id: string) => guides.find((section) => section.id === id)?.text ?? '';

describe('the guides of the API', () => {
  it('keep the anchors that the dashboard, older links and receivers use', () => {
    expect(guides.map(({ id }) => id)).toEqual([
      'authentication',
      'errors',
      'lists',
      'idempotency',
      'upserts-and-bulk',
      'rate-limits',
      'caching-and-concurrent-changes',
      'conventions',
      'clients',
      'creating-a-heartbeat',
      'calling-a-heartbeat',
      'when-a-heartbeat-is-late',
      'running-a-probe',
      'watching-probes',
      'custom-domains',
      'sections',
      'brand',
      'private-pages',
      'what-a-page-shows',
      'automatic-incidents',
      'uptime-and-bars',
      'history-and-search',
      'subscribers',
      'import-past-incidents',
      'feeds-and-badges',
      'receiving-webhooks',
      'webhook-formats',
      'one-message-for-many-monitors',
      'one-message-per-incident-and-status',
      'rules',
      'email-recipients',
      'custom-bodies',
      'verifying-webhooks',
    ]);
  });

  it('list every error code with its HTTP status', () => {
    const listed = [...textOf('errors').matchAll(/^- `([A-Z_]+)` \((\d+)\): /gm)];
    expect(Object.fromEntries(listed.map(([, code, status]) => [code, Number(status)]))).toEqual(
      ERROR_STATUS,
    );
  });

  it('list the rate limit of every plan', () => {
    const listed = [...textOf('rate-limits').matchAll(/^- (\w+): ([\d,]+)$/gm)];
    expect(
      listed.map(([, plan = '', rate = '']) => [plan.toLowerCase(), Number(rate.replace(',', ''))]),
    ).toEqual(Object.entries(PLANS).map(([plan, { requestsPerMinute }]) => [plan, requestsPerMinute]));
  });

  it('list the retry delays of deliveries', () => {
    const [, count, waits = ''] =
      /retried (\d+) times: (.+) after the previous failure/.exec(textOf('receiving-webhooks')) ?? [];
    const minutes = [...waits.matchAll(/(\d+) (minute|hour)/g)].map(
      ([, amount, unit]) => Number(amount) * (unit === 'hour' ? 60 : 1),
    );
    expect(Number(count)).toBe(RETRY_DELAYS.length);
    expect(minutes.map((each) => each * 60_000)).toEqual(RETRY_DELAYS);
  });

  it('list every webhook format once, and those whose messages are edited', () => {
    const listedIn = (id: string) => [...textOf(id).matchAll(/^- `(\w+)`: \S/gm)].map(([, name]) => name);
    expect(listedIn('webhook-formats').sort()).toEqual([...WEBHOOK_FORMATS].sort());
    expect(listedIn('one-message-per-incident-and-status')).toEqual(
      WEBHOOK_FORMATS.filter((format) => editableProduct(format, true) !== null),
    );
  });

  it('show the address of this service instead of the example', () => {
    expect(textOf('authentication')).toContain('curl https://status.example.org/api/me');
    expect(JSON.stringify(guides)).not.toContain('pharos.example.com');
  });

  it.each(guides)('use only light Markdown in $title', ({ text }) => {
    // A table, heading, image or link would appear as plain text.
    const prose = parseMarkdown(text).filter(({ kind }) => kind !== 'code');
    expect(prose.length).toBeGreaterThan(0);
    const words = JSON.stringify(prose);
    expect(words).not.toMatch(/\]\(|\*\*|\| |#{2,}/);
  });

  it('are listed in the README of the folder', () => {
    const index = readFileSync(new URL('README.md', folder), 'utf8');
    const links = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    expect(links).toHaveLength(8);
    for (const path of links) expect(existsSync(new URL(path, folder)), path).toBe(true);
  });

  it('include a receiver in every language', async () => {
    const receivers = await readReceivers();
    expect(receivers.map(({ language }) => language)).toEqual(['javascript', 'python', 'go']);
  });

  it('are in the container image with the guide, unlike the rest of docs', () => {
    const ignored = readFileSync(new URL('../../.dockerignore', import.meta.url), 'utf8').split('\n');
    expect(ignored).not.toContain('docs');
    expect(ignored).toEqual(
      expect.arrayContaining(['docs/*', '!docs/*.md', '!docs/operate', '!docs/api', '!docs/webhooks']),
    );
  });
});
