import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { hasSystemd, isExposedAtMost, readUnit, verifyUnit } from './testing/systemd-unit';

const { text, settings } = readUnit('pharos.service');
const guide = readFileSync(new URL('../../docs/operate/one-machine.md', import.meta.url), 'utf8');
const MAX_EXPOSURE = 2;

describe('the systemd unit of Pharos', () => {
  it('runs the checkout where docs/operate/one-machine.md puts it, as the user that it creates', () => {
    expect(settings.get('ExecStart')).toMatch(/^\/usr\/bin\/node bin\/pharos\.mjs start$/);
    expect(guide).toContain(`git clone`);
    expect(guide).toContain(` ${settings.get('WorkingDirectory')}\n`);
    expect(guide).toMatch(new RegExp(`useradd .*${settings.get('User')}\\n`));
    expect(guide).toContain(settings.get('EnvironmentFile')?.slice(1));
    expect(text).toContain(`DATA_DIR=/var/lib/${settings.get('StateDirectory')}\n`);
  });

  it('has commands shown that run as the service does, as the guide says', () => {
    const prefix = /"COMMAND_PREFIX=(.+)"/.exec(text)?.[1] ?? '';
    expect(guide).toContain(`\n${prefix} org list\n`);
    for (const part of [
      `--uid=${settings.get('User')} `,
      `--working-directory=${settings.get('WorkingDirectory')} `,
      `EnvironmentFile=${settings.get('EnvironmentFile')} `,
      `--setenv=DATA_DIR=/var/lib/${settings.get('StateDirectory')} `,
    ]) {
      expect(prefix).toContain(part);
    }
  });

  it('sends only the first process a signal, and gives it time to stop the others in order', () => {
    expect(settings.get('KillMode')).toBe('mixed');
    // Web, worker, and the three steps of PostgreSQL.
    expect(Number(settings.get('TimeoutStopSec'))).toBeGreaterThan(12 + 12 + 20 + 10 + 5);
    expect(settings.get('Restart')).toBe('always');
  });

  it.skipIf(!hasSystemd)('is valid for systemd', () => {
    expect(verifyUnit(text)).toEqual({ status: 0, stderr: '' });
  });

  it.skipIf(!hasSystemd)('exposes at most a fifth of what systemd can take away', () => {
    expect(isExposedAtMost(text, MAX_EXPOSURE)).toBe(true);
  });
});
