import { describe, expect, it } from 'vitest';
import type { Observations } from '../observations';
import { checkRun } from './index';
import { END, MINUTE, OUTAGE, perfectRun, START } from './testing/perfect-run';

const STATUSES = 'statuses follow the recorded results';
const INCIDENTS = 'one incident per outage';
const CHANGES = 'changes show in the ledger';
const DAYS = 'day bars are the integral of the ledger';
const SCREEN = 'the screen shows what the JSON shows';

const rulesBroken = (change: (run: Observations) => void): string[] => {
  const run = perfectRun();
  change(run);
  return [...new Set(checkRun(run).map(({ rule }) => rule))];
};

const only = <Value>([first]: Value[]): Value => {
  if (first === undefined) throw new Error('the run has none');
  return first;
};
const page = (run: Observations) => only(run.pages);
const today = (run: Observations) => only(only(page(run).json.monitors).days.slice(-1));
/** The results of a span of minutes. */
const resultsOf = ({ results }: Observations, from: number, to: number) =>
  results.filter(({ checkedAt }) => START + from * MINUTE <= checkedAt && checkedAt < START + to * MINUTE);

describe('the model of statuses', () => {
  it.each<[string, string, (run: Observations) => void]>([
    [
      'a down that one failure led to',
      STATUSES,
      (run) => {
        for (const result of resultsOf(run, 5.5, 10)) result.outcome = 'ok';
      },
    ],
    [
      'failures that led to nothing',
      STATUSES,
      (run) => {
        for (const result of resultsOf(run, 12, 13)) result.outcome = 'failed';
      },
    ],
    [
      'a recovery before the first success',
      STATUSES,
      (run) => {
        for (const result of resultsOf(run, 10, 10.5)) result.outcome = 'failed';
      },
    ],
    [
      'a period that does not begin with the first check of its run',
      STATUSES,
      (run) => {
        const moment = START + OUTAGE.from + 45_000;
        for (const transition of run.transitions) {
          if (transition.to === 'down') transition.at = moment;
          if (transition.endedAt === START + OUTAGE.from + 15_000) transition.endedAt = moment;
        }
      },
    ],
    [
      'a decision long after its results',
      STATUSES,
      (run) => {
        for (const transition of run.transitions)
          if (transition.to === 'down') transition.decidedAt += 150_000;
      },
    ],
    ['a silence that is not unknown', STATUSES, (run) => void run.results.splice(25, 8)],
    [
      'slow results that do not degrade',
      STATUSES,
      (run) => {
        for (const result of resultsOf(run, 12, 14)) result.responseTime = 7000;
      },
    ],
    ['an outage without its incident', INCIDENTS, (run) => void run.incidents.pop()],
    [
      'two incidents of one outage',
      INCIDENTS,
      (run) => void run.incidents.push({ ...only(run.incidents), id: 'inc_2' }),
    ],
    [
      'an incident of the wrong severity',
      INCIDENTS,
      (run) => {
        only(run.incidents).severity = 'minor';
      },
    ],
    [
      'an incident that is never resolved',
      INCIDENTS,
      (run) => {
        Object.assign(only(run.incidents), { status: 'investigating', resolvedAt: null });
      },
    ],
    [
      'an incident that begins with the alert',
      INCIDENTS,
      (run) => {
        only(run.incidents).startedAt += 30_000;
      },
    ],
    [
      'a pause without effect',
      CHANGES,
      (run) => {
        const at = START + 12 * MINUTE;
        only(run.monitors).changes.push({ kind: 'pause', from: at, to: at + 100, status: 200 });
      },
    ],
    [
      'a day bar that hides an outage',
      DAYS,
      (run) => {
        today(run).status = 'operational';
      },
    ],
    [
      'a day with another uptime than its ledger',
      DAYS,
      (run) => {
        today(run).uptimePercentage = 99;
      },
    ],
    [
      'a page with another uptime than the ledger',
      DAYS,
      (run) => {
        only(page(run).json.monitors).uptimePercentage = 100;
      },
    ],
    [
      'a bar that looks different on the screen',
      SCREEN,
      (run) => {
        page(run).html = page(run).html.replace('class=bad', 'class=slow');
      },
    ],
    [
      'an uptime that is different on the screen',
      SCREEN,
      (run) => {
        page(run).html = page(run).html.replace(/uptime">[\d.]+/, 'uptime">99.9');
      },
    ],
    [
      'a monitor that is missing on the screen',
      SCREEN,
      (run) => {
        page(run).html = '';
      },
    ],
  ])('finds %s', (_, rule, change) => {
    expect(rulesBroken(change)).toContain(rule);
  });

  // Seed 4385: the day was ten minutes long, and 64.98 % one request later something else.
  it('lets the screen be older than the JSON by as much as a page may be stale', () => {
    const drawn = (secondsBefore: number) =>
      rulesBroken((run) => {
        const known = END - 15_000 - secondsBefore * 1000;
        const share = (1 - (OUTAGE.to - OUTAGE.from) / known) * 100;
        page(run).html = page(run).html.replaceAll(/[\d.]+%/g, `${share.toFixed(2)}%`);
      });
    expect(drawn(100)).toEqual([]);
    expect(drawn(200)).toEqual([SCREEN]);
  });

  it('shows the results that led to the first difference', () => {
    const run = perfectRun();
    for (const result of resultsOf(run, 5.5, 10)) result.outcome = 'ok';
    const violation = checkRun(run).find(({ rule }) => rule === STATUSES);
    expect(violation?.message).toBe('down from 315.0 s, decided at 345.0 s instead of nothing');
    expect(violation?.history.at(-2)).toBe('checked 315.0 s, recorded 315.0 s: us-east failed');
  });

  it('lets a vote last as long as the lateness of a transaction may have made it', () => {
    // Recorded late: whether the votes of a gap of 90 s were lost depends on when the clock was read.
    const broken = rulesBroken((run) => {
      run.results.splice(25, 2);
      for (const result of run.results.slice(25, 26)) result.recordedAt += 8000;
    });
    expect(broken).not.toContain(STATUSES);
  });

  // Seed 67: of two models with the same periods, the one whose decision the ledger does not show was followed.
  it('knows that a region without a worker is silent before its vote expires, however long that lasts', () => {
    const run = perfectRun();
    const at = (minutes: number) => START + minutes * MINUTE;
    run.faults.push({ kind: 'region silent', object: 'us-east', from: at(12), to: at(19) });
    run.results = run.results.filter(({ checkedAt }) => checkedAt < at(12) || checkedAt >= at(19));
    only(run.transitions.slice(-1)).endedAt = at(12.25);
    const unknown = {
      from: 'operational',
      to: 'unknown',
      at: at(12.25),
      decidedAt: at(13),
      endedAt: at(19.25),
    };
    const known = { from: 'unknown', to: 'operational', at: at(19.25), decidedAt: at(19.25), endedAt: null };
    for (const period of [unknown, known]) run.transitions.push({ monitorId: 'mon_1', ...period });
    expect(checkRun(run).filter(({ rule }) => rule === STATUSES)).toEqual([]);
  });

  // Seed 4385: the result was stored while the edit waited for its lock.
  it('ignores a check that began before an edit, though its result was recorded after it', () => {
    const run = perfectRun();
    const check = START + 17.25 * MINUTE;
    const edited = check + 50;
    for (const result of resultsOf(run, 17.25, 17.5)) result.recordedAt = edited + 50;
    only(run.transitions.slice(-1)).endedAt = edited;
    const pending = { from: 'operational', to: 'pending', at: edited, decidedAt: edited };
    const operational = { from: 'pending', to: 'operational', at: check + 30_000, decidedAt: check + 30_000 };
    run.transitions.push(
      { monitorId: 'mon_1', ...pending, endedAt: operational.at },
      { monitorId: 'mon_1', ...operational, endedAt: null },
    );
    only(run.monitors).changes.push({ kind: 'edit', from: edited - 10, to: edited + 10, status: 200 });
    expect(checkRun(run).filter(({ rule }) => rule === STATUSES)).toEqual([]);
  });

  it('knows unknown time, and what people change', () => {
    const run = perfectRun();
    const last = only(run.transitions.slice(-1));
    const at = (minutes: number) => START + minutes * MINUTE;
    run.results = run.results.filter(({ checkedAt }) => checkedAt < at(12) || checkedAt >= at(16));
    last.endedAt = at(12.25);
    const period = (from: string, to: string, begin: number, end: number | null) => ({
      monitorId: 'mon_1',
      from,
      to,
      at: begin,
      decidedAt: begin + (to === 'unknown' ? 70_000 : 0),
      endedAt: end,
    });
    run.transitions.push(
      period('operational', 'unknown', at(12.25), at(16.25)),
      period('unknown', 'operational', at(16.25), at(17)),
      period('operational', 'pending', at(17), at(17.25)),
      period('pending', 'operational', at(17.25), null),
    );
    const rules = () => checkRun(run).map(({ rule }) => rule);
    expect(rules()).not.toContain(STATUSES);
    expect(rules()).toContain(CHANGES);
    only(run.monitors).changes.push({ kind: 'edit', from: at(17) - 100, to: at(17) + 100, status: 200 });
    expect(rules()).not.toContain(CHANGES);
  });
});
