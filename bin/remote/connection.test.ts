import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { formatCommand } from '@/lib/command-line';
import { type ConnectionOptions, connect, saveLogin, withConnection } from './connection';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pharos-login-'));
  vi.stubEnv('XDG_CONFIG_HOME', home);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

const options = () => withConnection(new Command()).parse([], { from: 'user' }).opts<ConnectionOptions>();

it('an empty PHAROS_URL or PHAROS_API_KEY counts as not set', async () => {
  vi.stubEnv('PHAROS_URL', '');
  vi.stubEnv('PHAROS_API_KEY', '');
  await expect(connect(options())).rejects.toThrow(`where is Pharos? Run "${formatCommand('login')}"`);
  await saveLogin({ url: 'https://pharos.example', key: 'ph_live_saved' });
  expect(await connect(options())).toBeDefined();
  vi.stubEnv('PHAROS_URL', 'https://other.example');
  await expect(connect(options())).rejects.toThrow('you are logged in to https://pharos.example');
});

it.each([
  ['a line break', 'ph_live_sec\nret'],
  ['an ellipsis', 'ph_live_secret…'],
  ['a space', 'ph_live secret'],
])('a key with %s is refused, without showing it', async (_, key) => {
  const opened = connect({ url: 'https://pharos.example', key }).catch((error: Error) => error.message);
  expect(await opened).toMatch(/^the API key is not valid: /);
  expect(await opened).not.toContain('sec');
});
