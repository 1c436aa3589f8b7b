import { createManualClock } from '@/lib/core/time/clock';
import type { Database } from '@/lib/platform/db/client';
import { createTestOrganization, createTestServices } from '@/lib/testing/services';
import { createSession } from '../../sessions';
import { addPasskey, beginPasskey } from '../add-passkey';
import { removePasskey } from '../own-passkeys';
import { beginPasskeyUse, consumePasskey, type PasskeyUse } from '../use-passkey';
import { createAuthenticator } from './authenticator';

export const ORIGIN = 'https://status.example.com';
export const NOW = new Date('2026-11-25T12:00:00.000Z');

const ADDRESS = '192.0.2.7';

/** A person in an organization, at NOW, with a device, and what they can do. */
export async function beginStory(db: Database) {
  const clock = createManualClock(NOW);
  const services = {
    ...createTestServices({ db, clock, mail: true }),
    appUrl: ORIGIN,
    serviceName: 'Pharos',
  };
  const { ctx, userId, organizationId } = await createTestOrganization(services);
  const { email } = await db.user.findUniqueOrThrow({ where: { id: userId } });
  const user = { id: userId, email, name: null };
  const device = createAuthenticator(ORIGIN);
  const owner = { ...ctx, ...services, actor: { kind: 'user', userId, role: 'owner' } as const };

  const begin = () => beginPasskey(services, user);
  type Addition = Partial<Parameters<typeof addPasskey>[2]>;
  const finish = (rest: Pick<Parameters<typeof addPasskey>[2], 'response' | 'ticket'> & Addition) =>
    db.$transaction((tx) => addPasskey(tx, services, { user, name: 'Phone', address: ADDRESS, ...rest }));
  const add = async (rest: Addition = {}, own = device) => {
    const { options, ticket } = await begin();
    return finish({ response: own.create(options), ticket, ...rest });
  };
  /** Has the device sign a new challenge. */
  const sign = async (lie: Parameters<typeof device.use>[1] = {}): Promise<PasskeyUse> => {
    const { options, ticket } = await beginPasskeyUse(services);
    return { response: device.use(options, lie), ticket };
  };
  const consume = (use: PasskeyUse, expected?: string) =>
    db.$transaction((tx) => consumePasskey(tx, services, use, expected));
  const remove = (id: string, ways = { passwords: true, passkeys: true }) =>
    removePasskey(owner, { user, id, address: ADDRESS, ways });
  const signIn = () => createSession(services, { userId, address: null, userAgent: null });
  const actions = async () => {
    const entries = await db.auditEntry.findMany({ where: { organizationId }, orderBy: { number: 'asc' } });
    return entries.map(({ action }) => action).filter((action) => /passkey|factor/.test(action));
  };
  const mails = async () => {
    const rows = await db.mail.findMany({ where: { recipient: email }, orderBy: { createdAt: 'asc' } });
    return rows.map(({ id, contentSealed }) => {
      const content = services.keyring.open(contentSealed ?? new Uint8Array(), id);
      return String(JSON.parse(content).subject);
    });
  };
  return {
    clock,
    services,
    owner,
    user,
    organizationId,
    device,
    begin,
    finish,
    add,
    sign,
    consume,
    remove,
    signIn,
    actions,
    mails,
  };
}
