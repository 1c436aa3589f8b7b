import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createEvent } from '@/lib/domain/webhooks/formats/sample-events';
import { toAlert, type WebhookEvent } from '@/lib/notify/message';
import { DELIVERY_KINDS } from '@/lib/schemas/webhooks/delivery';
import { renderAlertmanager } from './alertmanager';

const labelsSchema = z.record(z.string().regex(/^[a-zA-Z_]\w*$/), z.string().min(1));

/**
 * The body of POST /alerts in https://github.com/prometheus/alertmanager/blob/main/api/v2/openapi.yaml, without fields that it would ignore.
 * Alertmanager also refuses alerts without labels or with an end before their start, and drops empty labels.
 */
const alertsSchema = z
  .array(
    z
      .strictObject({
        labels: labelsSchema.refine((labels) => Object.keys(labels).length > 0),
        annotations: labelsSchema.optional(),
        startsAt: z.iso.datetime().optional(),
        endsAt: z.iso.datetime().optional(),
        generatorURL: z.url().optional(),
      })
      .refine(({ startsAt = '', endsAt = 'z' }) => startsAt <= endsAt, 'ends before its start'),
  )
  .min(1);

describe('the alerts for Alertmanager', () => {
  it.each(DELIVERY_KINDS)('for %s are alerts that its API takes', async (kind) => {
    const golden = new URL(`./testing/golden/${kind}.json`, import.meta.url);
    const alerts = JSON.parse(await readFile(golden, 'utf8'));
    expect(alertsSchema.parse(alerts)).toEqual(alerts);
  });

  const names = (event: WebhookEvent) =>
    renderAlertmanager(toAlert(event, null)).map(({ labels, startsAt, endsAt }) => ({
      is: `${labels.alertname} ${labels.severity}`,
      isFiring: startsAt !== undefined && endsAt > startsAt,
      ends: startsAt === undefined ? endsAt : null,
    }));
  const at = '2026-03-01T12:00:00.250Z';

  it('tell what is open, and end what an event replaces', () => {
    const down = { is: 'MonitorDown critical', isFiring: true, ends: null };
    const degraded = { is: 'MonitorDegraded warning', isFiring: true, ends: null };
    const ended = { isFiring: false, ends: at };
    expect(names(createEvent('monitor.down'))).toEqual([down, { ...degraded, ...ended }]);
    expect(names(createEvent('monitor.degraded'))).toEqual([{ ...down, ...ended }, degraded]);
    expect(names(createEvent('monitor.up'))).toEqual([
      { ...down, ...ended },
      { ...degraded, ...ended },
    ]);
    expect(names(createEvent('incident.updated'))).toEqual([
      { is: 'Incident minor', ...ended },
      { is: 'Incident major', isFiring: true, ends: null },
      { is: 'Incident critical', ...ended },
    ]);
    expect(names(createEvent('incident.resolved')).map(({ ends }) => ends)).toEqual([at, at, at]);
  });

  it('have the same labels from the start to the end, whatever the event says', () => {
    const labels = (event: WebhookEvent) =>
      renderAlertmanager(toAlert(event, null)).map((alert) => alert.labels);
    expect(labels(createEvent('monitor.up', { name: 'Renamed' }))).toEqual(
      labels(createEvent('monitor.down')),
    );
    const retitled = createEvent('incident.resolved', { title: 'Another title' });
    expect(labels(retitled)).toEqual(labels(createEvent('incident.created')));
  });
});
