import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { formatSlowest, timePlaywright, timeVitest } from './slowest-files.mjs';

describe('the slowest files of a test run', () => {
  let directory: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'slowest-'));
  });
  afterEach(() => rm(directory, { recursive: true }));

  const write = async (report: object) => {
    const path = join(directory, 'report.json');
    await writeFile(path, JSON.stringify(report));
    return path;
  };

  it('are timed in a report of Vitest from the start of a file to its end', async () => {
    const path = await write({
      testResults: [
        { name: '/project/lib/a.test.ts', startTime: 1000, endTime: 3500 },
        { name: '/project/app/b.test.ts', startTime: 2000, endTime: 2010 },
      ],
    });
    expect(timeVitest(path, '/project')).toEqual([
      { file: 'lib/a.test.ts', seconds: 2.5 },
      { file: 'app/b.test.ts', seconds: 0.01 },
    ]);
  });

  it('are timed in a report of Playwright by all of their tests, nested ones and repetitions included', async () => {
    const spec = (...durations: number[]) => ({
      tests: [{ results: durations.map((duration) => ({ duration })) }],
    });
    const path = await write({
      suites: [
        {
          file: 'list.spec.ts',
          specs: [spec(1000), spec(500, 250)],
          suites: [{ file: 'list.spec.ts', specs: [spec(2000)] }],
        },
      ],
    });
    expect(timePlaywright(path)).toEqual([{ file: 'list.spec.ts', seconds: 3.75 }]);
  });

  it('are none without a report', () => {
    const path = join(directory, 'none.json');
    expect([timeVitest(path, '/'), timePlaywright(path), formatSlowest([])]).toEqual([[], [], '']);
  });

  it('are listed slowest first, ten of them', () => {
    const files = Array.from({ length: 12 }, (_, number) => ({ file: `${number}.test.ts`, seconds: number }));
    const lines = formatSlowest(files).split('\n');
    expect(lines).toHaveLength(10);
    expect([lines[0], lines[9]]).toEqual(['   11.0 s  11.test.ts', '    2.0 s  2.test.ts']);
  });
});
