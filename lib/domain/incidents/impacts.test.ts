import { describe, expect, it } from 'vitest';
import { updateIncidentSchema } from '@/lib/schemas/incidents/incident';
import { useSharedDatabase } from '@/lib/testing/database';
import { updateIncident } from './change-incident';
import { changeImpacts } from './impacts';
import { beginStory } from './testing/story';

const database = useSharedDatabase();
const affected = { affectedMonitors: ['mon_1', 'mon_2'], affectedComponents: ['cmp_1'] };

describe('the severities for single rows', () => {
  it('are those given, of rows that the incident affects', () => {
    expect(changeImpacts({ mon_1: 'critical', cmp_1: 'minor' }, {}, affected)).toEqual({
      mon_1: 'critical',
      cmp_1: 'minor',
    });
    expect(() => changeImpacts({ mon_3: 'minor' }, {}, affected)).toThrow('impacts');
  });

  it('stay without new ones, for what is still affected', () => {
    const before = { mon_1: 'critical', mon_3: 'minor' } as const;
    expect(changeImpacts(undefined, before, affected)).toEqual({ mon_1: 'critical' });
    expect(changeImpacts({}, before, affected)).toEqual({});
  });

  it('are part of the incident, and count as a change of it', async () => {
    const story = await beginStory(database);
    const [shop, mail] = [await story.addMonitor(), await story.addMonitor()];
    const opened = await story.open({ affectedMonitors: [shop, mail], impacts: { [mail]: 'minor' } });
    expect(opened).toMatchObject({ severity: 'major', impacts: { [mail]: 'minor' }, version: 1 });
    const same = updateIncidentSchema.parse(opened);
    expect(await updateIncident(story.ctx, opened.id, same)).toMatchObject({ version: 1 });
    const changed = await updateIncident(story.ctx, opened.id, { affectedMonitors: [shop] });
    expect(changed).toMatchObject({ impacts: {}, version: 2 });
    const events = await story.readEvents();
    expect(events).toMatchObject([
      { event: 'incident.created', incident: { impacts: { [mail]: 'minor' } } },
      { event: 'incident.updated', incident: { impacts: {} } },
    ]);
    const foreign = updateIncident(story.ctx, opened.id, { impacts: { [mail]: 'minor' } });
    await expect(foreign).rejects.toMatchObject({ details: [{ path: 'impacts' }] });
  });

  it('send an event if only they change', async () => {
    const story = await beginStory(database);
    const [shop, mail] = [await story.addMonitor(), await story.addMonitor()];
    const { id } = await story.open({ affectedMonitors: [shop, mail] });
    const impacts = { [shop]: 'critical' as const };
    await updateIncident(story.ctx, id, { impacts });
    await updateIncident(story.ctx, id, { impacts });
    expect((await story.readEvents()).slice(1)).toMatchObject([
      { event: 'incident.updated', incident: { severity: 'major', impacts } },
    ]);
  });
});
