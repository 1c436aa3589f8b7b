import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { childEnvironment } from '@/lib/env';
import { cpuOfProcess, residentMemory, root } from '../playground';

const SAMPLE_MS = 200;

/** What a command took: seconds, CPU milliseconds of its process, and its maximum resident memory in bytes. */
export type Run = { seconds: number; cpuMs: number; maxResident: number; output: Record<string, unknown> };

/** Runs a command as in production. Throws if it fails. */
export async function runCommand(words: string[], settings: Record<string, string>): Promise<Run> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [join(root, 'dist', 'pharos.mjs'), ...words], {
    cwd: root,
    env: childEnvironment({ ...settings, NODE_ENV: 'production' }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let stdout = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  let maxResident = 0;
  let cpuMs = 0;
  const timer = setInterval(() => {
    if (child.exitCode !== null || child.pid === undefined) return;
    maxResident = Math.max(maxResident, residentMemory(child.pid));
    cpuMs = cpuOfProcess(child.pid) || cpuMs;
  }, SAMPLE_MS);
  const [code] = await once(child, 'close');
  clearInterval(timer);
  if (code !== 0) throw new Error(`pharos ${words[0]} failed; see the lines above`);
  return { seconds: (performance.now() - startedAt) / 1000, cpuMs, maxResident, output: JSON.parse(stdout) };
}
