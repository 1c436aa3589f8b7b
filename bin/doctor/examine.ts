import { resolve } from 'node:path';
import { readInngestServer } from '@/inngest/inngest-server';
import { formatCommand } from '@/lib/command-line';
import { StartupError } from '@/lib/core/errors';
import { createId } from '@/lib/core/ids';
import { createKeyring } from '@/lib/core/keyring';
import type { Clock } from '@/lib/core/time/clock';
import { createServices } from '@/lib/domain/context/services';
import { createHealth } from '@/lib/engine/health/health';
import { type Environment, readVariable } from '@/lib/env';
import type { MailContent } from '@/lib/platform/mail/queue-mail';
import { renderMail } from '@/lib/platform/mail/render-mail';
import { createMailTransport, type SmtpSettings } from '@/lib/platform/mail/smtp-transport';
import { findRunningPostgres, readSecrets } from '@/lib/platform/postgres';
import { chooseSecretKeys, type SecretKeys } from '../supervisor/provide-database';
import { type DoctorFinding, inspect, ok, warning, wrong } from './finding';
import { inspectDatabase } from './inspect-database';
import { inspectMachine } from './inspect-machine';
import { inspectNetwork } from './inspect-network';
import { inspectSettings } from './inspect-settings';

type Options = {
  /** Parses the settings; throws StartupError. */
  readEnvironment: () => Environment;
  version: string;
  /** The directory of the migrations. */
  migrations: string;
  /** Who gets a test email; null: nobody. */
  recipient: string | null;
};

/** Inspects this installation from this machine. Changes nothing, and starts nothing; never throws for what it finds. */
export async function examine({
  readEnvironment,
  version,
  migrations,
  recipient,
}: Options): Promise<DoctorFinding[]> {
  const versions = ok('version', `Pharos ${version}, Node.js ${process.versions.node}, ${process.platform}.`);
  const environment = readSettings(readEnvironment);
  if ('finding' in environment) return [versions, environment.finding];
  const inngest = readInngestServer(environment);
  const isEmbedded = environment.DATABASE_URL === undefined;
  const settings = { ...environment, trustedProxies: readVariable('TRUSTED_PROXIES') };
  const groups = await Promise.all([
    inspect('database', () => inspectService(environment, { migrations, hasInngest: inngest !== null })),
    inspect('machine', () =>
      inspectMachine({
        dataDir: isEmbedded ? resolve(environment.DATA_DIR) : null,
        checkConcurrency: environment.CHECK_CONCURRENCY,
      }),
    ),
    inspect('network', () => inspectNetwork(environment, inngest)),
    inspect('email', () => inspectMail(environment, recipient)),
  ]);
  return [versions, ...inspectSettings(settings), ...groups.flat()];
}

function readSettings(readEnvironment: Options['readEnvironment']): Environment | { finding: DoctorFinding } {
  try {
    return readEnvironment();
  } catch (error) {
    if (!(error instanceof StartupError)) throw error;
    return { finding: wrong('settings', `${error.message}.`, 'Correct it in the environment or in .env.') };
  }
}

/** Inspects the database, and the service as the database shows it. */
async function inspectService(
  environment: Environment,
  { migrations, hasInngest }: { migrations: string; hasInngest: boolean },
): Promise<DoctorFinding[]> {
  const target = await findDatabase(environment);
  if (target === null) {
    const message = `No PostgreSQL is running in ${resolve(environment.DATA_DIR)}.`;
    const remedy = `Start Pharos there, or set DATA_DIR or DATABASE_URL, then run ${formatCommand('doctor')} again.`;
    return [warning('database', message, remedy)];
  }
  const { url, keys } = target;
  const keyring = createKeyring(keys.SECRET_KEY, keys.PREVIOUS_SECRET_KEYS);
  const { findings, facts } = await inspectDatabase(url, { keyring, migrations });
  if (facts === null || findings.some(({ name, status }) => name === 'schema' && status !== 'ok'))
    return findings;
  const clock = { now: () => new Date(Date.now() + facts.clockAheadMs) };
  return [...findings, ...(await inspectHealth(url, { clock, hasInngest }))];
}

