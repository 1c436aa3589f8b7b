import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import { ANNOUNCEMENT_MARKS, STALE_MARK } from '../application';
import type { CapturedResponse } from '../captured-response';
import { PageCache, type Served } from '../page-cache';
import { gone, page, request, textOf } from '../testing/cache-story';
import type { VisitorCredentials } from './credentials';
import { createHeldPages } from './held-pages';
import { serveVisitor } from './private-pages';

const MINUTE = 60_000;
const PUBLIC = page('public text');
const refusal = { status: 404, headers: { 'x-pharos-private': 'sp_1' }, body: Buffer.from('refused') };
const admitted = (by: string, announcement = ''): CapturedResponse => ({
  status: 200,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-robots-tag': 'noindex, nofollow',
    'content-security-policy': "default-src 'none'",
    'x-pharos-private': 'sp_1',
    'x-pharos-admitted-by': by,
    // Of the visitor whom it is sent to.
    'access-control-allow-origin': '*',
    'x-request-id': 'request-1',
    ratelimit: '"default";r=299;t=60',
    'set-cookie': 'a=1',
    etag: '"tag"',
  },
  body: Buffer.from(`private text${announcement}`),
});
const failure = { status: 500, headers: {}, body: Buffer.from('failed') };

const NOBODY: VisitorCredentials = { token: null, pass: null, session: null, address: '203.0.113.1' };
const ADA = { ...NOBODY, pass: 'ada' };
const BOB = { ...NOBODY, pass: 'bob' };

/** An application with a page that is public, private to those with `ada` or a token, or unavailable. */
function begin() {
  const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
  const cache = new PageCache({ clock, maxBytes: 1_000_000 });
  const held = createHeldPages({ clock, maxBytes: 1_000_000 });
  cache.resume();
  let state: 'public' | 'private' | 'unavailable' = 'public';
  const sent = { shared: 0, own: 0 };
  /** Called before the application responds to a shared request. */
  let meanwhile = async () => {};
  const respondShared = async () => {
    sent.shared += 1;
    // What it read when it was asked, whatever happens until it responds.
    const response = { public: PUBLIC, private: refusal, unavailable: failure }[state];
    await null;
    await meanwhile();
    return response;
  };
  const respondTo = (credentials: VisitorCredentials): CapturedResponse => {
    sent.own += 1;
    if (state === 'unavailable') return failure;
    if (credentials.pass === 'ada') return admitted('pass');
    return credentials.token === 'feed' ? admitted('token') : refusal;
  };
  const visit = (credentials: VisitorCredentials): Promise<Served> => {
    const stored = cache.hit(request());
    if (stored) return Promise.resolve({ kind: 'stored', response: stored, isStale: false });
    return serveVisitor(request(), held, {
      credentials: () => credentials,
      askShared: () => cache.serve(request(), { name: 'visitor', send: respondShared }),
      askOwn: async () => respondTo(credentials),
    });
  };
  const hide = () => {
    state = 'private';
    for (const each of [cache, held]) each.apply(gone('sp_1'));
  };
  return {
    clock,
    held,
    hide,
    visit,
    see: async (credentials: VisitorCredentials) => textOf(await visit(credentials)),
    asked: () => sent,
    become: (next: typeof state) => {
      state = next;
    },
    whileAsked: (action: () => Promise<void>) => {
      meanwhile = async () => {
        meanwhile = async () => {};
        await action();
      };
    },
  };
}

describe('a page that is made private', () => {
  it.each([
    ['a miss', async () => {}],
    ['a hit', async (story: Story) => void (await story.see(NOBODY))],
    [
      'stale',
      async (story: Story) => {
        await story.see(NOBODY);
        story.clock.advance(30_000);
      },
    ],
    [
      'too old to be served',
      async (story: Story) => {
        await story.see(NOBODY);
        story.clock.advance(10 * MINUTE);
      },
    ],
  ])('while its copy is %s, is shown to nobody else', async (_, prepare: (story: Story) => Promise<void>) => {
    const story = begin();
    await prepare(story);
    story.hide();
    expect(await story.see(NOBODY)).toBe('own refused');
    expect(await story.see(BOB)).toBe('own refused');
    expect(await story.see(ADA)).toBe('own private text');
    expect(await story.see({ ...NOBODY, token: 'feed' })).toBe('own private text');
    // Nothing of this is stored for others.
    expect(await story.see(NOBODY)).toBe('own refused');
  });

  it.each([
    ['a miss', 0],
    ['a refresh', 30_000],
    ['a read that visitors wait for', 10 * MINUTE],
  ])('while %s is in flight, is not stored as it was', async (_, ms) => {
    const story = begin();
    if (ms > 0) {
      await story.see(NOBODY);
      story.clock.advance(ms);
    }
    let during: string | undefined;
    const inFlight = new Promise<void>((resolve) => {
      story.whileAsked(async () => {
        story.hide();
        during = await story.see(NOBODY);
        resolve();
      });
    });
    // Anyone who came before the change may see what was public then.
    await story.visit(NOBODY);
    await inFlight;
    expect(during).toBe('own refused');
    expect(await story.see(NOBODY)).toBe('own refused');
    expect(await story.see(ADA)).toBe('own private text');
  });
});

