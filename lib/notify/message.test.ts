import { describe, expect, it } from 'vitest';
import { createEvent } from '@/lib/domain/webhooks/formats/sample-events';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';
import { toAlert, toMessage, type WebhookEvent } from './message';

const APP_URL = 'https://pharos.example.com';
const DOWN = createEvent('monitor.down');
const acknowledgeUrl = `${APP_URL}/acknowledge/token`;
const ACKNOWLEDGE = { label: 'Acknowledge', url: acknowledgeUrl };
const monitor = { id: 'mon_1', name: 'Shop' };
const at = '2026-03-01T14:05:00.000Z';

/** The event of an outage, as part of what these extras say. */
const downWith = (extras: object) => ({ ...DOWN, ...extras }) as WebhookEvent;

describe('the rest of a story', () => {
  const summary = { status: 'down', title: 'Shop is down, and 12 more', text: 'They share the tag shop.' };

  it.each([
    ['operational', 'good'],
    ['degraded', 'slow'],
    ['down', 'bad'],
  ])('replaces the event: %s is %s', (status, tone) => {
    const { title, text } = summary;
    expect(toMessage(downWith({ story: { ...summary, status, incidentId: 'inc_1' } }), APP_URL)).toEqual({
      tone,
      title,
      text,
      facts: [],
      link: { label: 'View incidents', url: `${APP_URL}/incidents/inc_1` },
      acknowledge: null,
      at: new Date('2026-03-01T12:00:00.250Z'),
      urgency: 'critical',
    });
  });

  it('leads to all incidents where none stands for the story, and to its acknowledgment where there is one', () => {
    const message = toMessage(downWith({ story: { ...summary, incidentId: null }, acknowledgeUrl }), APP_URL);
    expect(message.link?.url).toBe(`${APP_URL}/incidents`);
    expect(message.acknowledge).toEqual(ACKNOWLEDGE);
    expect(toMessage(downWith({ story: summary }), null).link).toBeNull();
  });
});

describe('flapping', () => {
  type Ended = Extract<FlappingNote, { kind: 'ended' }>;
  const none = { count: 0, ms: 0 };
  const began: FlappingNote = { monitor, at, key: 'flapping', kind: 'began' };
  const ended = (change: Pick<Ended, 'end' | 'status'>): FlappingNote => ({
    ...began,
    kind: 'ended',
    since: at,
    down: none,
    degraded: none,
    ...change,
  });
  const messageOf = (flapping: FlappingNote) => toMessage(downWith({ flapping, acknowledgeUrl }), APP_URL);

  it('replaces the event, and nothing is offered to acknowledge while it lasts', () => {
    expect(messageOf(began)).toEqual({
      tone: 'slow',
      title: 'Shop is flapping',
      text: expect.stringContaining('You get the next message'),
      facts: [],
      link: { label: 'View monitor', url: `${APP_URL}/monitors/mon_1` },
      at: new Date(at),
      urgency: 'critical',
    });
  });

  it.each([
    // What it ended with, the tone, whether the outage that it ended in can be acknowledged.
    [{ end: 'steady', status: 'operational' }, 'good', false],
    [{ end: 'steady', status: 'degraded' }, 'slow', true],
    [{ end: 'steady', status: 'down' }, 'bad', true],
    [{ end: 'paused', status: 'down' }, 'neutral', false],
    [{ end: 'deleted', status: 'operational' }, 'neutral', false],
  ] as const)('that ended with %j is %s, to acknowledge: %s', (change, tone, isOffered) => {
    const message = messageOf(ended(change));
    expect(message.tone).toBe(tone);
    expect(message.title).toMatch(/^Shop is /);
    expect(message.acknowledge ?? null).toEqual(isOffered ? ACKNOWLEDGE : null);
  });
});

describe('an incident', () => {
  const acknowledged = createEvent('incident.acknowledged');

  it.each([
    [{ acknowledgedBy: { name: 'ada@example.com' }, via: null }, 'Acknowledged by ada@example.com.'],
    [{ acknowledgedBy: null, via: 'Slack' }, 'Acknowledged by someone in Slack.'],
    [{ acknowledgedBy: null, via: null }, 'Acknowledged by someone in a chat.'],
  ])('with %j says who acknowledged it', (change, text) => {
    expect(toMessage({ ...acknowledged, ...change } as WebhookEvent, null).text).toBe(text);
  });

  it('that is recorded after it was over is good news, because it gets no other message', () => {
    const event = createEvent('incident.created');
    if (event.event !== 'incident.created') throw new Error(event.event);
    expect(toMessage(event, null).tone).toBe('bad');
    const over = { ...event, incident: { ...event.incident, status: 'resolved' as const } };
    expect(toMessage(over, null).tone).toBe('good');
  });
});

it('an alert is about a monitor, an incident, or a test', () => {
  const subjectOf = (kind: Parameters<typeof createEvent>[0]) => toAlert(createEvent(kind), null).subject;
  expect(subjectOf('monitor.down')).toEqual({
    type: 'monitor',
    id: 'mon_01jpa7k3q8f2v9x4m6t0r5w1ze',
    name: 'Checkout API',
    tags: ['shop'],
  });
  expect(subjectOf('incident.created')).toEqual({
    type: 'incident',
    id: 'inc_01jpa7k3q8f2v9x4m6t0r5w1ze',
    severity: 'major',
  });
  expect(subjectOf('webhook.test')).toEqual({ type: 'test', id: 'whk_01jpa7k3q8f2v9x4m6t0r5w1ze' });
});
