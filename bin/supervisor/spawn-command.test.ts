import { once } from 'node:events';
import { expect, it, onTestFinished, vi } from 'vitest';
import { formatLogsForPeople } from '../cli/observe/pretty-logs';
import { spawnCommand } from './spawn-command';

/** Writes the lines of a logger in two parts each, so that those of several processes alternate. */
const WRITE_IN_PARTS = `
  const lines = Array.from({ length: 20 }, (_, index) =>
    JSON.stringify({ level: 30, time: 0, pid: 1, hostname: 'h', name: process.argv[1], index, msg: 'hello' }));
  for (const line of [...lines, 'not JSON of ' + process.argv[1], process.env.LOG_FORMAT]) {
    process.stderr.write(line.slice(0, 9));
    await new Promise((resolve) => setTimeout(resolve, 2));
    process.stderr.write(line.slice(9) + '\\n');
  }
`;

it('lines of several processes stay whole if they are formatted', async () => {
  await formatLogsForPeople({ LOG_FORMAT: 'pretty' });
  const written: string[] = [];
  const stderr = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  onTestFinished(() => stderr.mockRestore());
  const names = ['web', 'worker'];
  const children = names.map((name) =>
    spawnCommand(['--input-type=module', '--eval', WRITE_IN_PARTS, name], { LOG_FORMAT: 'pretty' }),
  );
  await Promise.all(children.map((child) => once(child, 'close')));
  for (const name of names) {
    const lines = written.filter((line) => line.includes(`(${name})`));
    expect(lines).toHaveLength(20);
    for (const [index, line] of lines.entries()) {
      expect(line).toMatch(
        new RegExp(`^\\[..:..:..\\..{3}\\] INFO \\(${name}\\): hello {"index":${index}}\n$`),
      );
    }
    expect(written, 'of other programs').toContain(`not JSON of ${name}\n`);
  }
  expect(written.filter((line) => line === 'json\n')).toHaveLength(2);
});