describe('while the application does not respond', () => {
  it('those who were admitted within ten minutes see the page, and nobody else', async () => {
    const story = begin();
    story.hide();
    await story.see(ADA);
    story.become('unavailable');
    story.clock.advance(10 * MINUTE - 1);
    expect(await story.see(ADA)).toBe('own private text');
    for (const other of [NOBODY, BOB, { ...NOBODY, token: 'ada' }, { ...NOBODY, session: 'ada' }]) {
      expect(await story.see(other)).toBe('own failed');
    }
    story.clock.advance(1);
    expect(await story.see(ADA)).toBe('own failed');
  });

  it('nobody sees a page without a held copy', async () => {
    const story = begin();
    story.hide();
    await story.see(NOBODY);
    story.become('unavailable');
    expect(await story.see(ADA)).toBe('own failed');
  });

  it('a change of who may see the page ends this at once', async () => {
    const story = begin();
    story.hide();
    await story.see(ADA);
    story.hide();
    story.become('unavailable');
    expect(await story.see(ADA)).toBe('own failed');
  });

  it('a credential verified before such a change is not remembered after it', async () => {
    const { held, hide } = begin();
    const begun = held.begin();
    hide();
    held.hold(request(), admitted('pass'), { credentials: ADA, begun });
    expect(held.has(request().key)).toBe(false);
  });
});

describe('what is held', () => {
  const setUp = () => {
    const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
    const held = createHeldPages({ clock, maxBytes: 1_000_000 });
    const hold = (key: string, response = admitted('pass')) =>
      held.hold(request(key), response, { credentials: ADA, begun: held.begin() });
    return { clock, hold, find: (key: string) => held.find(key, ADA), has: held.has };
  };

  it('has the headers of its content, and none of the visitor whom it was sent to', () => {
    const { hold, find } = setUp();
    hold('acme');
    expect(find('acme')?.headers).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
      'content-security-policy': "default-src 'none'",
      warning: '111 - "Revalidation Failed"',
    });
  });

  it('is dropped when a stored copy would be, even if its visitor was just admitted elsewhere', () => {
    const { clock, hold, find, has } = setUp();
    hold('acme/history');
    clock.advance(24 * 60 * MINUTE);
    hold('acme');
    expect(find('acme/history')).not.toBeNull();
    clock.advance(1);
    expect([find('acme/history'), has('acme/history')]).toEqual([null, false]);
    expect(find('acme')).not.toBeNull();
  });

  it('loses its announcement when that ends', () => {
    const { clock, hold, find } = setUp();
    const { start, end } = ANNOUNCEMENT_MARKS;
    hold('acme', admitted('pass', `${STALE_MARK}${start}2026-03-10T12:00:05.000Z">We move.${end}`));
    clock.advance(4999);
    expect(find('acme')?.body.toString()).toContain('We move.');
    clock.advance(1);
    expect(find('acme')?.body.toString()).not.toContain('We move.');
  });
});

it('visitors who wait for the same page send one request for everyone, and one each for themselves if it is private', async () => {
  const story = begin();
  story.hide();
  const seen = await Promise.all([NOBODY, ADA, BOB].map((visitor) => story.see(visitor)));
  expect(seen).toEqual(['own refused', 'own private text', 'own refused']);
  expect(story.asked()).toEqual({ shared: 1, own: 3 });
});

it('the credentials of a visitor are not read for a page that anyone may see', async () => {
  const held = createHeldPages({ clock: createManualClock(new Date(0)), maxBytes: 1000 });
  const served = await serveVisitor(request(), held, {
    credentials: () => expect.unreachable(),
    askShared: async () => ({ kind: 'own', response: PUBLIC }),
    askOwn: () => expect.unreachable(),
  });
  expect(textOf(served)).toBe('own public text');
});

it('what is held is bounded', () => {
  const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
  const held = createHeldPages({ clock, maxBytes: 100_000 });
  for (let each = 0; each < 1000; each++) {
    held.hold(request(`page-${each}`), admitted('pass'), { credentials: ADA, begun: held.begin() });
  }
  const kept = Array.from({ length: 1000 }, (_, each) => held.has(`page-${each}`)).filter(Boolean).length;
  expect(kept).toBeGreaterThan(10);
  expect(kept).toBeLessThan(50);
});

type Story = ReturnType<typeof begin>;
