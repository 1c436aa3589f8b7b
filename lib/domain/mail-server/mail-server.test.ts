import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createLiveMail } from '@/lib/domain/context/live-mail';
import type { OrganizationContext } from '@/lib/domain/context/organization-context';
import { ROLES } from '@/lib/domain/context/permissions';
import { SEALED_COLUMNS } from '@/lib/domain/secrets/rotate-secrets';
import { parseEnvironment } from '@/lib/env';
import { mailServerSchema, mailServerUrl, showMailServer } from '@/lib/schemas/mail-server';
import { useTestDatabase } from '@/lib/testing/database';
import { type MailServer, startMailServer } from '@/lib/testing/mailbox';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import {
  changeMailServer,
  changeMailServerByOperator,
  completeUrl,
  type Installation,
  type InstallationContext,
  readMailServer,
} from './change-mail-server';
import { tryMailServer } from './try-mail-server';

const FROM = { name: 'Ops', address: 'ops@example.com' };
const SERVER = { url: 'smtps://ops:hunter2@mail.example.com:465/', from: FROM };

const database = useTestDatabase();
let server: MailServer;
let ctx: OrganizationContext;
let owner: OrganizationContext['actor'];

beforeAll(async () => {
  server = await startMailServer();
  const created = await createTestOrganization(createTestServices({ db: database.db }));
  owner = { kind: 'user', userId: created.userId, role: 'owner' };
  ctx = { ...created.ctx, actor: owner };
});
afterAll(() => server.close());
beforeEach(async () => {
  await database.db.mailServer.deleteMany();
});

/** The mail server as a process with these settings sees it. */
function openMail(settings: Record<string, string> = {}) {
  return createLiveMail(ctx, parseEnvironment(settings));
}

const begin = (installation: Partial<Installation> = {}): InstallationContext => ({
  ...ctx,
  installation: { signUp: 'invite', mail: openMail(), ...installation },
});

describe('the owner of the only organization', () => {
  it('sets the mail server, which is stored encrypted and used by every process', async () => {
    const other = openMail();
    await other.refresh();
    expect(other.isOn).toBe(false);
    await changeMailServer(begin(), SERVER);
    const row = await database.db.mailServer.findUniqueOrThrow({ where: { id: 1 } });
    expect(Buffer.from(row.urlSealed).toString('latin1')).not.toContain('hunter2');
    expect(SEALED_COLUMNS).toContainEqual(expect.objectContaining({ table: 'mail_server' }));
    await other.refresh();
    expect(other).toMatchObject({ isOn: true, smtp: SERVER });
    await changeMailServer(begin(), null);
    await other.refresh();
    expect(other).toMatchObject({ isOn: false, smtp: null });
  });

  it('leaves an entry in the audit log, without the password', async () => {
    await changeMailServer(begin(), SERVER);
    const entry = await database.db.auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });
    expect(entry).toMatchObject({ action: 'mail-server.change', subjectLabel: 'Mail server' });
    expect(entry.after).toMatchObject({ host: 'mail.example.com', user: 'ops', password: '(hidden)' });
    expect(JSON.stringify([entry.before, entry.after])).not.toContain('hunter2');
  });

  it('sees what is in use and who set it, without the password', async () => {
    const mail = openMail();
    await changeMailServer(begin(), SERVER);
    await mail.refresh();
    const state = await readMailServer(begin({ mail }));
    expect(state).toMatchObject({
      lock: null,
      server: { host: 'mail.example.com', port: 465, hasPassword: true },
    });
    expect(state.set?.by).toMatch(/@example\.com$/);
    expect(JSON.stringify(state)).not.toContain('hunter2');
  });

  it('needs the second factor again, if they have one', async () => {
    const stale = { ...begin(), actor: { ...owner, isFactorStale: true } as InstallationContext['actor'] };
    await expect(changeMailServer(stale, SERVER)).rejects.toThrow('Confirm your second factor first');
  });

  it('cannot override SMTP_URL, nor the sender of MAIL_FROM', async () => {
    const fixed = openMail({ SMTP_URL: 'smtp://127.0.0.1:25' });
    await changeMailServer(begin(), SERVER);
    await fixed.refresh();
    expect(fixed.smtp).toMatchObject({ url: 'smtp://127.0.0.1:25' });
    expect(await readMailServer(begin({ mail: fixed }))).toMatchObject({ lock: 'environment', set: null });
    await expect(changeMailServer(begin({ mail: fixed }), null)).rejects.toThrow('SMTP_URL is set');
    const sender = openMail({ MAIL_FROM: 'Status <status@example.com>' });
    await sender.refresh();
    expect(sender.smtp).toMatchObject({
      url: SERVER.url,
      from: { name: 'Status', address: 'status@example.com' },
    });
  });
});

