import { describe, expect, it } from 'vitest';
import { createEvents } from '@/lib/domain/webhooks/formats/sample-events';
import type { FlappingNote } from '@/lib/state/announcements/flapping-note';
import { isReadByPeople, WEBHOOK_FORMATS } from '@/lib/webhook-formats/formats';
import { isConcerned, isSentWhileFlapping } from './audience';
import { renderBody } from './message';

const began: FlappingNote = {
  monitor: { id: 'mon_1', name: 'Shop' },
  at: '2026-03-01T12:00:00.000Z',
  key: 'flapping',
  kind: 'began',
};
const PEOPLE = WEBHOOK_FORMATS.filter(isReadByPeople);

describe('while a monitor flaps', () => {
  it.each(['standard', 'custom'] as const)('%s endpoints get every event, and no note', (format) => {
    expect(isSentWhileFlapping(format, 'monitor.up', { note: null, alerts: 'none' })).toBe(true);
    expect(
      isConcerned({ format, events: ['monitor.down'] }, 'monitor.up', { note: began, alerts: 'all' }),
    ).toBe(false);
  });

  it.each(['pagerduty', 'opsgenie', 'alertmanager'] as const)('%s gets no end of an alert', (format) => {
    const isSent = (alerts: 'all' | 'openings' | 'none') =>
      (['monitor.down', 'monitor.up', 'incident.created', 'incident.resolved'] as const).filter((kind) =>
        isSentWhileFlapping(format, kind, { note: began, alerts }),
      );
    expect(isSent('openings')).toEqual(['monitor.down', 'incident.created']);
    expect(isSent('none')).toEqual([]);
    expect(isSent('all')).toHaveLength(4);
  });

  it.each(PEOPLE)('%s endpoints get the note and nothing else, whatever they subscribe to', (format) => {
    expect(isSentWhileFlapping(format, 'monitor.down', { note: null, alerts: 'all' })).toBe(false);
    expect(isSentWhileFlapping(format, 'monitor.down', { note: began, alerts: 'none' })).toBe(true);
    expect(
      isConcerned({ format, events: ['incident.created'] }, 'monitor.up', { note: began, alerts: 'none' }),
    ).toBe(true);
    expect(isConcerned({ format, events: ['incident.created'] }, 'monitor.up', undefined)).toBe(false);
  });

  it.each(PEOPLE)('the note replaces what %s says about any event', (format) => {
    for (const event of createEvents()) {
      if (event.event === 'webhook.test') continue;
      const body = renderBody(format, { ...event, flapping: began }, null);
      expect(body).toContain('Shop is flapping');
      expect(body).toContain('steady for 10 minutes');
    }
  });
});
