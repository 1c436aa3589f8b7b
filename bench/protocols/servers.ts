import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

/** A real server, or why it cannot run here. */
export type RealServer = {
  /** Its name and version. */
  version: string;
  start(place: Place): Promise<Started>;
};

/** Where a server runs: an empty folder of its own, free ports, and a certificate for `localhost`. */
export type Place = { directory: string; ports: number[]; certificate: string };

export type Started = { stop(): Promise<void> };

/** Ports of loopback that are free, different from each other. */
export async function findPorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      return server;
    }),
  );
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Whether a program is installed. */
export const isInstalled = (path: string): boolean => existsSync(path);

/** The version that a program prints. */
export function versionOf(path: string, words: string[]): string {
  const found = execFileSync(path, words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return found.split('\n')[0]?.trim() ?? '';
}

/** Runs a program in the foreground until it is stopped. */
export function run(command: string, words: string[], { uid }: { uid?: number } = {}): Started {
  const child: ChildProcess = spawn(command, words, {
    stdio: 'ignore',
    ...(uid === undefined ? {} : { uid, gid: gidOf(uid) }),
  });
  return {
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
        setTimeout(() => child.kill('SIGKILL'), 5000).unref();
      }),
  };
}

/** The ID of a user of this machine. */
export function uidOf(user: string): number {
  return Number(execFileSync('id', ['-u', user], { encoding: 'utf8' }));
}

function gidOf(uid: number): number {
  return Number(execFileSync('id', ['-g', String(uid)], { encoding: 'utf8' }));
}

/** Creates a folder below another one, for a user if that is given. */
export function createFolder(parent: string, name: string, uid?: number): string {
  const folder = join(parent, name);
  mkdirSync(folder, { recursive: true });
  if (uid !== undefined) chownSync(folder, uid, gidOf(uid));
  return folder;
}

/** Copies a file for one user only. */
export function copyPrivate(from: string, to: string, uid: number): string {
  copyFileSync(from, to);
  chownSync(to, uid, gidOf(uid));
  chmodSync(to, 0o600);
  return to;
}

/** Writes a configuration file. */
export function configure(directory: string, name: string, lines: readonly string[]): string {
  const path = join(directory, name);
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}
