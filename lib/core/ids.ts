import { TypeID, typeid } from 'typeid-js';

/** The prefixes of all public IDs. */
export const ID_PREFIXES = {
  monitor: 'mon',
  statusPage: 'sp',
  component: 'cmp',
  incident: 'inc',
  incidentUpdate: 'upd',
  incidentTemplate: 'itp',
  delivery: 'del',
  attempt: 'att',
  webhook: 'whk',
  apiKey: 'key',
  organization: 'org',
  user: 'usr',
  event: 'evt',
  story: 'sty',
  maintenance: 'mnt',
  period: 'per',
  worker: 'wrk',
  dryRun: 'dry',
  manualCheck: 'chk',
  importSource: 'ims',
  auditEntry: 'aud',
  mail: 'mail',
  mailThread: 'thr',
  session: 'ses',
  oneTimeToken: 'ott',
  subscriber: 'sub',
  evidence: 'evd',
  emailRecipient: 'eml',
  marker: 'mrk',
  correction: 'cor',
  reportMail: 'rpm',
  probeToken: 'prt',
  pageToken: 'pgt',
  passkey: 'psk',
  pushSubscription: 'psh',
  pushMessage: 'pms',
} as const;

/** A new ID: prefix, `_` and a UUIDv7 in base 32, so that IDs sort by creation time. */
export function createId(kind: keyof typeof ID_PREFIXES): string {
  return typeid(ID_PREFIXES[kind]).toString();
}

/** When an ID of `createId` was created. Throws for any other text. */
export function createdAtOf(id: string): Date {
  const uuid = TypeID.fromString(id).toUUID();
  return new Date(Number.parseInt(uuid.replaceAll('-', '').slice(0, 12), 16));
}
