import { expect, it } from 'vitest';
import {
  expectToRestart,
  IDLE,
  SILENT_MS,
  startSupervised,
  writeProgram,
} from './testing/supervised-program';

it('a process that is caught in an endless loop is killed and restarted, and the log shows why', () =>
  expectToRestart('endless', `process.on('SIGUSR2', () => { for (;;); }); ${IDLE}`, (pid) =>
    process.kill(pid, 'SIGUSR2'),
  ));

it('a process that is busy for less than that is left alone', async () => {
  const work = `setTimeout(() => { const end = Date.now() + ${SILENT_MS / 3}; while (Date.now() < end); }, 500);
    ${IDLE}`;
  const { lines, pid } = await startSupervised(await writeProgram('busy', work));
  const before = pid();
  await new Promise((resolve) => setTimeout(resolve, SILENT_MS + 1500));
  expect(pid()).toBe(before);
  expect(lines).toEqual([]);
});
