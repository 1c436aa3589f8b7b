import { describe, expect, it } from 'vitest';
import {
  createNetworkView,
  decideOutage,
  findSilentCanaries,
  isLoopbackHost,
  listProofs,
  mustHold,
  type NetworkProof,
  noteCounted,
  noteFailed,
  noteProof,
  noteReached,
  provenAt,
  recoveredAt,
  selectProofs,
  type Way,
} from './watcher-outage';

const MINUTE = 60_000;
const NOW = 100 * MINUTE;
const CANARY: NetworkProof = { id: '192.0.2.1', way: 'routed', isConfigured: true };
const LOOKUP: NetworkProof = { id: 'lookup', way: 'routed', isConfigured: false };
const GATEWAY: NetworkProof = { id: 'gateway', way: 'on-link eth0', isConfigured: false };

/** A view of these proofs, each with when it last worked and since when it is silent. */
function viewOf(...proofs: (NetworkProof & { worked?: number; silent?: number })[]) {
  const view = createNetworkView();
  listProofs(view, proofs, NOW);
  for (const { id, worked, silent } of proofs) {
    if (worked !== undefined) noteProof(view, { id, worked: true, askedAt: worked, at: worked });
    if (silent !== undefined) noteProof(view, { id, worked: false, askedAt: silent, at: silent });
  }
  return view;
}

const asked = (view: ReturnType<typeof viewOf>, way: Way) => {
  const { proofs, isCounting } = selectProofs(view, way, NOW);
  return { ids: proofs.map(({ id }) => id), isCounting };
};

describe('a proof', () => {
  it.each([
    ['worked within 10 minutes', { worked: NOW - 10 * MINUTE }, true],
    ['last worked longer ago', { worked: NOW - 10 * MINUTE - 1 }, false],
    ['never worked', { silent: NOW - MINUTE }, false],
    ['was never asked', {}, false],
    ['has just become silent', { worked: NOW - MINUTE, silent: NOW - 1 }, true],
  ])('that %s counts: %s', (_, seen, isCounting) => {
    expect(asked(viewOf({ ...CANARY, ...seen }), 'routed')).toEqual({ ids: [CANARY.id], isCounting });
  });

  it('that is silent while targets are reached is ignored, until it works again', () => {
    const view = viewOf({ ...CANARY, worked: NOW - 5 * MINUTE, silent: NOW - MINUTE });
    noteReached(view, 'on-link eth0', 'host', NOW);
    expect(asked(view, 'routed').isCounting, 'reached on another way').toBe(true);
    noteReached(view, 'routed', 'host', NOW - 31_000);
    expect(asked(view, 'routed').isCounting, 'silent for half a minute').toBe(true);
    noteReached(view, 'routed', 'host', NOW - 30_000);
    expect(asked(view, 'routed').isCounting).toBe(false);
    noteProof(view, { id: CANARY.id, worked: true, askedAt: NOW, at: NOW });
    expect(asked(view, 'routed').isCounting).toBe(true);
  });

  it('of a link says nothing of what is behind a gateway, unless an operator chose it and there is no other', () => {
    const worked = NOW - 1;
    expect(asked(viewOf({ ...GATEWAY, worked }), 'routed')).toEqual({ ids: [], isCounting: false });
    expect(asked(viewOf({ ...GATEWAY, worked }, { ...LOOKUP, worked }), 'routed').ids).toEqual(['lookup']);
    const chosen: NetworkProof = { ...GATEWAY, isConfigured: true };
    expect(asked(viewOf({ ...chosen, worked }), 'routed').ids).toEqual(['gateway']);
    expect(asked(viewOf({ ...chosen, worked }, { ...CANARY, worked }), 'routed').ids).toEqual([CANARY.id]);
  });

  it('behind a gateway decides about a link only if an operator chose it and the link has none', () => {
    const worked = NOW - 1;
    expect(asked(viewOf({ ...LOOKUP, worked }), 'on-link eth0').isCounting).toBe(false);
    expect(asked(viewOf({ ...CANARY, worked }), 'on-link eth0').ids).toEqual([CANARY.id]);
    expect(asked(viewOf({ ...CANARY, worked }, { ...GATEWAY, worked }), 'on-link eth0').ids).toEqual([
      'gateway',
    ]);
  });

  it('is remembered while it counts, also when its link has disappeared', () => {
    const view = viewOf({ ...GATEWAY, worked: NOW });
    listProofs(view, [LOOKUP], NOW + 10 * MINUTE);
    expect([...view.proofs.keys()]).toEqual(['gateway', 'lookup']);
    listProofs(view, [LOOKUP], NOW + 10 * MINUTE + 1);
    expect([...view.proofs.keys()]).toEqual(['lookup']);
  });
});

