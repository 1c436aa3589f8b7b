import { describe, expect, it } from 'vitest';
import {
  beginMaintenance,
  createModel,
  endMaintenance,
  type Model,
  type ModelConfig,
  type ModelResult,
  pause,
  record,
  restart,
  tick,
} from './model';

const THREE = ['a', 'b', 'c'];
const config: ModelConfig = {
  regions: ['a'],
  interval: 60_000,
  timeout: 10_000,
  alertThreshold: 2,
  recoveryThreshold: 1,
};

const LETTERS = { '.': 'good', s: 'slow', x: 'failing' } as const;

/**
 * Results as text: a column per minute, a row per region, in the order in which the regions report, one second after another;
 * a space is no result.
 */
function run(rows: Record<string, string>, own: Partial<ModelConfig> = {}, from?: Model): Model {
  let model = from ?? createModel({ ...config, regions: Object.keys(rows), ...own }, 0);
  const results = Object.entries(rows).flatMap(([region, letters], index) =>
    [...letters].flatMap((letter, minute): ModelResult[] =>
      letter in LETTERS
        ? [
            {
              region,
              begunAt: minute * 60_000 + index * 1000,
              outcome: LETTERS[letter as keyof typeof LETTERS],
            },
          ]
        : [],
    ),
  );
  for (const result of results.sort((a, b) => a.begunAt - b.begunAt))
    model = record(model, result, result.begunAt + 100);
  return model;
}

/** The ledger as text: each state with the second of its begin. */
const ledger = ({ periods }: Model) => periods.map(({ state, at }) => `${state} ${at / 1000}`);

describe('one region', () => {
  it('is down after the threshold, from the first failed check', () => {
    expect(ledger(run({ a: '..xx.' }))).toEqual([
      'pending 0',
      'operational 0',
      'down 120',
      'operational 240',
    ]);
  });

  it('ignores fewer failures than the threshold', () => {
    expect(ledger(run({ a: '..x.x.' }))).toEqual(['pending 0', 'operational 0']);
  });

  it('recovers after the recovery threshold, from the first success', () => {
    expect(ledger(run({ a: 'xx.x..' }, { recoveryThreshold: 2 }))).toEqual([
      'pending 0',
      'down 0',
      'operational 240',
    ]);
  });

  it('is degraded when slow, which recovers from down and ends with fast results', () => {
    expect(ledger(run({ a: '.ss.' }))).toEqual([
      'pending 0',
      'operational 0',
      'degraded 60',
      'operational 180',
    ]);
    expect(ledger(run({ a: 'xxs' }))).toEqual(['pending 0', 'down 0', 'operational 120']);
    expect(ledger(run({ a: 'xxs' }, { alertThreshold: 1 }))).toEqual(['pending 0', 'down 0', 'degraded 120']);
  });
});

describe('three regions', () => {
  it('are down when two fail, from the second of the first failures', () => {
    expect(ledger(run({ a: '..xx', b: '..xx', c: '....' }))).toEqual([
      'pending 0',
      'operational 1',
      'down 121',
    ]);
  });

  it('never pass through degraded into or out of a total outage', () => {
    expect(ledger(run({ a: '..xx..', b: '..xx..', c: '..xx..' }))).toEqual([
      'pending 0',
      'operational 1',
      'down 121',
      'operational 241',
    ]);
  });

  it('are degraded when one alone keeps failing', () => {
    expect(ledger(run({ a: '....', b: '.xxx', c: '....' }))).toEqual([
      'pending 0',
      'operational 1',
      'degraded 61',
    ]);
  });

  it('are decided by none alone at birth, unless the others do not report', () => {
    expect(ledger(run({ a: 'x', b: '', c: '' }, { alertThreshold: 1 }))).toEqual(['pending 0']);
    expect(ledger(run({ a: 'xxx', b: '', c: '' }, { alertThreshold: 1 }))).toEqual(['pending 0', 'down 0']);
  });

  it('count without a region that lost its vote', () => {
    const model = run({ a: '.....xx', b: '.....xx', c: 'x' }, { alertThreshold: 2 });
    expect(Object.keys(model.votes)).toEqual(['a', 'b']);
    expect(ledger(model).at(-1)).toBe('down 301');
  });
});

