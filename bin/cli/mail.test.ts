import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { callPharos } from './testing/call-pharos';

const database = useTestDatabase();
const SECRET_KEY = 'test secret key '.repeat(4);

it('pharos mail sets, shows and clears the mail server, never with its password', async () => {
  const { organizationId } = await createTestOrganization(createTestServices({ db: database.db }));
  const call = (...words: string[]) => callPharos(words, { DATABASE_URL: database.url, SECRET_KEY });
  const folder = await mkdtemp(join(tmpdir(), 'pharos-mail-'));
  const setTo = async (url: string) => {
    const file = join(folder, 'url');
    await writeFile(file, `${url}\n`);
    return call('mail', 'set', '--url-file', file);
  };
  const url = 'smtps://ops%40example.com:hunter2@mail.example.com';
  const set = await setTo(url);
  const server = {
    host: 'mail.example.com',
    port: 465,
    security: 'tls',
    user: 'ops@example.com',
    hasPassword: true,
    from: { name: 'Pharos', address: 'ops@example.com' },
  };
  expect(JSON.parse(set.stdout)).toEqual(server);
  const shown = await call('mail', 'show');
  expect(JSON.parse(shown.stdout)).toEqual({ setBy: 'database', server });
  expect(set.stdout + set.stderr + shown.stdout + shown.stderr).not.toContain('hunter2');
  const entry = await database.db.auditEntry.findFirstOrThrow({
    where: { organizationId },
    orderBy: { number: 'desc' },
  });
  expect(entry).toMatchObject({ action: 'mail-server.change', actorKind: 'operator' });
  const refused = await setTo('https://mail.example.com');
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringContaining('must be the URL of a mail server'),
  ]);
  const cleared = await call('mail', 'clear');
  expect(JSON.parse(cleared.stdout)).toEqual({ setBy: null });
  expect(JSON.parse((await call('mail', 'show')).stdout)).toEqual({ setBy: null, server: null });
  await rm(folder, { recursive: true });
});
