import { appendFile, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { keepLog } from '@/lib/testing/kept-log';
import { mountTinyDisk } from '@/lib/testing/tiny-disk';
import type { LateRecord } from './late-record';
import { createSegmentFiles } from './segments';
import { openSpool } from './spool';

let folder: string;
let places = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pharos-spool-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const place = () => join(folder, String(places++));
const { log } = keepLog();

const record = (n: number, message = 'responded with 503, expected 200 · ½ €'): LateRecord => ({
  process: 'p',
  offsetMs: 0,
  result: {
    id: `mon_${n}`,
    configVersion: 1,
    startedAt: n,
    outcome: 'failed',
    responseTime: 5,
    statusCode: 503,
    error: { code: 'status', message },
    phases: { dns: null, connect: 1, tls: null, firstByte: 2, transfer: 3 },
  },
});
const records = (from: number, count: number) => Array.from({ length: count }, (_, n) => record(from + n));
const open = (directory: string, maxBytes = 1_000_000, by = log) =>
  openSpool(createSegmentFiles(directory), { maxBytes, log: by });

/** Reads and settles all that a spool has. */
async function drain(spool: Awaited<ReturnType<typeof open>>) {
  const seen: number[] = [];
  for (let batch = await spool.read(7); batch.length > 0; batch = await spool.read(7)) {
    seen.push(...batch.map(({ result }) => result.startedAt));
    await spool.settle();
  }
  return seen;
}
const numbers = (from: number, count: number) => Array.from({ length: count }, (_, n) => from + n);

describe('a spool', () => {
  it('returns results in order, each until it is settled, and leaves no file but the current one', async () => {
    const directory = place();
    const spool = await open(directory, 16_000);
    for (let from = 0; from < 30; from += 3) await spool.add(records(from, 3));
    expect(spool.size()).toBe(30);
    expect(await spool.read(2)).toEqual(records(0, 2));
    expect(await spool.read(2)).toEqual(records(0, 2));
    expect(await drain(spool)).toEqual(numbers(0, 30));
    expect([spool.size(), spool.takeLost()]).toEqual([0, 0]);
    expect((await readdir(directory)).filter((name) => name.endsWith('.jsonl'))).toHaveLength(1);
  });

  it('keeps them over a restart, without repeating what was settled', async () => {
    const directory = place();
    const first = await open(directory);
    await Promise.all([first.add(records(0, 10)), first.add(records(10, 10))]);
    await first.read(5);
    await first.settle();
    // Not closed: it crashed.
    const second = await open(directory);
    expect(second.size()).toBe(15);
    await second.add(records(20, 2));
    expect(await drain(second)).toEqual(numbers(5, 17));
  });

  it('can be read by its user only', async () => {
    const directory = place();
    await (await open(directory)).add(records(0, 1));
    for (const name of await readdir(directory))
      expect((await stat(join(directory, name))).mode & 0o777).toBe(0o600);
    expect((await stat(directory)).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['its last line is cut off', (content: Buffer) => content.subarray(0, -40), numbers(0, 9)],
    ['a line is damaged', (content: Buffer) => content.fill(0xff, 320, 330), [0, ...numbers(2, 8)]],
    [
      'there is something else in it',
      (content: Buffer) => Buffer.concat([Buffer.from('{}\n'), content]),
      numbers(0, 10),
    ],
  ])('returns all other results if %s', async (_, damage, kept) => {
    const directory = place();
    await (await open(directory)).add(records(0, 10));
    const [name = ''] = (await readdir(directory)).filter((each) => each.endsWith('.jsonl'));
    await writeFile(join(directory, name), damage(await readFile(join(directory, name))));
    const spool = await open(directory);
    await spool.add(records(10, 1));
    expect(await drain(spool)).toEqual([...kept, 10]);
    expect([spool.size(), spool.takeLost()]).toEqual([0, 1]);
  });

  it('keeps no more bytes than it may, the newest ones, and counts the others', async () => {
    const directory = place();
    const { log: own, lines } = keepLog();
    const spool = await open(directory, 32_000, own);
    for (let from = 0; from < 500; from += 5) await spool.add(records(from, 5));
    const files = await readdir(directory);
    const sizes = await Promise.all(files.map(async (name) => (await stat(join(directory, name))).size));
    const total = sizes.reduce((sum, size) => sum + size);
    expect(total).toBeLessThan(33_000);
    expect(total).toBeGreaterThan(28_000);
    const lost = spool.takeLost();
    expect(lost + spool.size()).toBe(500);
    expect(await drain(spool)).toEqual(numbers(lost, 500 - lost));
    expect(lines().some(({ msg }) => String(msg).includes('gave up the oldest'))).toBe(true);
  });

  it('keeps as much in memory while the disk cannot be written, and logs that once', async () => {
    const directory = place();
    await appendFile(directory, 'this is a file');
    const { log: own, lines } = keepLog();
    const spool = await open(directory, 32_000, own);
    await spool.add(records(0, 10));
    await spool.add(records(10, 10));
    expect(await drain(spool)).toEqual(numbers(0, 20));
    for (let from = 0; from < 500; from += 5) await spool.add(records(from, 5));
    const lost = spool.takeLost();
    expect(lost).toBeGreaterThan(300);
    expect(await drain(spool)).toEqual(numbers(lost, 500 - lost));
    expect(lines().filter(({ msg }) => String(msg).includes('keeping them in memory'))).toHaveLength(1);
  });

  it('is of one process at a time', async () => {
    const directory = place();
    const spool = await open(directory);
    await spool.add(records(0, 3));
    // The parent of this process is another one that runs.
    await writeFile(join(directory, 'owner.pid'), String(process.ppid));
    const { log: own, lines } = keepLog();
    const other = await open(directory, 1_000_000, own);
    await other.add(records(3, 1));
    expect(await drain(other)).toEqual([3]);
    expect(JSON.stringify(lines())).toContain('give each its own with --spool');
    await spool.close();
    expect(await drain(await open(directory))).toEqual([0, 1, 2]);
  });

  it('continues on a disk that was full once there is space', async (context) => {
    const disk = await mountTinyDisk(2);
    if (disk === null) return context.skip('this process may not mount a disk');
    onTestFinished(disk.unmount);
    const { log: own, lines } = keepLog();
    const spool = await open(join(disk.directory, 'spool'), 1_000_000, own);
    await spool.add(records(0, 5));
    await disk.fill();
    for (let from = 5; from < 105; from += 5) await spool.add(records(from, 5));
    await disk.free();
    await spool.add(records(105, 5));
    expect(
      lines()
        .map(({ error }) => String(error))
        .join(' '),
    ).toContain('ENOSPC');
    const seen = await drain(spool);
    expect(seen.toSorted((a, b) => a - b)).toEqual(numbers(0, 110));
    expect(spool.takeLost()).toBeLessThanOrEqual(5);
  });
});
