import { afterEach, expect, it, vi } from 'vitest';
import { formatCommand } from './command-line';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

it('a command names the program of this installation, quoted for the shell', () => {
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue('/opt/pharos');
  expect(formatCommand('setup-link')).toBe('node /opt/pharos/bin/pharos.mjs setup-link');
  cwd.mockReturnValue("/home/ann/Ann's tools");
  expect(formatCommand('setup-link')).toBe(`node '/home/ann/Ann'\\''s tools/bin/pharos.mjs' setup-link`);
});

it('placeholders are filled, and quoted, or left to people', () => {
  vi.stubEnv('COMMAND_PREFIX', 'pharos');
  expect(formatCommand('user reset-password EMAIL')).toBe('pharos user reset-password EMAIL');
  const reset = (email: string) => formatCommand('user reset-password EMAIL', { values: { EMAIL: email } });
  expect(reset('ann+x@example.com')).toBe('pharos user reset-password ann+x@example.com');
  expect(reset('$(reboot)@example.com')).toBe(`pharos user reset-password '$(reboot)@example.com'`);
});

it('containers name how they are entered, also on public screens, which otherwise show no path', () => {
  vi.spyOn(process, 'cwd').mockReturnValue('/opt/pharos');
  expect(formatCommand('setup-link', { isPublic: true })).toBe('node bin/pharos.mjs setup-link');
  vi.stubEnv('COMMAND_PREFIX', 'docker compose exec web node bin/pharos.mjs');
  for (const isPublic of [false, true]) {
    expect(formatCommand('setup-link', { isPublic })).toBe(
      'docker compose exec web node bin/pharos.mjs setup-link',
    );
  }
});
