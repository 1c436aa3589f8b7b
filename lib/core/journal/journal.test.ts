import { readFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { keepLog } from '@/lib/testing/kept-log';
import { JOURNAL_MESSAGES, type JournalEntry, MAX_LINES, startJournal, writeJournal } from './journal';

/** A journal with a clock that the test turns: `pass` also calls what is due. */
function begin() {
  const { log, lines } = keepLog();
  let now = 0;
  let due: { at: number; work: () => void }[] = [];
  const stop = startJournal(log, {
    now: () => now,
    later: (work, ms) => void due.push({ at: now + ms, work }),
  });
  onTestFinished(stop);
  const pass = (ms: number) => {
    now += ms;
    const ready = due.filter(({ at }) => at <= now);
    due = due.filter(({ at }) => at > now);
    for (const { work } of ready) work();
  };
  return { lines, pass, stop };
}

const changes = (count: number, to = 'down'): JournalEntry[] =>
  Array.from({ length: count }, (_, n) => ({
    message: 'status changed',
    id: `mon_${n}`,
    as: `operational → ${to}`,
    fields: { monitor: `mon_${n}`, to },
  }));

describe('the journal', () => {
  it('has a line for each thing that happened', () => {
    const { lines } = begin();
    writeJournal(changes(2));
    expect(lines()).toEqual([
      { level: 30, monitor: 'mon_0', to: 'down', msg: 'status changed' },
      { level: 30, monitor: 'mon_1', to: 'down', msg: 'status changed' },
    ]);
  });

  it('has one line with counts for thousands at once, in however many batches', () => {
    const { lines, pass } = begin();
    for (let batch = 0; batch < 10; batch++) writeJournal(changes(500));
    writeJournal(changes(3, 'degraded'));
    expect(lines()).toEqual([]);
    pass(1000);
    expect(lines()).toEqual([
      {
        level: 30,
        count: 5003,
        counts: { 'operational → down': 5000, 'operational → degraded': 3 },
        among: expect.arrayContaining(['mon_0', 'mon_19']),
        msg: 'status changed',
      },
    ]);
  });

  it('has at most so many lines of a second, and single ones again in the next', () => {
    const { lines, pass } = begin();
    for (let n = 0; n < MAX_LINES + 50; n++) writeJournal(changes(1));
    expect(lines()).toHaveLength(MAX_LINES);
    pass(1000);
    expect(lines().at(-1)).toMatchObject({ count: 50 });
    writeJournal(changes(1));
    expect(lines().at(-1)).toMatchObject({ monitor: 'mon_0' });
    expect(lines()).toHaveLength(MAX_LINES + 2);
  });

  it('lists a bounded number of kinds and IDs', () => {
    const { lines, pass } = begin();
    writeJournal(changes(MAX_LINES + 1).map((entry, n) => ({ ...entry, as: `kind ${n}` })));
    pass(1000);
    const [line] = lines();
    expect(Object.keys(line?.counts ?? {})).toHaveLength(21);
    expect(line).toMatchObject({ counts: { other: MAX_LINES + 1 - 20 } });
    expect(line?.among).toHaveLength(20);
  });

  it('logs what it counted when it stops, and nothing after that', () => {
    const { lines, stop } = begin();
    writeJournal(changes(MAX_LINES + 1));
    stop();
    writeJournal(changes(1));
    expect(lines()).toMatchObject([{ count: MAX_LINES + 1 }]);
  });

  it('is described in the guide, message by message', () => {
    const guide = readFileSync('docs/operate/monitoring.md', 'utf8');
    expect(JOURNAL_MESSAGES.filter((message) => !guide.includes(`| \`${message}\` |`))).toEqual([]);
  });
});
