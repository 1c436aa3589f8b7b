import { describe, expect, it } from 'vitest';
import { createKeyring } from '@/lib/core/keyring';
import { createEvents } from '@/lib/domain/webhooks/formats/sample-events';
import {
  addAcknowledgeLink,
  hiddenAcknowledgeUrl,
  offersAcknowledgement,
  readAcknowledgeToken,
} from './acknowledge-link';

const keyring = createKeyring('a secret key of this service, for tests');
const APP_URL = 'https://pharos.example.com';
const AT = new Date('2026-03-01T12:00:00.250Z');
const WEEK_MS = 7 * 86_400_000;
const id = 'del_01jpa7k3q8f2v9x4m6t0r5w1ze';

/** The token in a body that is sent. */
function tokenOf(deliveryId = id): string {
  const body = `<${hiddenAcknowledgeUrl(APP_URL, deliveryId)}|Acknowledge>`;
  const sent = addAcknowledgeLink(keyring, { id: deliveryId, occurredAt: AT }, body);
  return /\/acknowledge\/([^|]+)/.exec(sent.body)?.[1] ?? '';
}

describe('the link in a message', () => {
  it('is offered while the incident of an event is open', () => {
    const events = createEvents().flatMap((event) => (event.event === 'webhook.test' ? [] : [event]));
    const offered = events.filter(offersAcknowledgement).map(({ event }) => event);
    expect(offered).toEqual(['monitor.down', 'incident.created', 'incident.updated']);
    for (const event of events) {
      if (event.event === 'monitor.degraded')
        expect(offersAcknowledgement({ ...event, incident: { id: 'inc_1' } })).toBe(true);
      if (event.event === 'incident.created' || event.event === 'incident.updated') {
        const { incident } = event;
        expect(
          offersAcknowledgement({ ...event, incident: { ...incident, status: 'resolved' } } as never),
        ).toBe(false);
      }
    }
  });

  it('is hidden in what is stored, and the same for every attempt', () => {
    const hidden = hiddenAcknowledgeUrl(APP_URL, id) ?? '';
    expect(hidden).toBe(`${APP_URL}/acknowledge/${id}.[hidden]`);
    expect(readAcknowledgeToken(keyring, `${id}.[hidden]`, AT)).toBeNull();
    const [first, second] = [1, 2].map(() => addAcknowledgeLink(keyring, { id, occurredAt: AT }, hidden));
    expect(first).toEqual(second);
    expect(first?.body).not.toContain('[hidden]');
    expect(first?.body).toContain(first?.secrets.link);
  });

  it('is in no body that has none, whatever else that says', () => {
    const body = `{"text":"${APP_URL}/acknowledge/[hidden] del_1.[hidden]"}`;
    expect(addAcknowledgeLink(keyring, { id, occurredAt: AT }, body)).toEqual({ body, secrets: {} });
  });

  it('is left out without the URL of the dashboard, or if no product would take it', () => {
    expect(hiddenAcknowledgeUrl(null, id)).toBeNull();
    expect(hiddenAcknowledgeUrl(`${APP_URL}/${'x'.repeat(400)}`, id)).toBeNull();
    const long = `${APP_URL}/${'x'.repeat(330)}`;
    const { body } = addAcknowledgeLink(
      keyring,
      { id, occurredAt: AT },
      hiddenAcknowledgeUrl(long, id) ?? '',
    );
    expect(body.length).toBeGreaterThan(400);
    expect(body.length).toBeLessThanOrEqual(512);
  });

  it('leads to its delivery for seven days', () => {
    const token = tokenOf();
    const read = (ms: number) => readAcknowledgeToken(keyring, token, new Date(AT.getTime() + ms));
    const own = { deliveryId: id, scope: 'incident' };
    expect([read(0), read(WEEK_MS - 1000), read(WEEK_MS)]).toEqual([own, own, null]);
  });

  it('can be for the story of its delivery, and is not valid for one in place of the other', () => {
    const stored = hiddenAcknowledgeUrl(APP_URL, id, 'story') ?? '';
    const { link = '' } = addAcknowledgeLink(keyring, { id, occurredAt: AT }, stored).secrets;
    expect(readAcknowledgeToken(keyring, link, AT)).toEqual({ deliveryId: id, scope: 'story' });
    expect(readAcknowledgeToken(keyring, link.replace('.story', ''), AT)).toBeNull();
    expect(readAcknowledgeToken(keyring, tokenOf().replace(id, `${id}.story`), AT)).toBeNull();
  });

  it.each([
    ['of another delivery', (token: string) => token.replace('1ze', '1zf')],
    ['with another end', (token: string) => token.replace(/\.(\w)/, '.z$1')],
    ['with another MAC', (token: string) => `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`],
    ['with more', (token: string) => `${token}0`],
    ['that is empty', () => ''],
  ])('%s is not valid', (_, forge) => {
    expect(readAcknowledgeToken(keyring, tokenOf(), AT)?.deliveryId).toBe(id);
    expect(readAcknowledgeToken(keyring, forge(tokenOf()), AT)).toBeNull();
  });

  it('is valid while its key is a previous one', () => {
    const rotated = createKeyring('another secret key of this service', [
      'a secret key of this service, for tests',
    ]);
    expect(readAcknowledgeToken(rotated, tokenOf(), AT)?.deliveryId).toBe(id);
    expect(
      readAcknowledgeToken(createKeyring('another secret key of this service'), tokenOf(), AT),
    ).toBeNull();
  });
});
