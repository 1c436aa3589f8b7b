import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';

const text = readFileSync(new URL('../../docs/deploy/pharos-probe.service', import.meta.url), 'utf8');
const settings = new Map(
  [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
);
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;
/** From 0 to 10, as `systemd-analyze security` measures it: 10 is a service without any of these settings. */
const MAX_EXPOSURE = 2;

/** Runs a command of systemd-analyze on a unit whose program exists. */
function analyze(unit: string, ...words: string[]) {
  const folder = mkdtempSync(join(tmpdir(), 'pharos-unit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'pharos-probe.service');
  writeFileSync(path, unit.replace(/^ExecStart=.*$/m, `ExecStart=${process.execPath}`));
  const { status, stderr } = spawnSync('systemd-analyze', [...words, path], { encoding: 'utf8' });
  return { status, stderr };
}

describe('the systemd unit of a probe', () => {
  it('runs the program where docs/deploy.md installs it, and restarts it', () => {
    const guide = readFileSync(new URL('../../docs/deploy.md', import.meta.url), 'utf8');
    const prefix = /--prefix (\S+)/.exec(guide)?.[1];
    expect(settings.get('ExecStart')).toBe(`${prefix}/bin/pharos-probe`);
    expect(guide).toContain(settings.get('EnvironmentFile'));
    expect(settings.get('Restart')).toBe('always');
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(8);
  });

  it('has a user of its own, writes only what it keeps for later, and may do nothing but ping', () => {
    expect(Object.fromEntries(settings)).toMatchObject({
      DynamicUser: 'yes',
      ProtectSystem: 'strict',
      StateDirectory: 'pharos-probe',
      StateDirectoryMode: '0700',
      NoNewPrivileges: 'yes',
      AmbientCapabilities: 'CAP_NET_RAW',
      CapabilityBoundingSet: 'CAP_NET_RAW',
    });
    expect(text).not.toMatch(/^(User|ReadWritePaths|MemoryDenyWriteExecute)=/m);
  });

  it.skipIf(!hasSystemd)('is valid for systemd, which notices a mistake', () => {
    const verify = ['verify', '--man=no', '--recursive-errors=no'];
    expect(analyze(text, ...verify)).toEqual({ status: 0, stderr: '' });
    const wrong = text.replace('ProtectClock=', 'ProtectMoon=');
    expect(analyze(wrong, ...verify).stderr).toContain("Unknown key 'ProtectMoon'");
  });

  it.skipIf(!hasSystemd)('exposes at most a fifth of what systemd can take away', () => {
    const review = ['security', '--offline=true', '--no-pager', `--threshold=${MAX_EXPOSURE * 10}`];
    expect(analyze(text, ...review).status).toBe(0);
    expect(analyze(text.replace(/^CapabilityBoundingSet=.*$/m, ''), ...review).status).not.toBe(0);
  });
});