// Seed 102: the model knows by the commit when a result arrived.
it('what follows a lost vote begins where known time does, give or take the time of a commit', () => {
  const model = run({ a: '.xx', b: '.......' });
  expect(ledger(model).slice(1)).toEqual(['operational 1', 'degraded 60', 'operational 180.1']);
  expect(model.periods.map(({ isBounded }) => isBounded ?? false)).toEqual([false, false, false, true]);
});

describe('silence', () => {
  const silent = tick(run({ a: '..xx' }), 400_000);

  it('is unknown from an interval after the last result, and the status stays', () => {
    expect(ledger(silent).slice(2)).toEqual(['down 120', 'unknown 240.1']);
    expect(silent.status).toBe('down');
  });

  it('ends with the next result; a verdict needs its full run again', () => {
    const once = record(silent, { region: 'a', begunAt: 420_000, outcome: 'failing' }, 420_100);
    expect(ledger(once).at(-1)).toBe('down 420');
    expect(once.votes.a).toMatchObject({ verdicts: [], failed: { count: 1 } });
    const good = record(once, { region: 'a', begunAt: 480_000, outcome: 'good' }, 480_100);
    expect(ledger(good).at(-1)).toBe('operational 480');
  });

  it('does not happen while the monitor is pending', () => {
    expect(ledger(tick(run({ a: 'x' }), 400_000))).toEqual(['pending 0']);
  });

  it('awaits all regions again', () => {
    const model = tick(run(Object.fromEntries(THREE.map((region) => [region, '..']))), 400_000);
    const one = record(model, { region: 'a', begunAt: 420_000, outcome: 'failing' }, 420_100);
    const two = record(one, { region: 'a', begunAt: 430_000, outcome: 'failing' }, 430_100);
    expect(ledger(two).at(-1)).toBe('operational 420');
  });
});

describe('what people do', () => {
  it('a pause resolves the incident; resuming starts at pending', () => {
    const down = run({ a: 'xx' });
    const resumed = restart(pause(down, 90_000), 150_000);
    expect(ledger(resumed)).toEqual(['pending 0', 'down 0', 'paused 90', 'pending 150']);
    expect(resumed.incidents).toMatchObject([{ status: 'resolved', resolvedAt: 90_000 }]);
    const again = run({ a: '   xx' }, {}, resumed);
    expect(again.incidents).toMatchObject([
      {},
      { severity: 'critical', startedAt: 180_000, resolvedAt: null },
    ]);
  });

  it('a change of what is probed keeps the incident open until it is operational', () => {
    const changed = restart(run({ a: 'xx' }), 90_000);
    expect(changed.incidents).toMatchObject([{ resolvedAt: null }]);
    expect(run({ a: '  .' }, {}, changed).incidents).toMatchObject([{ resolvedAt: 120_000 }]);
  });

  it('maintenance hides what happens, and its end announces it', () => {
    const hidden = run({ a: '  xx' }, {}, beginMaintenance(run({ a: '..' }), 90_000));
    expect(ledger(hidden)).toEqual(['pending 0', 'operational 0', 'maintenance 90']);
    expect(hidden.incidents).toEqual([]);
    const ended = endMaintenance(hidden, 200_000);
    expect(ledger(ended).at(-1)).toBe('down 200');
    expect(ended.incidents).toMatchObject([{ startedAt: 200_000, createdAt: 200_000 }]);
  });
});

describe('incidents', () => {
  it('follow the status from degraded over down to operational', () => {
    const degraded = run({ a: '....', b: '.xxx', c: '....' });
    expect(degraded.incidents).toMatchObject([
      { severity: 'minor', status: 'investigating', startedAt: 61_000 },
    ]);
    const down = run({ a: '    xx', b: '    xx', c: '    ..' }, {}, degraded);
    expect(down.incidents).toMatchObject([
      { severity: 'critical', status: 'investigating', startedAt: 61_000 },
    ]);
    const less = run({ a: '      ..', b: '      xx', c: '      ..' }, {}, down);
    expect(ledger(less).at(-1)).toMatch(/^degraded/);
    expect(less.incidents).toMatchObject([{ severity: 'critical', status: 'monitoring', resolvedAt: null }]);
    const up = run({ a: '        ..', b: '        ..', c: '        ..' }, {}, less);
    expect(up.incidents).toMatchObject([{ status: 'resolved', startedAt: 61_000 }]);
  });
});
