import { describe, expect, it } from 'vitest';
import { runInRequest } from '@/lib/core/request-context';
import { createManualClock } from '@/lib/core/time/clock';
import { useSharedDatabase } from '@/lib/testing/database';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { exportAudit, listAudit } from './read-audit';
import { type AuditedAction, recordAudit } from './record-audit';

const START = new Date('2026-03-01T12:00:00.000Z');
const MINUTE = 60_000;
const database = useSharedDatabase();

async function begin() {
  const clock = createManualClock(START);
  const { ctx, userId, organizationId } = await createTestOrganization(
    createTestServices({ db: database.db, clock }),
  );
  const owner = { ...ctx, actor: { kind: 'user', userId, role: 'owner' } as const };
  return {
    owner,
    userId,
    organizationId,
    /** Records an action one minute after the previous one. */
    record: async (label: string, action: Partial<AuditedAction> & { by?: 'operator' } = {}) => {
      const { by, ...rest } = action;
      const actor = by ? ({ kind: by } as const) : owner.actor;
      const subject = { id: 'mon_1', label };
      await database.db.$transaction((tx) =>
        recordAudit(tx, { ...owner, actor }, { action: 'monitor.create', subject, ...rest }),
      );
      clock.advance(MINUTE);
    },
    names: async (filter: object) =>
      (await listAudit(owner, { limit: 50, ...filter })).items.map(({ subject }) => subject.name),
  };
}

async function readAll(parts: AsyncGenerator<string>): Promise<string[]> {
  const all = [];
  for await (const part of parts) all.push(part);
  return all;
}

describe('the audit log', () => {
  it('is filtered by action, actor, subject and time', async () => {
    const { record, names, userId } = await begin();
    await record('first');
    await record('second', { action: 'monitor.update' });
    await record('third', { by: 'operator' });
    await record('fourth', { subject: { id: 'mon_2', label: 'fourth' } });
    expect(await names({})).toEqual(['fourth', 'third', 'second', 'first']);
    expect(await names({ action: 'monitor.update' })).toEqual(['second']);
    expect(await names({ actor: 'operator' })).toEqual(['third']);
    expect(await names({ actor: userId })).toEqual(['fourth', 'second', 'first']);
    expect(await names({ subject: 'mon_2' })).toEqual(['fourth']);
    const at = (minutes: number) => new Date(START.getTime() + minutes * MINUTE);
    expect(await names({ since: at(1), until: at(3) })).toEqual(['third', 'second']);
    expect(await names({ since: at(1), until: at(3), actor: userId })).toEqual(['second']);
  });

  it('has pages that neither repeat nor skip entries of the same time', async () => {
    const { owner, organizationId } = await begin();
    const entries = Array.from({ length: 7 }, (_, index) => ({ id: 'mon_1', label: `${index}` }));
    await database.db.$transaction(async (tx) => {
      for (const subject of entries) await recordAudit(tx, owner, { action: 'monitor.create', subject });
    });
    const seen = [];
    let page = await listAudit(owner, { limit: 3 });
    seen.push(...page.items);
    while (page.next) {
      page = await listAudit(owner, { limit: 3, cursor: page.next });
      seen.push(...page.items);
    }
    expect(seen.map(({ subject }) => subject.name)).toEqual(['6', '5', '4', '3', '2', '1', '0']);
    expect(await database.db.auditEntry.count({ where: { organizationId } })).toBe(7);
  });

  it('names the request of an entry, as the log does, and finds what a request has changed', async () => {
    const { owner, record, names } = await begin();
    await runInRequest({ requestId: 'request-1' }, () => record('in a request'));
    await runInRequest({ requestId: 'request-2' }, () => record('in another'));
    await record('on the command line', { by: 'operator' });
    const { items } = await listAudit(owner, { limit: 50 });
    expect(items.map(({ requestId }) => requestId)).toEqual([null, 'request-2', 'request-1']);
    expect(await names({ requestId: 'request-1' })).toEqual(['in a request']);
    const [, part = ''] = await readAll(exportAudit(owner, { requestId: 'request-2' }));
    expect(part.split('\r\n').map((line) => line.split(',').at(-1))).toEqual(['request-2', '']);
  });

  it('omits changes without an effect', async () => {
    const { record, names } = await begin();
    await record('same', { action: 'monitor.update', before: { name: 'same' }, after: { name: 'same' } });
    expect(await names({})).toEqual([]);
  });
});

describe('the log as CSV', () => {
  it('is streamed in parts, complete and in order', async () => {
    const { owner, record } = await begin();
    for (const label of ['a', 'b', 'c', 'd', 'e']) await record(label);
    const parts = await readAll(exportAudit(owner, {}, { pageSize: 2 }));
    expect(parts).toHaveLength(4);
    const lines = parts.join('').split('\r\n');
    expect(lines[0]).toBe(
      'at,action,actor_kind,actor_id,actor,subject_id,subject,before,after,address,request_id',
    );
    expect(lines.slice(1, -1).map((line) => line.split(',')[6])).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect(lines.at(-1)).toBe('');
  });

  it('quotes cells with commas, quotes and line breaks', async () => {
    const { owner, record } = await begin();
    await record('a "b", c\nd', { before: { name: 'x' }, after: { name: 'a "b"' } });
    const [, part] = await readAll(exportAudit(owner, {}));
    expect(part).toContain(',"a ""b"", c\nd",');
    expect(part).toContain(',"{""name"":""x""}","{""name"":""a \\""b\\""""}",');
  });

  it.each(['=HYPERLINK("http://evil.example")', '+1+1', '-1+1', '@SUM(A1)', '\t=1+1', '\r=1+1'])(
    'prevents formula injection with %j',
    async (label) => {
      const { owner, record } = await begin();
      await record(label);
      const [, part = ''] = await readAll(exportAudit(owner, {}));
      const cell = /mon_1,("?)(.)(.)/s.exec(part);
      expect([cell?.[2], cell?.[3]]).toEqual(["'", label[0]]);
    },
  );

  it('is rejected before the first part', async () => {
    const { owner } = await begin();
    const viewer = { ...owner, actor: { ...owner.actor, role: 'viewer' as const } };
    expect(() => exportAudit(viewer, {})).toThrow('Your role is viewer');
  });
});
