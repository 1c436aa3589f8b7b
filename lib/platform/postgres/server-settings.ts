import { createHash } from 'node:crypto';
import { statfs } from 'node:fs/promises';
import { type RunAs, runProgram } from './run-program';

/** Written into postgresql.conf when the cluster is made: a start for a small machine, the operator's to change. */
export const INITIAL_SETTINGS: Record<string, string> = {
  shared_buffers: '128MB',
  max_connections: '100',
  fsync: 'on',
  synchronous_commit: 'on',
  wal_compression: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
};

/**
 * The name that every process of the server of this data directory carries in its title, so that a later start can tell them from
 * those of other servers.
 */
export function nameCluster(directory: string): string {
  return `pharos-${createHash('sha256').update(directory).digest('hex').slice(0, 12)}`;
}

const SHARED_MEMORY_NEEDED = 128 * 1024 * 1024;

/** Containers often give /dev/shm 64 MB or nothing, where large parallel queries fail. */
async function isSharedMemoryUsable(runAs: RunAs): Promise<boolean> {
  const usage = await statfs('/dev/shm').catch(() => null);
  if (!usage || usage.bavail * usage.bsize < SHARED_MEMORY_NEEDED) return false;
  return (await runProgram('/bin/sh', ['-c', 'test -w /dev/shm'], runAs)).code === 0;
}

/** What must be set for parallel queries, and for initdb itself, where /dev/shm is too small or not writable. */
export async function chooseSharedMemory(runAs: RunAs): Promise<Record<string, string>> {
  if (process.platform !== 'linux' || (await isSharedMemoryUsable(runAs))) return {};
  return { dynamic_shared_memory_type: 'mmap' };
}

/** The arguments of `postgres`: what must be so whatever postgresql.conf says. */
export async function buildServerArguments(options: {
  directory: string;
  port: number;
  runAs: RunAs;
}): Promise<string[]> {
  const settings: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    port: String(options.port),
    unix_socket_directories: '',
    logging_collector: 'off',
    log_destination: 'stderr',
    cluster_name: nameCluster(options.directory),
    ...(await chooseSharedMemory(options.runAs)),
  };
  return [
    '-D',
    options.directory,
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ];
}
