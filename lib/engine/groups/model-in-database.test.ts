import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sized } from '@/bin/testing/thorough.mjs';
import { deleteMonitor, lockOwnStates, setMonitorsEnabled } from '@/lib/domain/monitors/change-selected';
import { switchPeriods } from '@/lib/domain/monitors/history/ledger';
import { updateMonitor } from '@/lib/domain/monitors/update-monitor';
import { beginMaintenance, endMaintenance } from '@/lib/engine/upkeep/run-maintenance-windows';
import type { PeriodState } from '@/lib/platform/db/generated/enums';
import { useTestDatabase } from '@/lib/testing/database';
import { sequences } from './testing/arbitrary-steps';
import { type Counted, GroupModel, lasting, type Rule, type Step } from './testing/group-model';
import { beginGroupStory } from './testing/group-story';

const database = useTestDatabase();
const STATES = { up: 'operational', degraded: 'degraded', down: 'down' } as const;
const COUNTED: Partial<Record<PeriodState, Counted>> = {
  operational: 'up',
  degraded: 'degraded',
  down: 'down',
};

type Story = Awaited<ReturnType<typeof beginGroupStory>>;

/** The steps of a sequence, carried out by those who do them in life. */
class Actors {
  private readonly away = new Map<number, 'pause' | 'begin window' | 'silence'>();

  constructor(
    private readonly story: Story,
    private readonly members: readonly string[],
    private readonly group: string,
    private readonly began: number,
  ) {}

  async take(step: Step, model: GroupModel): Promise<void> {
    this.story.clock.advance(step.after * 1000);
    await ('member' in step ? this.ofMember(step, model) : this.ofGroup(step));
    await this.story.judge();
  }

  private async ofMember(step: Step & { member: number }, model: GroupModel): Promise<void> {
    const { story, away } = this;
    const { member } = step;
    const id = this.members[member] ?? '';
    switch (step.do) {
      case 'change':
        return this.write(id, STATES[step.is], model.begins(member, step.begun));
      case 'silence':
      case 'pause':
      case 'begin window':
        away.set(member, step.do);
        if (step.do === 'silence') return this.write(id, 'unknown', model.now);
        if (step.do === 'pause') return void (await setMonitorsEnabled(story.ctx, [id], false));
        return database.db.$transaction((tx) => beginMaintenance(tx, story.services, [id]));
      case 'return':
        if (away.get(member) === 'pause') await setMonitorsEnabled(story.ctx, [id], true);
        if (away.get(member) === 'begin window') {
          await database.db.$transaction((tx) => endMaintenance(tx, story.services, [id]));
        }
        away.delete(member);
        return this.write(id, STATES[step.is], model.now);
      case 'remove':
        return void (await deleteMonitor(story.ctx, id));
    }
  }

  private async ofGroup(step: Step): Promise<void> {
    const { story, group } = this;
    const run = (act: typeof beginMaintenance | typeof endMaintenance) =>
      database.db.$transaction((tx) => act(tx, story.services, [group]));
    if (step.do === 'edit') return void (await updateMonitor(story.ctx, group, toFields(step.rule)));
    if (step.do === 'begin window of group') return run(beginMaintenance);
    if (step.do === 'end window of group') return run(endMaintenance);
    await setMonitorsEnabled(story.ctx, [group], step.do === 'resume group');
  }

  private async write(monitorId: string, state: PeriodState, at: number): Promise<void> {
    const change = {
      monitorId,
      state,
      from: new Date(this.began + at * 1000),
      decidedAt: this.story.clock.now(),
    };
    await database.db.$transaction(async (tx) => {
      await lockOwnStates(tx, this.story.ctx, [monitorId]);
      await switchPeriods(tx, [{ ...change, why: null }]);
    });
  }
}

const toFields = ({ kind, minimum }: Rule) => ({ memberRule: kind, memberMinimum: minimum });

it('a group in the database is at every moment what the model says', async () => {
  const story = await beginGroupStory(database.db);
  await fc.assert(
    fc.asyncProperty(sequences, async ({ count, rule, steps }) => {
      const began = story.clock.now().getTime();
      const members = await story.addMembers(count);
      const group = await story.addGroup(members, toFields(rule));
      await story.judge();
      const model = new GroupModel(count, rule);
      const actors = new Actors(story, members, group, began);
      for (const step of steps.slice(0, 25)) {
        if (!model.allows(step)) continue;
        model.take(step);
        await actors.take(step, model);
      }
      const ledger = await database.db.statusPeriod.findMany({
        where: { monitorId: group },
        orderBy: [{ from: 'asc' }, { id: 'asc' }],
      });
      const changes = ledger.map(({ state, from }) => {
        return { at: (from.getTime() - began) / 1000, is: COUNTED[state] ?? ('none' as const) };
      });
      expect(lasting(changes, model.now)).toEqual(model.ledger());
    }),
    { numRuns: sized(6, { thorough: 150 }), endOnFailure: true },
  );
});
