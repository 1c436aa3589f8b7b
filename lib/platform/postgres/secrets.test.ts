import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartupError } from '@/lib/core/errors';
import { addSecretKey, forgetPreviousSecretKeys, readOrCreateSecrets, readSecrets } from './data-dir';

describe('secrets.json', () => {
  let directory: string;
  let path: string;

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'secrets-'));
    path = join(directory, 'secrets.json');
  });

  afterEach(() => rm(directory, { recursive: true, force: true }));

  it('is created once, only for its owner, and kept', async () => {
    expect(await readSecrets(directory)).toBeNull();
    const made = await readOrCreateSecrets(directory);
    expect(Buffer.from(made.secretKey, 'base64url')).toHaveLength(32);
    expect(made.postgresPassword).not.toBe(made.secretKey);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readOrCreateSecrets(directory)).toEqual(made);
    expect(await readSecrets(directory)).toEqual(made);
    expect(await readdir(directory)).toEqual(['secrets.json']);
  });

  it('gets missing secrets, and keeps fields that this version does not know', async () => {
    await writeFile(path, '{"postgresPassword":"kept","later":1}');
    const { postgresPassword, secretKey } = await readOrCreateSecrets(directory);
    expect(postgresPassword).toBe('kept');
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
      postgresPassword,
      secretKey,
      previousSecretKeys: [],
      later: 1,
    });
  });

  it('keeps previous secret keys until they are deleted', async () => {
    await writeFile(path, '{"postgresPassword":"kept","secretKey":"first","later":1}');
    await addSecretKey(directory);
    const { secretKey: second } = await readOrCreateSecrets(directory);
    await addSecretKey(directory);
    const third = await readOrCreateSecrets(directory);
    expect(new Set(['first', second, third.secretKey]).size).toBe(3);
    expect(third.previousSecretKeys).toEqual([second, 'first']);
    expect(await forgetPreviousSecretKeys(directory)).toBe(2);
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ ...third, previousSecretKeys: [], later: 1 });
  });

  it('is never replaced if damaged, because the data would be lost with the old secrets', async () => {
    await writeFile(path, '{"postgresPassw');
    await expect(readOrCreateSecrets(directory)).rejects.toThrow(StartupError);
    await expect(readOrCreateSecrets(directory)).rejects.toThrow(/damaged: restore it from a backup/);
    expect(await readFile(path, 'utf8')).toBe('{"postgresPassw');
  });
});