describe('when a way was last seen to work', () => {
  const question = (view: ReturnType<typeof viewOf>) => selectProofs(view, 'routed', NOW);

  it('is when a target was reached or a proof worked, whichever is later', () => {
    const view = viewOf({ ...CANARY, worked: NOW - 5 }, { ...LOOKUP, worked: NOW - 3 });
    expect(provenAt(view, question(view))).toBe(NOW - 3);
    noteReached(view, 'on-link eth0', 'host', NOW);
    expect(provenAt(view, question(view)), 'reached on another way').toBe(NOW - 3);
    noteReached(view, 'routed', 'host', NOW - 1);
    expect(provenAt(view, question(view))).toBe(NOW - 1);
  });

  it('is never if nothing was reached, and no proof has worked or is listed', () => {
    const view = viewOf(CANARY);
    expect(provenAt(view, question(view))).toBeNull();
    expect(provenAt(createNetworkView(), { way: 'routed', proofs: [CANARY], isCounting: true })).toBeNull();
  });

  it('is known to have been cut off until the last proof worked again', () => {
    const view = viewOf({ ...CANARY, worked: NOW - 5 }, { ...LOOKUP, worked: NOW - 3 });
    const proofs = { way: 'routed' as const, proofs: [CANARY, LOOKUP, GATEWAY], isCounting: true };
    expect(recoveredAt(view, proofs), 'none was ever silent').toBe(Number.NEGATIVE_INFINITY);
    const note = (id: string, worked: boolean, at: number) =>
      noteProof(view, { id, worked, askedAt: at, at });
    note(CANARY.id, false, NOW - 2);
    note(LOOKUP.id, false, NOW - 2);
    note(CANARY.id, true, NOW - 1);
    note(LOOKUP.id, true, NOW);
    note(CANARY.id, true, NOW + 1);
    expect(recoveredAt(view, proofs)).toBe(NOW);
    expect(recoveredAt(view, { ...proofs, proofs: [CANARY] })).toBe(NOW - 1);
  });
});

describe('NETWORK_CANARY', () => {
  it('that is silent while targets are reached is shown; a default proof is not', () => {
    const seen = { silent: NOW - MINUTE };
    const view = viewOf({ ...CANARY, ...seen }, { ...LOOKUP, ...seen });
    expect(findSilentCanaries(view)).toBeNull();
    noteReached(view, 'routed', 'host', NOW);
    expect(findSilentCanaries(view)).toEqual({ ids: [CANARY.id], since: NOW - MINUTE });
    noteProof(view, { id: CANARY.id, worked: true, askedAt: NOW, at: NOW });
    expect(findSilentCanaries(view)).toBeNull();
  });
});

