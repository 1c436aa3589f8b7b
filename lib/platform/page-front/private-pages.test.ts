import { describe, expect, it } from 'vitest';
import { createManualClock } from '@/lib/core/time/clock';
import type { CapturedResponse } from './captured-response';
import type { VisitorCredentials } from './credentials';
import { createHeldPages } from './held-pages';
import { createPageCache, type Served } from './page-cache';
import { serveVisitor } from './private-pages';
import { gone, page, request, textOf } from './testing/cache-story';

const MINUTE = 60_000;
const PUBLIC = page('public text');
const refusal = { status: 404, headers: { 'x-pharos-private': 'sp_1' }, body: Buffer.from('refused') };
const admitted = (by: string): CapturedResponse => ({
  status: 200,
  headers: { 'x-pharos-private': 'sp_1', 'x-pharos-admitted-by': by, 'cache-control': 'private, no-store' },
  body: Buffer.from('private text'),
});
const failure = { status: 500, headers: {}, body: Buffer.from('failed') };

const NOBODY: VisitorCredentials = { token: null, pass: null, session: null, address: '203.0.113.1' };
const ADA = { ...NOBODY, pass: 'ada' };
const BOB = { ...NOBODY, pass: 'bob' };

/** An application with a page that is public, private to those with `ada` or a token, or unavailable. */
function begin() {
  const clock = createManualClock(new Date('2026-03-10T12:00:00.000Z'));
  const cache = createPageCache({ clock, maxBytes: 1_000_000 });
  const held = createHeldPages({ clock, maxBytes: 1_000_000 });
  cache.resume();
  let state: 'public' | 'private' | 'unavailable' = 'public';
  /** Called before the application responds to a shared request. */
  let meanwhile = async () => {};
  const respondShared = async () => {
    // What it read when it was asked, whatever happens until it responds.
    const response = { public: PUBLIC, private: refusal, unavailable: failure }[state];
    await null;
    await meanwhile();
    return response;
  };
  const respondTo = (credentials: VisitorCredentials): CapturedResponse => {
    if (state === 'unavailable') return failure;
    if (credentials.pass === 'ada') return admitted('pass');
    return credentials.token === 'feed' ? admitted('token') : refusal;
  };
  const visit = (credentials: VisitorCredentials): Promise<Served> => {
    const stored = cache.hit(request());
    if (stored) return Promise.resolve({ kind: 'stored', response: stored, isStale: false });
    return serveVisitor(request(), held, {
      credentials,
      askShared: () => cache.serve(request(), respondShared),
      askOwn: async () => respondTo(credentials),
    });
  };
  const hide = () => {
    state = 'private';
    for (const each of [cache, held]) each.apply(gone('sp_1'));
  };
  return {
    ...{ clock, held, hide, visit },
    see: async (credentials: VisitorCredentials) => textOf(await visit(credentials)),
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
      const served = await story.visit(other);
      expect(served).toMatchObject({ kind: 'own', response: { status: 503 } });
      expect(textOf(served)).toBe('own failed');
    }
    story.clock.advance(1);
    expect(await story.visit(ADA)).toMatchObject({ response: { status: 503 } });
  });

  it('nobody sees a page of which nothing is held', async () => {
    const story = begin();
    story.hide();
    await story.see(NOBODY);
    story.become('unavailable');
    expect(await story.visit(ADA)).toMatchObject({ response: { status: 503 } });
  });

  it('a change of who may see the page ends this at once', async () => {
    const story = begin();
    story.hide();
    await story.see(ADA);
    story.hide();
    story.become('unavailable');
    expect(await story.visit(ADA)).toMatchObject({ response: { status: 503 } });
  });

  it('a credential verified before such a change is not remembered after it', async () => {
    const { held, hide } = begin();
    const begun = held.begin();
    hide();
    held.hold(request(), admitted('pass'), { credentials: ADA, begun });
    expect(held.has(request().key)).toBe(false);
  });
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
