import { beforeEach, describe, expect, it } from 'vitest';
import { createIncidentUpdateSchema, updateIncidentSchema } from '@/lib/schemas/incidents/incident';
import { useSharedDatabase } from '@/lib/testing/database';
import { updateIncident } from '../change-incident';
import { addIncidentUpdate, changeScheduledUpdate } from '../schedule/schedule-update';
import { beginStory } from '../testing/story';

const database = useSharedDatabase();
const TITLE = { de: { title: 'Kasse langsam', description: 'Wir schauen.' }, fr: { title: 'Caisse lente' } };

let story: Awaited<ReturnType<typeof beginStory>>;
beforeEach(async () => {
  story = await beginStory(database);
});

const change = (id: string, changes: object) =>
  updateIncident(story.ctx, id, updateIncidentSchema.parse(changes));
const post = (id: string, update: object) =>
  addIncidentUpdate(story.ctx, id, createIncidentUpdateSchema.parse(update));

describe('an incident', () => {
  it('opens with translations, which its first message has too', async () => {
    const incident = await story.open({ description: 'We look.', translations: TITLE });
    expect(incident.translations).toEqual(TITLE);
    expect(incident.updates[0]?.translations).toEqual({ de: { message: 'Wir schauen.' } });
  });

  it('without a description has its translated titles as its first message', async () => {
    const { updates } = await story.open({ translations: { fr: TITLE.fr } });
    expect(updates[0]?.translations).toEqual({ fr: { message: 'Caisse lente' } });
  });

  it('keeps its translations until a change replaces them, or null removes them', async () => {
    const { id } = await story.open({ translations: TITLE });
    expect((await change(id, { severity: 'minor' })).translations).toEqual(TITLE);
    const fewer = { fr: TITLE.fr, es: { title: '' } };
    const changed = await change(id, { translations: fewer });
    expect(changed).toMatchObject({ translations: { fr: TITLE.fr }, version: 3 });
    expect(changed.updates).toHaveLength(1);
    expect((await change(id, { translations: null })).translations).toEqual({});
  });

  it('is not changed by the same translations and severities in another order', async () => {
    const [shop, mail] = [await story.addMonitor(), await story.addMonitor()];
    const impacts = { [shop]: 'minor', [mail]: 'critical' };
    const { id } = await story.open({ affectedMonitors: [shop, mail], impacts, translations: TITLE });
    // An update at another time would count as a change.
    story.clock.advance(60_000);
    const { title, description } = TITLE.de;
    const same = { fr: TITLE.fr, de: { description, title } };
    const reordered = { [mail]: 'critical', [shop]: 'minor' };
    expect(await change(id, { translations: same, impacts: reordered })).toMatchObject({ version: 1 });
    expect(await change(id, { translations: TITLE, impacts })).toMatchObject({ version: 1 });
  });

  it('loses the translations of a title that its monitor changes', async () => {
    const monitor = await story.addMonitor();
    const id = await story.follow(monitor, 'down');
    await change(id, { translations: { de: { title: 'Shop streikt' } } });
    await story.follow(monitor, 'degraded');
    const { items } = await story.list();
    expect(items[0]).toMatchObject({ title: 'Shop is degraded', translations: {} });
    await change(id, { translations: { de: { title: 'Shop lahmt' } } });
    await story.follow(monitor, 'operational');
    expect((await story.list()).items[0]?.translations).toEqual({ de: { title: 'Shop lahmt' } });
  });

  it('refuses other languages, other texts, and texts that are too long', () => {
    const parse = (translations: object) => updateIncidentSchema.safeParse({ translations }).success;
    expect(parse(TITLE)).toBe(true);
    expect(parse({ it: { title: 'Cassa lenta' } })).toBe(false);
    expect(parse({ de: { text: 'Kasse' } })).toBe(false);
    expect(parse({ de: { title: 'x'.repeat(201) } })).toBe(false);
    expect(parse({ de: { description: 'x'.repeat(5001) } })).toBe(false);
  });
});

describe('an update', () => {
  const German = { de: { message: 'Fast fertig.' } };

  it('is posted in several languages', async () => {
    const { id } = await story.open();
    const { updates } = await post(id, { message: 'Almost there.', translations: German });
    expect(updates[0]).toMatchObject({ message: 'Almost there.', translations: German });
  });

  it('that is published can be translated later, and is otherwise final', async () => {
    const { id } = await story.open();
    const posted = await post(id, { message: 'Almost there.' });
    const update = posted.updates[0]?.id ?? '';
    const translated = await changeScheduledUpdate(story.ctx, id, update, { translations: German });
    expect(translated.updates[0]).toMatchObject({
      translations: German,
      createdAt: posted.updates[0]?.createdAt,
    });
    expect(translated.version).toBe(posted.version + 1);
    const same = await changeScheduledUpdate(story.ctx, id, update, {
      message: 'Almost there.',
      translations: German,
    });
    expect(same.version).toBe(translated.version);
    const both = { en: { message: 'Nearly there.' }, ...German };
    const more = await changeScheduledUpdate(story.ctx, id, update, { translations: both });
    const again = await changeScheduledUpdate(story.ctx, id, update, { translations: both });
    expect(again.version).toBe(more.version);
    for (const changes of [
      { message: 'Done.' },
      { status: 'resolved' as const },
      { publishAt: new Date() },
    ]) {
      const refused = changeScheduledUpdate(story.ctx, id, update, changes);
      await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });

  it('of another incident is not found', async () => {
    const [{ id }, other] = [await story.open(), await story.open()];
    const update = other.updates[0]?.id ?? '';
    const refused = changeScheduledUpdate(story.ctx, id, update, { translations: German });
    await expect(refused).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});
