import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasSystemd, isExposedAtMost, readUnit, verifyUnit } from './testing/systemd-unit';

const { text, settings } = readUnit('pharos-probe.service');
const MAX_EXPOSURE = 2;

describe('the systemd unit of a probe', () => {
  it('runs the program where docs/operate/probes.md installs it, and restarts it', () => {
    const guide = readFileSync(new URL('../../docs/operate/probes.md', import.meta.url), 'utf8');
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
    expect(verifyUnit(text)).toEqual({ status: 0, stderr: '' });
    const wrong = text.replace('ProtectClock=', 'ProtectMoon=');
    expect(verifyUnit(wrong).stderr).toContain("Unknown key 'ProtectMoon'");
  });

  it.skipIf(!hasSystemd)('exposes at most a fifth of what systemd can take away', () => {
    expect(isExposedAtMost(text, MAX_EXPOSURE)).toBe(true);
    expect(isExposedAtMost(text.replace(/^CapabilityBoundingSet=.*$/m, ''), MAX_EXPOSURE)).toBe(false);
  });
});
