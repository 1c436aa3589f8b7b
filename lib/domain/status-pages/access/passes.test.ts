import { describe, expect, it } from 'vitest';
import { createKeyring } from '@/lib/core/keyring';
import { openPass, openTicket, sealPass, sealTicket, TICKET_MS } from './passes';

const OLD = 'old secret key '.repeat(4);
const keyring = createKeyring('new secret key '.repeat(4), [OLD]);
const page = { id: 'sp_1', accessVersion: 3 };
const now = new Date('2026-03-10T12:00:00.000Z');
const expiresAt = new Date(now.getTime() + 1000);

describe('a pass', () => {
  const pass = sealPass(keyring, page, { expiresAt, sessionId: null });
  const bytes = Buffer.from(pass, 'base64url');

  it('is valid for its page until it expires, also after the key of the service was replaced', () => {
    expect(openPass(keyring, page, { pass, now })).toEqual({ sessionId: null });
    expect(openPass(keyring, page, { pass, now: expiresAt })).toBeNull();
    const before = sealPass(createKeyring(OLD), page, { expiresAt, sessionId: 'ses_1' });
    expect(openPass(keyring, page, { pass: before, now })).toEqual({ sessionId: 'ses_1' });
  });

  it.each([
    ['of another page', { id: 'sp_2', accessVersion: 3 }, pass],
    ['after a change of password or visibility', { id: 'sp_1', accessVersion: 4 }, pass],
    ['that is cut off', page, bytes.subarray(0, -1).toString('base64url')],
    ['that is a ticket', page, sealTicket(keyring, page, { sessionId: 'ses_1', now })],
    [
      'of another service',
      page,
      sealPass(createKeyring('x'.repeat(32)), page, { expiresAt, sessionId: null }),
    ],
    ['that is none', page, 'x'],
    ['that is empty', page, ''],
    ['that is far too long', page, 'x'.repeat(100_000)],
  ])('%s is not valid', (_, of, given) => {
    expect(openPass(keyring, of, { pass: given, now })).toBeNull();
  });

  it('with any bit changed is not valid', () => {
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const altered = Buffer.from(bytes.with(bit >> 3, (bytes[bit >> 3] ?? 0) ^ (1 << (bit & 7))));
      const given = { pass: altered.toString('base64url'), now };
      expect(openPass(keyring, page, given), `bit ${bit}`).toBeNull();
    }
  });
});

it('a ticket is valid for its page for a minute, and no pass is one', () => {
  const ticket = sealTicket(keyring, page, { sessionId: 'ses_1', now });
  const at = (ms: number) => new Date(now.getTime() + ms);
  expect(openTicket(keyring, page, { ticket, now: at(TICKET_MS - 1) })).toMatchObject({ sessionId: 'ses_1' });
  expect(openTicket(keyring, page, { ticket, now: at(TICKET_MS) })).toBeNull();
  expect(openTicket(keyring, { id: 'sp_2' }, { ticket, now })).toBeNull();
  const pass = sealPass(keyring, page, { expiresAt, sessionId: 'ses_1' });
  expect(openTicket(keyring, page, { ticket: pass, now })).toBeNull();
});