describe('network failures', () => {
  const since = { startedAt: NOW, reachedSince: NOW };
  const decide = (view: ReturnType<typeof viewOf>, failedRounds: number, at = NOW + 1) =>
    decideOutage(view, { ...selectProofs(view, 'routed', NOW), ...since, failedRounds }, at);
  const counting = () => viewOf({ ...CANARY, worked: NOW - 1 }, { ...GATEWAY, worked: NOW - 1 });

  it('are an outage of the watcher once no counting proof has responded three times', () => {
    expect([0, 1, 2, 3].map((rounds) => decide(counting(), rounds))).toEqual([
      'undecided',
      'undecided',
      'undecided',
      'cut off',
    ]);
  });

  it('are not if a proof of that way works, or a target on it is reached since the first attempt', () => {
    const proven = counting();
    noteProof(proven, { id: CANARY.id, worked: true, askedAt: NOW, at: NOW });
    expect(decide(proven, 3)).toBe('works');
    const reached = counting();
    noteReached(reached, 'routed', 'host', NOW);
    expect(decide(reached, 3)).toBe('works');
  });

  it('are whatever works on another way, or worked before', () => {
    const view = counting();
    noteProof(view, { id: 'gateway', worked: true, askedAt: NOW, at: NOW });
    noteReached(view, 'on-link eth0', 'host', NOW);
    noteReached(view, 'routed', 'host', NOW - 1);
    expect(decide(view, 3)).toBe('cut off');
  });

  describe('without a counting proof', () => {
    const failing = (hosts: number, at = NOW) => {
      const view = viewOf();
      for (let host = 0; host < hosts; host++) noteFailed(view, 'routed', `host${host}.example`, at - host);
      return view;
    };

    it('are an outage if five hosts fail within ten seconds, and no host is reached', () => {
      expect(decide(failing(5), 0, NOW)).toBe('cut off');
      expect(decide(failing(4), 3, NOW)).toBe('undecided');
      expect(decide(failing(5, NOW - 10_000), 0, NOW)).toBe('undecided');
    });

    it('counts hosts, not failures', () => {
      const view = failing(4);
      noteFailed(view, 'routed', 'HOST0.example.', NOW);
      expect(decide(view, 0, NOW)).toBe('undecided');
    });

    it('are none within ten seconds of a reached host, which clears those before', () => {
      const view = failing(5);
      noteReached(view, 'routed', 'host', NOW - 10_000);
      for (let host = 0; host < 5; host++) noteFailed(view, 'routed', `host${host}.example`, NOW);
      expect(decide(view, 0, NOW)).toBe('undecided');
      expect(decide(view, 0, NOW + 1)).toBe('cut off');
      noteReached(view, 'routed', 'host', NOW - 10_001);
      expect(view.ways.get('routed')?.failedAt.size).toBe(0);
    });
  });

  it('are held, unless no proof counts and a failure of the host counted before', () => {
    const mustHoldNow = (view: ReturnType<typeof viewOf>) =>
      mustHold(view, selectProofs(view, 'routed', NOW), 'HOST.example.');
    for (const [view, expected] of [
      [viewOf(), false],
      [counting(), true],
    ] as const) {
      expect(mustHoldNow(view)).toBe(true);
      noteCounted(view, 'routed', 'host.example');
      expect(mustHoldNow(view)).toBe(expected);
      noteReached(view, 'routed', 'host.example', NOW);
      expect(mustHoldNow(view)).toBe(true);
    }
  });

  it('are kept once per host, however many checks fail', () => {
    const view = viewOf();
    for (let at = 0; at < 10_000; at++) noteFailed(view, 'routed', `host${at % 7}`, at);
    expect(view.ways.get('routed')?.failedAt.size).toBe(7);
  });
});

describe('isLoopbackHost', () => {
  it.each([
    'localhost',
    'a.localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '127.9.8.7',
    '::1',
    '[::1]',
    '0:0:0:0:0:0:0:1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '127.255.255.255',
    '::ffff:7fab:face',
  ])('recognizes %s', (host) => expect(isLoopbackHost(host)).toBe(true));

  it.each([
    'localhost.example',
    '128.0.0.1',
    '127.example',
    '::2',
    '::',
    'fe80::1',
    '1',
    '2001:db8::1',
    'a127.0.0.1',
    '127.0.0.1.example',
    '::10',
    'fe80::ffff:7f00:1',
    '::ffff:7f00:1.a',
  ])('treats %s as another host', (host) => expect(isLoopbackHost(host)).toBe(false));
});