describe('the mail server is closed', () => {
  it('to everyone else', async () => {
    for (const role of ROLES.filter((each) => each !== 'owner')) {
      const other = { ...begin(), actor: { kind: 'user', userId: 'usr_1', role } as const };
      await expect(readMailServer(other)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await expect(changeMailServer(other, SERVER)).rejects.toMatchObject({ code: 'FORBIDDEN' });
    }
    const key = { ...begin(), actor: { kind: 'key', keyId: 'key_1', scope: 'write' } as const };
    await expect(changeMailServer(key, SERVER)).rejects.toMatchObject({ code: 'FORBIDDEN' });
  });

  it('where strangers can sign up', async () => {
    await expect(changeMailServer(begin({ signUp: 'open' }), SERVER)).rejects.toMatchObject({
      code: 'FORBIDDEN',
    });
  });

  it('where there is another organization; the operator sets it there', async () => {
    const { organizationId } = await createTestOrganization(ctx);
    try {
      expect(await readMailServer(begin())).toMatchObject({ lock: 'shared' });
      await expect(changeMailServer(begin(), SERVER)).rejects.toMatchObject({ code: 'FORBIDDEN' });
      await changeMailServerByOperator(ctx, SERVER);
      expect(await database.db.mailServer.findFirst()).toMatchObject({ updatedBy: 'command line' });
    } finally {
      await database.db.organization.delete({ where: { id: organizationId } });
    }
  });
});

describe('a mail server that is tried', () => {
  const trial = { from: FROM, to: 'ada@example.com', serviceName: 'Pharos' };

  it('gets a test email', async () => {
    expect(await tryMailServer(ctx, { ...trial, url: server.url })).toBeNull();
    const { parsed } = await server.waitFor(({ to }) => to.includes('ada@example.com'));
    expect(parsed).toMatchObject({ subject: 'Test email from Pharos', from: FROM });
  });

  it('is refused with what it responds', async () => {
    const url = server.url.replace('//', '//pharos:wrong@');
    expect(await tryMailServer(ctx, { ...trial, url })).toContain('wrong password');
  });

  it('is not connected to where the target policy blocks its address', async () => {
    const strict = { ...ctx, targetPolicy: { mode: 'public', allowedCidrs: [] } as const };
    expect(await tryMailServer(strict, { ...trial, url: server.url })).toContain('not allowed');
    const metadata = await tryMailServer(ctx, { ...trial, url: 'smtp://169.254.169.254:25' });
    expect(metadata).toContain('not allowed');
  });
});

describe('a mail server that people enter', () => {
  const input = (rest: object) =>
    mailServerSchema.parse({
      host: 'mail.example.com',
      port: '587',
      security: 'starttls',
      from: 'ops@example.com',
      ...rest,
    });

  it('is shown as it was entered, whatever characters it has', () => {
    const typed = input({
      user: 'ops@example.com',
      password: 'a/b:c@d%e?#',
      host: '2001:db8::1',
      security: 'none',
      port: '25',
    });
    const url = mailServerUrl(typed);
    expect(decodeURIComponent(new URL(url).password)).toBe('a/b:c@d%e?#');
    expect(showMailServer(url, typed.from)).toEqual({
      host: '2001:db8::1',
      port: 25,
      security: 'none',
      user: 'ops@example.com',
      hasPassword: true,
      from: typed.from,
    });
    for (const security of ['tls', 'starttls', 'none']) {
      expect(showMailServer(mailServerUrl(input({ security })), FROM)).toMatchObject({ security });
    }
  });

  it('keeps the stored password only for the same server and user', () => {
    const stored = mailServerUrl(input({ user: 'ops', password: 'hunter2' }));
    expect(completeUrl(input({ user: 'ops' }), stored)).toContain('hunter2');
    for (const other of [
      { user: 'eve' },
      { user: 'ops', host: 'evil.test' },
      { user: 'ops', port: '2525' },
    ]) {
      expect(completeUrl(input(other), stored)).not.toContain('hunter2');
    }
    expect(completeUrl(input({ user: 'ops', password: 'new' }), stored)).not.toContain('hunter2');
  });

  it.each([
    [{ host: 'mail.example.com/inbox' }, 'host'],
    [{ host: '' }, 'host'],
    [{ port: '0' }, 'port'],
    [{ user: 'a\r\nb' }, 'user'],
    [{ from: 'nobody' }, 'from'],
  ])('%o is refused', (rest, path) => {
    const valid = { host: 'mail.example.com', port: '587', security: 'tls', from: 'a@example.com' };
    const parsed = mailServerSchema.safeParse({ ...valid, ...rest });
    expect(parsed.error?.issues[0]?.path).toEqual([path]);
  });
});
