import { describe, expect, it } from 'vitest';
import { useSharedDatabase } from '@/lib/testing/database';
import { updateIncident } from './change-incident';
import { decideIncident, type OpenIncident } from './follow-status';
import { getIncident } from './read-incidents';
import { beginStory } from './testing/story';

const database = useSharedDatabase();

const minor: OpenIncident = { id: 'inc_1', status: 'investigating', severity: 'minor' };
const critical: OpenIncident = { id: 'inc_1', status: 'investigating', severity: 'critical' };

describe('an automatic incident after a status change', () => {
  it('opens critical when the monitor goes down', () => {
    expect(decideIncident(null, 'down', 'Shop')).toMatchObject({
      action: 'open',
      title: 'Shop is down',
      status: 'investigating',
      severity: 'critical',
    });
  });

  it('opens minor when it goes degraded', () => {
    expect(decideIncident(null, 'degraded', 'Shop')).toMatchObject({ action: 'open', severity: 'minor' });
  });

  it('becomes critical and investigating when degraded turns into down', () => {
    expect(decideIncident(minor, 'down', 'Shop')).toMatchObject({
      action: 'update',
      status: 'investigating',
      severity: 'critical',
    });
  });

  it('moves to monitoring when down turns into degraded, once', () => {
    expect(decideIncident(critical, 'degraded', 'Shop')).toMatchObject({
      action: 'update',
      status: 'monitoring',
    });
    expect(decideIncident({ ...critical, status: 'monitoring' }, 'degraded', 'Shop').action).toBe('none');
  });

  it('resolves when the monitor is operational again', () => {
    expect(decideIncident(critical, 'operational', 'Shop').action).toBe('resolve');
    expect(decideIncident(null, 'operational', 'Shop').action).toBe('none');
  });

  it('does not change if the status is already reported', () => {
    expect(decideIncident(critical, 'down', 'Shop').action).toBe('none');
    expect(decideIncident(minor, 'degraded', 'Shop').action).toBe('none');
  });
});

describe('an automatic incident changed by a person', () => {
  it('stays resolved by a person until the next transition opens another', async () => {
    const story = await beginStory(database);
    const monitor = await story.addMonitor();
    const id = await story.follow(monitor, 'down');
    await updateIncident(story.ctx, id, { status: 'resolved', message: 'A false alarm.' });
    expect(await story.follow(monitor, 'operational')).toBe('');
    expect(await getIncident(story.ctx, id)).toMatchObject({ automatic: true, status: 'resolved' });
    expect(await story.follow(monitor, 'down')).not.toBe(id);
  });

  it('continues from the status set by a person', async () => {
    const story = await beginStory(database);
    const monitor = await story.addMonitor();
    const id = await story.follow(monitor, 'down');
    await updateIncident(story.ctx, id, { status: 'identified' });
    expect(await story.follow(monitor, 'operational')).toBe(id);
    const resolved = await getIncident(story.ctx, id);
    // What the engine does counts, too.
    expect(resolved).toMatchObject({ status: 'resolved', version: 3, updates: { length: 3 } });
  });

  it('cannot be reopened while a newer one is open', async () => {
    const story = await beginStory(database);
    const monitor = await story.addMonitor();
    const id = await story.follow(monitor, 'down');
    await story.follow(monitor, 'operational');
    await updateIncident(story.ctx, id, { status: 'monitoring' });
    await updateIncident(story.ctx, id, { status: 'resolved' });
    await story.follow(monitor, 'down');
    const reopening = updateIncident(story.ctx, id, { status: 'monitoring' });
    await expect(reopening).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it('keeps every concurrent update, with one status change for each that changed it', async () => {
    const story = await beginStory(database);
    const id = await story.follow(await story.addMonitor(), 'down');
    await Promise.all(
      Array.from({ length: 6 }, () =>
        updateIncident(story.ctx, id, { status: 'resolved', message: 'Over.' }),
      ),
    );
    expect((await getIncident(story.ctx, id)).updates).toHaveLength(7);
    expect((await story.readEvents()).map(({ event }) => event)).toEqual(['incident.resolved']);
  });
});
