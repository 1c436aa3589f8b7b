import { setTimeout as delay } from 'node:timers/promises';
import type { Send, Sent } from '../send.mjs';

/** What an attacker has: one free organization, and a person who can only read. */
export type Attacker = {
  apiKey: string;
  viewerCookie: string;
  origin: string;
  slug: string;
  hangingPort: number;
};

/** A request to repeat: first by all clients at once, then so many times per second, or as often as these clients get a response. */
export type Attack = { name: string; clients: number; perSecond: number; next(number: number): Sent };

/** Twice the limits: of the plan (120 requests per minute), and of an address that visits pages (300). */
const [API_RATE, PAGE_RATE] = [4, 10];

const repeated = (text: string, count: number) => text.repeat(count);
const PATTERN = `((((${repeated('a', 450)}){9}){9}){9})`;
const FOLDED = `(?i)${repeated('\\pL', 160)}`;
const LOOPS =
  '{% for a in (1..1000) %}{% for b in (1..1000) %}{% for c in (1..1000) %}{{ a }}{% endfor %}{% endfor %}{% endfor %}';
const matches = (target: string) => ({ source: 'body', comparison: 'matches', target });

/** Everything that once took more than its part of a web process, as requests of one organization. */
export function listAttacks({ apiKey, viewerCookie, origin, slug, hangingPort }: Attacker): Attack[] {
  const json = { 'content-type': 'application/json' };
  const keyed = { authorization: `Bearer ${apiKey}`, ...json };
  const viewing = { cookie: viewerCookie, origin, ...json };
  const url = 'http://127.0.0.1:9/';
  const monitor = (fields: object = {}) => ({ name: 'Attack', url, enabled: false, ...fields });
  const post = (path: string, body: object, headers: Record<string, string> = keyed): Sent => ({
    method: 'POST',
    path,
    headers,
    body: JSON.stringify(body),
  });
  const patterns = monitor({ assertions: Array(20).fill(matches(PATTERN)) });
  const folded = { monitors: Array(5).fill(monitor({ assertions: [matches(FOLDED)] })) };
  const plain = { monitors: Array.from({ length: 500 }, () => monitor()) };
  const template = { url, format: 'custom', template: LOOPS };
  const hanging = monitor({ url: `http://127.0.0.1:${hangingPort}/`, enabled: true, regions: ['us-east'] });
  const snapshot = { snapshot: repeated('x', 100_000) };
  const page = `/status/${slug}`;
  return [
    ...atRate(API_RATE, [
      { name: 'patterns that repeat', clients: 2, next: () => post('/api/monitors', patterns) },
      { name: 'patterns with classes', clients: 2, next: () => post('/api/monitors/bulk', folded) },
      {
        name: 'patterns of a viewer',
        clients: 2,
        next: () => post('/monitors/import/try', patterns, viewing),
      },
      { name: 'templates with loops', clients: 2, next: () => post('/api/webhooks', template) },
      { name: 'checks that hang', clients: 115, next: () => post('/api/monitors/test', hanging) },
      { name: 'bulks', clients: 2, next: () => post('/api/monitors/bulk', plain) },
      { name: 'false probes', clients: 2, next: () => post('/probe/v1/exchange', snapshot, json) },
    ]),
    ...atRate(PAGE_RATE, [
      { name: 'languages', clients: 4, next: (number) => ({ path: `${page}?lang=x${number}` }) },
      {
        name: 'pages of the history',
        clients: 4,
        next: (number) => ({ path: `${page}/history?page=${number}` }),
      },
      { name: 'searches', clients: 12, next: (number) => ({ path: `${page}/search?q=slow+${number}` }) },
      { name: 'feeds', clients: 4, next: (number) => ({ path: `${page}/feed.atom?x=${number}` }) },
      { name: 'documentation', clients: 2, next: (number) => ({ path: `/docs?x=${number}` }) },
      { name: 'sign-in pages', clients: 2, next: (number) => ({ path: `/sign-in?x=${number}` }) },
      { name: 'the API document', clients: 2, next: (number) => ({ path: `/api/openapi.json?x=${number}` }) },
    ]),
  ];
}

function atRate(perSecond: number, attacks: Omit<Attack, 'perSecond'>[]): Attack[] {
  return attacks.map((attack) => ({ ...attack, perSecond }));
}

/** Repeats an attack until `end` (milliseconds of `performance.now`); resolves to how often each status came. */
export async function carryOut(
  { clients, perSecond, next }: Attack,
  send: Send,
  end: number,
): Promise<Map<number, number>> {
  const statuses = new Map<number, number>();
  const begunAt = performance.now();
  let number = 0;
  const work = async () => {
    while (performance.now() < end) {
      number += 1;
      const own = number;
      const dueAt = begunAt + (Math.max(0, own - clients) * 1000) / perSecond;
      await delay(Math.max(0, Math.min(dueAt, end) - performance.now()));
      if (dueAt > end) return;
      const status = await send(next(own));
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: clients }, work));
  return statuses;
}
