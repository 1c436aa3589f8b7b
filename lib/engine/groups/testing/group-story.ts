import type { ProbeResult } from '@/lib/checks/result';
import { getMonitor } from '@/lib/domain/monitors/find-monitor';
import { beginStory, recordAsOwner } from '@/lib/engine/testing/story';
import type { Database } from '@/lib/platform/db/client';
import type { Monitor } from '@/lib/schemas/monitor';
import { judgeGroups } from '../judge-groups';

/** An organization with monitors that one result changes, and groups of them. */
export async function beginGroupStory(db: Database, options: Parameters<typeof beginStory>[1] = {}) {
  const story = await beginStory(db, options);
  const { services, clock, ctx } = story;
  return {
    ...story,
    addMember: (name: string, fields: object = {}): Promise<Monitor> =>
      story.addMonitor({ name, alertThreshold: 1, ...fields }),
    addMembers: async (count: number, fields: object = {}): Promise<string[]> => {
      const ids: string[] = [];
      for (let place = 0; place < count; place++) {
        const name = `Member ${place + 1}`;
        ids.push((await story.addMonitor({ name, alertThreshold: 1, ...fields })).id);
      }
      return ids;
    },
    addGroup: async (members: readonly string[], fields: object = {}): Promise<string> =>
      (await story.addMonitor({ name: 'Group', type: 'group', url: '', members, ...fields })).id,
    /** Records a result for each monitor that is named, in one batch, and judges the groups. */
    report: async (results: Readonly<Record<string, ProbeResult>>, { afterMs = 90_000 } = {}) => {
      clock.advance(afterMs);
      const taken = await story.take();
      await recordAsOwner(
        services,
        taken.flatMap((check) => {
          const result = results[check.monitor.id];
          return result === undefined ? [] : [{ check, startedAt: clock.now(), result }];
        }),
      );
      return judgeGroups(services);
    },
    judge: (): Promise<number> => judgeGroups(services),
    read: (id: string): Promise<Monitor> => getMonitor(ctx, id),
    status: async (id: string) => (await getMonitor(ctx, id)).status,
    /** The periods of a ledger that lasted, oldest first, with their starts as milliseconds since the story began. */
    ledger: async (id: string) => {
      const periods = await db.statusPeriod.findMany({
        where: { monitorId: id },
        orderBy: [{ from: 'asc' }, { id: 'asc' }],
      });
      return periods
        .filter(({ from, to }) => to === null || to > from)
        .map(({ state, from }) => ({ state, from: from.getTime() - START_MS }));
    },
    reason: async (id: string) => {
      const { why } = await db.statusPeriod.findFirstOrThrow({ where: { monitorId: id, to: null } });
      return why !== null && typeof why === 'object' && 'rule' in why ? why.rule : null;
    },
  };
}

const START_MS = new Date('2026-03-01T12:00:00.000Z').getTime();
