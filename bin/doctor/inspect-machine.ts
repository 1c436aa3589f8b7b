import { existsSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { formatBytes } from '@/lib/core/text';
import { readDescriptors } from '@/lib/engine/health/health';
import { startDeadline } from '@/lib/platform/net/deadline';
import { echo, IcmpUnavailableError } from '@/lib/platform/net/icmp/icmp-echo';
import { type DoctorFinding, ok, warning, wrong } from './finding';

const PING_MS = 2000;
/** For connections to PostgreSQL, visitors, and log files. */
const OTHER_DESCRIPTORS = 1000;
const GIGABYTE = 1e9;

/** The file system of DATA_DIR. */
export type Disk = { freeBytes: number; totalBytes: number };

/** Inspects what Pharos needs of this machine. `dataDir` is null where the database is elsewhere. */
export async function inspectMachine({
  dataDir,
  checkConcurrency,
}: {
  dataDir: string | null;
  checkConcurrency: number;
}): Promise<DoctorFinding[]> {
  const [ping, descriptors, disk] = await Promise.all([
    inspectPing(),
    readDescriptors(),
    dataDir === null ? null : readDisk(dataDir),
  ]);
  return [
    ping,
    ...(descriptors === null ? [] : [judgeDescriptorLimit(descriptors.limit, checkConcurrency)]),
    ...(disk === null || dataDir === null ? [] : [judgeDisk(disk, dataDir)]),
  ];
}

/** Whether monitors of type ping work here. */
async function inspectPing(): Promise<DoctorFinding> {
  const deadline = startDeadline(PING_MS);
  try {
    await echo('127.0.0.1', deadline.signal);
    return ok('ping', 'This user can ping.');
  } catch (error) {
    if (!(error instanceof IcmpUnavailableError)) {
      return warning(
        'ping',
        'This machine does not respond to its own ping.',
        'Check its firewall for ICMP.',
      );
    }
    const remedy =
      'Permit it with: sysctl -w net.ipv4.ping_group_range="0 2147483647", or install the program ping.';
    return warning('ping', `This user cannot open ICMP sockets: ${error.reason}.`, remedy);
  } finally {
    deadline.release();
  }
}

/** Each running check takes a descriptor. */
export function judgeDescriptorLimit(limit: number, checkConcurrency: number): DoctorFinding {
  const needed = checkConcurrency + OTHER_DESCRIPTORS;
  const message = `A process may open ${limit} files and connections.`;
  if (limit >= needed) return ok('descriptors', message);
  return warning(
    'descriptors',
    message,
    `Raise the limit to ${needed} or more (ulimit -n, LimitNOFILE), or lower CHECK_CONCURRENCY.`,
  );
}

/** Before the first start, the directory does not exist. */
async function readDisk(dataDir: string): Promise<Disk> {
  if (!existsSync(dataDir)) return readDisk(dirname(dataDir));
  const { bavail, blocks, bsize } = await statfs(dataDir);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
}

/** PostgreSQL stops when its disk is full. */
export function judgeDisk({ freeBytes, totalBytes }: Disk, dataDir: string): DoctorFinding {
  const free = `${formatBytes(freeBytes)} of ${formatBytes(totalBytes)} are free for ${dataDir}.`;
  const remedy = 'Free space, lower RAW_RETENTION_DAYS, or set DATA_DIR to a larger disk.';
  if (freeBytes < GIGABYTE) return wrong('disk', free, remedy);
  if (freeBytes < Math.min(5 * GIGABYTE, totalBytes / 10)) return warning('disk', free, remedy);
  return ok('disk', free);
}
