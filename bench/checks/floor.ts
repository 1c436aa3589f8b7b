import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '@/lib/core/ports';
import { cpuOfProcess, log } from '../playground';
import type { World } from './world';

const MAX_TARGETS = 5000;
/** More than hang, which fail at their timeout. */
const MAX_FAILURES = 0.05;

/** Exchanges of scripts/floor.mjs, and their CPU in milliseconds. */
type Reply = { checks: number; failed: number; cpuMs: number };

/** What Node.js itself needs for the checks of a world at the same rate: CPU milliseconds per check. */
export async function measureFloor(world: World, seconds: number): Promise<number> {
  const { checks, cpuMs } = await exchange(world, seconds, world.setting.type, world.urlOf);
  log(`  floor: ${(cpuMs / checks).toFixed(3)} ms per check`);
  return cpuMs / checks;
}

/** CPU milliseconds per check of blackbox_exporter at the same rate; null if it is not installed. */
export async function measureBlackbox(world: World, seconds: number): Promise<number | null> {
  if (spawnSync('blackbox_exporter', ['--version']).error) {
    log('blackbox_exporter is not installed; skipped');
    return null;
  }
  const directory = await mkdtemp(join(tmpdir(), 'pharos-blackbox-'));
  const config = join(directory, 'blackbox.yml');
  const modules = 'modules: {http_2xx: {prober: http, timeout: 30s, http: {preferred_ip_protocol: ip4}}}';
  await writeFile(config, `${modules}\n`);
  const address = `127.0.0.1:${await findFreePort()}`;
  const words = [`--config.file=${config}`, `--web.listen-address=${address}`, '--log.level=error'];
  const child = spawn('blackbox_exporter', words, { stdio: 'ignore' });
  const endWithUs = () => child.kill('SIGKILL');
  process.once('exit', endWithUs);
  try {
    await delay(START_MS);
    const { pid = 0 } = child;
    const cpuBefore = cpuOfProcess(pid);
    const urlOf = (number: number) =>
      `http://${address}/probe?module=http_2xx&target=${encodeURIComponent(world.urlOf(number))}`;
    const { checks } = await exchange(world, seconds, 'http', urlOf);
    return (cpuOfProcess(pid) - cpuBefore) / checks;
  } finally {
    process.off('exit', endWithUs);
    const exited = once(child, 'exit');
    child.kill();
    await exited;
    await rm(directory, { recursive: true });
  }
}

const START_MS = 1000;

async function exchange(
  { setting, floor }: World,
  seconds: number,
  type: World['setting']['type'],
  urlOf: World['urlOf'],
): Promise<Reply> {
  const { monitors, interval, timeout } = setting;
  const targets = Array.from({ length: Math.min(monitors, MAX_TARGETS) }, (_, number) => urlOf(number));
  const work = { type, targets, perSecond: monitors / interval, seconds, timeoutMs: timeout * 1000 };
  const reply = await floor.request<Reply>(work);
  const { checks, failed } = reply;
  if (failed > checks * MAX_FAILURES) throw new Error(`${failed} of ${checks} bare exchanges failed`);
  return reply;
}