/** The database of the settings, without a pooler; null: an embedded one that is not running. */
async function findDatabase(environment: Environment): Promise<{ url: string; keys: SecretKeys } | null> {
  const { DATABASE_DIRECT_URL: url, SECRET_KEY, PREVIOUS_SECRET_KEYS, DATA_DIR } = environment;
  if (url !== undefined && SECRET_KEY !== undefined)
    return { url, keys: { SECRET_KEY, PREVIOUS_SECRET_KEYS } };
  const dataDir = resolve(DATA_DIR);
  const running = await findRunningPostgres(dataDir);
  const secrets = running && (await readSecrets(dataDir));
  return running && secrets && { url: running.url, keys: chooseSecretKeys(environment, secrets) };
}

/** The parts of health that are about the process that is asked, not about the service. */
const OF_THIS_PROCESS = ['database', 'descriptors'];

/** Inspects the running service as /api/health does: whether checks run, results are stored, and deliveries leave. */
async function inspectHealth(
  url: string,
  { clock, hasInngest }: { clock: Clock; hasInngest: boolean },
): Promise<DoctorFinding[]> {
  const health = createHealth({ url, clock, hasInngest });
  try {
    const { parts } = await health.read();
    const shown = parts.filter(({ name }) => !OF_THIS_PROCESS.includes(name));
    const troubles = shown.filter(({ status }) => status !== 'ok');
    if (troubles.length === 0) return [ok('health', `All ${shown.length} parts of the service work.`)];
    return troubles.map(({ name, status, message }) => {
      const add = status === 'down' ? wrong : warning;
      return add(`health: ${name}`, message, `See ${name} in docs/operate/monitoring.md#health.`);
    });
  } finally {
    await health.close();
  }
}

const REMEDY =
  'Check the mail server: host, port, user and password, and whether this machine may connect there.';

/** Signs in to the mail server, and sends an email to `recipient` unless that is null. */
async function inspectMail(environment: Environment, recipient: string | null): Promise<DoctorFinding[]> {
  const smtp = await readMailServer(environment);
  if (smtp === null) {
    const remedy = 'Set SMTP_URL to your mail server, or set one up in the settings.';
    const off = 'No mail server is set up: no email is sent, and members are not notified by email.';
    const unsent = `No email was sent to ${recipient}: no mail server is set up.`;
    return [
      warning('email', off, remedy),
      ...(recipient === null ? [] : [wrong('test email', unsent, remedy)]),
    ];
  }
  const { url, from } = smtp;
  const { SERVICE_NAME: serviceName } = environment;
  const transport = createMailTransport(smtp);
  const { host } = new URL(url);
  try {
    const reason = await transport.verify();
    if (reason !== null) return [wrong('email', `The mail server ${host} refuses: ${reason}.`, REMEDY)];
    const accepted = ok('email', `The mail server ${host} accepts email from ${from.address}.`);
    if (recipient === null) return [accepted];
    const mail = renderMail(composeTestMail(serviceName), { serviceName });
    const outcome = await transport.send({ ...mail, id: createId('mail'), to: recipient, date: new Date() });
    if (outcome.sent) return [accepted, ok('test email', `An email was sent to ${recipient}.`)];
    const message = `The mail server refused an email to ${recipient}: ${outcome.error}.`;
    return [accepted, wrong('test email', message, 'Check MAIL_FROM, and what your mail server accepts.')];
  } finally {
    transport.close();
  }
}

/** The mail server of SMTP_URL, otherwise the one that people set, if the database can be read. */
async function readMailServer(environment: Environment): Promise<SmtpSettings | null> {
  const target = environment.SMTP_URL === undefined ? await findDatabase(environment) : null;
  const found = target && { DATABASE_URL: target.url, DATABASE_DIRECT_URL: target.url, ...target.keys };
  const { SMTP_URL: url, MAIL_FROM: from } = environment;
  if (found === null) return url === undefined ? null : { url, from };
  const { db, mail } = createServices({ ...environment, ...found }, 'pharos doctor');
  try {
    // What is wrong with the database is found elsewhere.
    await mail.refresh().catch(() => undefined);
    return mail.smtp;
  } finally {
    await db.$disconnect();
  }
}

function composeTestMail(serviceName: string): MailContent {
  return {
    subject: `Test email from ${serviceName}`,
    blocks: [{ paragraph: `Email works: ${serviceName} can send email through this mail server.` }],
    footnote: 'You receive this email because it was requested on the command line.',
  };
}
