import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { defineProbe } from '../../probe/probe-command';
import { saveLogin } from '../connection';
import { registerLogin } from './login';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'pharos-login-'));
  vi.stubEnv('XDG_CONFIG_HOME', home);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true });
});

it('login does not take an empty PHAROS_URL or PHAROS_API_KEY, nor what is saved, for an answer', async () => {
  vi.stubEnv('PHAROS_URL', '');
  vi.stubEnv('PHAROS_API_KEY', '');
  await saveLogin({ url: 'http://127.0.0.1:9', key: 'ph_live_saved' });
  const program = new Command();
  registerLogin(program);
  await expect(program.parseAsync(['login'], { from: 'user' })).rejects.toThrow(
    /^where is Pharos\? Use --url/,
  );
});

it('a probe does not take an empty PHAROS_URL for an address', async () => {
  vi.stubEnv('PHAROS_URL', '');
  vi.stubEnv('PHAROS_PROBE_TOKEN', '');
  const probe = defineProbe(new Command().exitOverride().configureOutput({ writeErr: () => {} }));
  await expect(probe.parseAsync([], { from: 'user' })).rejects.toThrow(
    /'PHAROS_URL' is invalid\. It is required\./,
  );
});
