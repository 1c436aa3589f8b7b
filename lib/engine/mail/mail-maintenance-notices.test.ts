import { beforeEach, describe, expect, it } from 'vitest';
import {
  deleteMaintenance,
  endActiveMaintenance,
  updateMaintenance,
} from '@/lib/domain/maintenance/change-maintenance';
import { runMaintenanceWindows } from '@/lib/engine/upkeep/run-maintenance-windows';
import { updateMaintenanceSchema } from '@/lib/schemas/maintenance';
import { useTestDatabase } from '@/lib/testing/database';
import { beginSubscriberStory, HOUR, MINUTE } from './testing/subscriber-story';

const database = useTestDatabase();
beforeEach(async () => {
  await database.db.pageNotice.deleteMany();
  await database.db.mail.deleteMany();
});

const begin = () => beginSubscriberStory(database.db);

describe('subscribers of a page', () => {
  it('are notified once each when maintenance is planned, starts and ends', async () => {
    const story = await begin();
    const run = () => runMaintenanceWindows(story.services);
    await story.plan(HOUR, 2 * HOUR, { message: 'New disks.' });
    await run();
    expect(await story.newSubjects()).toEqual(['Acme: maintenance scheduled: Upgrade']);
    story.clock.advance(HOUR);
    await run();
    await run();
    expect(await story.newSubjects()).toEqual(['Acme: maintenance started: Upgrade']);
    story.clock.advance(HOUR);
    await run();
    await run();
    expect(await story.newSubjects()).toEqual(['Acme: maintenance completed: Upgrade']);
  });

  it('read about maintenance in their language, if it was translated', async () => {
    const story = await begin();
    await database.db.pageSubscriber.updateMany({
      where: { pageId: story.page.id },
      data: { language: 'de' },
    });
    const translations = { de: { title: 'Neue Platten', message: 'Alles bleibt erreichbar.' } };
    const { id } = await story.plan(HOUR, 2 * HOUR, { message: 'New disks.', translations });
    expect((await story.newSubjects())[0]).toContain('Neue Platten');
    story.clock.advance(HOUR);
    await runMaintenanceWindows(story.services);
    expect((await story.newSubjects())[0]).toContain('Neue Platten');
    await endActiveMaintenance(story.ctx, id);
    expect((await story.newSubjects())[0]).toContain('Neue Platten');
  });

  it('are not notified of maintenance that is entered, moved and deleted afterwards', async () => {
    const story = await begin();
    story.clock.advance(3 * HOUR);
    const { id } = await story.plan(-2 * HOUR, -HOUR);
    const endsAt = new Date(story.clock.now().getTime() - MINUTE).toISOString();
    await updateMaintenance(story.ctx, id, updateMaintenanceSchema.parse({ endsAt }));
    await runMaintenanceWindows(story.services);
    await deleteMaintenance(story.ctx, id);
    expect(await story.newSubjects()).toEqual([]);
    expect(await database.db.pageNotice.count()).toBe(0);
  });

  it('are notified of the end of maintenance ended early or deleted, and not twice of the start of a moved one', async () => {
    const story = await begin();
    const { id } = await story.plan(-MINUTE, HOUR);
    await runMaintenanceWindows(story.services);
    expect(await story.newSubjects()).toEqual(['Acme: maintenance started: Upgrade']);
    const endsAt = new Date(story.clock.now().getTime() + 3 * HOUR).toISOString();
    await updateMaintenance(story.ctx, id, updateMaintenanceSchema.parse({ endsAt }));
    await runMaintenanceWindows(story.services);
    expect(await story.newSubjects()).toEqual(['Acme: maintenance rescheduled: Upgrade']);
    await endActiveMaintenance(story.ctx, id);
    expect(await story.newSubjects()).toEqual(['Acme: maintenance completed: Upgrade']);
    const second = await story.plan(-MINUTE, HOUR, { title: 'Again' });
    await runMaintenanceWindows(story.services);
    await deleteMaintenance(story.ctx, second.id);
    expect(await story.newSubjects()).toEqual(['Acme: maintenance completed: Again']);
  });

  it('are notified of planned maintenance that is moved or canceled, but not if it is undone within a minute', async () => {
    const story = await begin();
    const { id } = await story.plan(HOUR, 2 * HOUR, { message: 'New disks.' });
    expect(await story.newSubjects()).toEqual(['Acme: maintenance scheduled: Upgrade']);
    const move = (hours: number) => {
      const startsAt = new Date(story.clock.now().getTime() + hours * HOUR).toISOString();
      const endsAt = new Date(story.clock.now().getTime() + (hours + 1) * HOUR).toISOString();
      return updateMaintenance(story.ctx, id, updateMaintenanceSchema.parse({ startsAt, endsAt }));
    };
    await updateMaintenance(story.ctx, id, updateMaintenanceSchema.parse({ message: 'New fans.' }));
    expect(await story.newSubjects()).toEqual([]);
    await move(3);
    await move(4);
    expect(await story.newSubjects()).toEqual(['Acme: maintenance rescheduled: Upgrade']);
    await deleteMaintenance(story.ctx, id);
    expect(await story.newSubjects()).toEqual(['Acme: maintenance canceled: Upgrade']);
    const cancelled = JSON.stringify((await story.mails()).at(-1)?.content);
    expect(cancelled).toContain('It was scheduled from 2026-03-01 16:02 UTC to 2026-03-01 17:02 UTC.');
    expect(cancelled).not.toContain('New fans.');
    await deleteMaintenance(story.ctx, (await story.plan(HOUR, 2 * HOUR, { title: 'Mistake' })).id);
    expect(await story.newSubjects()).toEqual([]);
  });
});
