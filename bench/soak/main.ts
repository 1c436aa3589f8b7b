import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { chooseOutput, conclude, count, log, readCount, readOptions } from '../playground';
import { formatReport, judge } from './report';
import { type Sample, takeSample } from './sample';
import { MINUTE_MS, OUTAGE_SHARE, SAMPLE_MS, type Setting } from './setting';
import { openWorld } from './world';

const USAGE = `usage: npm run test:soak [-- options]
  --monitors N    number of monitors (5000)
  --minutes N     minutes of real time (120)
  --cycle N       minutes from one outage of all targets to the next (10)
  --interval N    seconds between two checks of a monitor (60)
  --samples FILE  write each sample here as it is taken, a line of JSON each; with --report, read them from here
  --report        judge the samples of an earlier run, without a new one
  --out DIR       output directory (default: docs/benchmarks, only without other options)
`;

/** Hours of an installation whose targets all fail again and again: what it takes must not grow. Returns the exit code: 1 if it does. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const flags = { monitors: text, minutes: text, cycle: text, interval: text, samples: text, out: text };
  const given = readOptions(words, USAGE, { ...flags, report: { type: 'boolean' } });
  const setting = {
    monitors: readCount('monitors', given.monitors ?? 5000),
    minutes: readCount('minutes', given.minutes ?? 120),
    cycle: readCount('cycle', given.cycle ?? 10),
    interval: readCount('interval', given.interval ?? 60),
  };
  if (given.report && given.samples === undefined) throw new Error('--report: needs --samples FILE');
  const samples = given.report ? readSamples(given.samples ?? '') : await soak(setting, given.samples);
  const judged = judge(samples, setting);
  return conclude({
    name: 'soak',
    markdown: formatReport(judged, samples, setting),
    out: chooseOutput(given.out, words),
    broken: judged.broken,
  });
}

function readSamples(file: string): Sample[] {
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

async function soak(setting: Setting, file: string | undefined): Promise<Sample[]> {
  const { monitors, minutes, cycle } = setting;
  const world = await openWorld(setting);
  const samples: Sample[] = [];
  if (file !== undefined) writeFileSync(file, '');
  const startedAt = performance.now();
  let isFailing = false;
  for (let next = SAMPLE_MS; next < minutes * MINUTE_MS; next += SAMPLE_MS) {
    await Promise.race([delay(startedAt + next - performance.now()), world.ended]);
    const minute = (performance.now() - startedAt) / MINUTE_MS;
    // The first cycle is calm: everything becomes known.
    const shouldFail = minute >= cycle && (minute % cycle) / cycle < OUTAGE_SHARE;
    if (shouldFail !== isFailing) {
      isFailing = shouldFail;
      await world.targets.request(isFailing ? 'outage' : 'recovery');
      log(
        `minute ${minute.toFixed(1)}: ${isFailing ? `${count(monitors)} targets fail` : 'they respond again'}`,
      );
    }
    const sample = await takeSample(world, minute);
    samples.push(sample);
    if (file !== undefined) appendFileSync(file, `${JSON.stringify(sample)}\n`);
    if (samples.length % 6 === 0) log(JSON.stringify(sample));
  }
  await world.close();
  return samples;
}
