import { z } from 'zod';
import { StartupError } from '@/lib/core/errors';
import { isCidr } from '@/lib/platform/net/target-policy';
import { emailAddress, type Mailbox, mailboxSchema } from '@/lib/schemas/email-address';
import { BUILT_IN_REGION_IDS, isRegionId, type RegionId } from '@/lib/schemas/regions';
import { findSignInConflict, signInVariables } from '@/lib/schemas/sign-in/sign-in-settings';
import {
  appUrl,
  inngestDev,
  integer,
  isHttpUrl,
  list,
  origin,
  postgresUrl,
  signingKey,
  smtpUrl,
  splitList,
} from './setting-values';

/** The value of TRUSTED_PROXIES where visitors connect directly. */
const NO_PROXY = 'none';

/** Every variable that Pharos reads. `.env.example` documents each; a test compares them. */
const variables = {
  PORT: integer(1, 65_535).default(3000),
  HOST: z.string().default('::'),
  DATA_DIR: z.string().default('./.data'),
  /** Read by lib/command-line.ts. */
  COMMAND_PREFIX: z
    .string()
    .regex(/^[^\p{Cc}]{1,500}$/u, 'must be one line, such as docker compose exec web node bin/pharos.mjs')
    .optional(),
  DATABASE_URL: postgresUrl.optional(),
  DATABASE_DIRECT_URL: postgresUrl.optional(),
  DATABASE_POOL: integer(2, 200).default(10),
  SECRET_KEY: z
    .string()
    .min(32, 'must be at least 32 characters, such as the output of: openssl rand -hex 32')
    .optional(),
  PREVIOUS_SECRET_KEYS: list(
    (key) => key.length >= 32,
    'must be comma-separated keys of at least 32 characters',
  ),
  APP_URL: appUrl.optional(),
  SERVICE_NAME: z
    .string()
    .regex(
      /^[A-Za-z0-9][A-Za-z0-9 ._-]{0,39}$/,
      'must be 1 to 40 letters, digits, spaces, dots, dashes or underscores',
    )
    .default('Pharos'),
  SMTP_URL: smtpUrl.optional(),
  MAIL_FROM: mailboxSchema.optional(),
  MAIL_GROUP_SECONDS: integer(0, 600).default(60),
  SIGN_UP: z.enum(['invite', 'open'], 'must be invite or open').default('invite'),
  ...signInVariables,
  SESSION_LIFETIME_DAYS: integer(1, 365).default(30),
  SESSION_IDLE_HOURS: integer(1, 8760).default(336),
  DEFAULT_PLAN: z.enum(['free', 'pro', 'enterprise'], 'must be free, pro or enterprise').optional(),
  TARGET_POLICY: z.enum(['public', 'private'], 'must be public or private').optional(),
  ALLOWED_PRIVATE_CIDRS: list(isCidr, 'must be address ranges such as 10.0.0.0/8,fd00::/8'),
  TRUSTED_PROXIES: list(
    (proxy) => proxy === NO_PROXY || isCidr(proxy),
    'must be IP addresses or ranges of proxies such as 10.0.0.2,172.16.0.0/12, or none',
  ).refine(
    (proxies) => proxies.length <= 1 || !proxies.includes(NO_PROXY),
    'must be none, or IP addresses and ranges of proxies',
  ),
  MAX_CONNECTIONS_PER_ADDRESS: integer(1, 1_000_000).default(512),
  DNS_SERVERS: list(
    (server) => /^[0-9a-fA-F:.[\]]+$/.test(server),
    'must be IP addresses such as 10.0.0.2,10.0.0.3:5353',
  ),
  CUSTOM_DOMAIN_VERIFY: z.enum(['on', 'off'], 'must be on or off').default('on'),
  NETWORK_CANARY: list(
    (target) => /^[0-9a-fA-F:.[\]]+$/.test(target),
    'must be IP addresses to ping, or addresses with a port to connect to, such as 10.0.0.1,10.0.0.2:53',
  ),
  PROBE_REGIONS: z
    .string()
    .transform(splitList)
    .pipe(
      z
        .array(
          z.custom<RegionId>(
            (text) => typeof text === 'string' && isRegionId(text),
            `must be some of ${BUILT_IN_REGION_IDS.join(', ')}, and own regions such as loc_101`,
          ),
        )
        .min(1, 'must include a region'),
    )
    .default([...BUILT_IN_REGION_IDS]),
  SHARDS: integer(1, 256).default(1),
  CHECK_CONCURRENCY: integer(1, 10_000).default(1000),
  WORKER_DUTIES: z.enum(['all', 'probe'], 'must be all or probe').default('all'),
  WORKER_PORT: integer(0, 65_535).optional(),
  METRICS_TOKEN: z
    .string()
    .regex(
      /^\S{16,200}$/,
      'must be 16 to 200 characters without spaces, such as the output of: openssl rand -hex 32',
    )
    .optional(),
  METRICS_MONITORS: z.enum(['off', 'on'], 'must be off or on').default('off'),
  HEARTBEAT_URL: z.string().refine(isHttpUrl, 'must be an http or https URL').optional(),
  RELEASES_URL: z.string().refine(isHttpUrl, 'must be an http or https URL').optional(),
  WORKER_URL: origin('http://worker:3010').optional(),
  INNGEST_DEV: inngestDev.default(null),
  INNGEST_EVENT_KEY: z.string().optional(),
  INNGEST_SIGNING_KEY: signingKey.optional(),
  INNGEST_SIGNING_KEY_FALLBACK: signingKey.optional(),
  INNGEST_BASE_URL: origin('http://inngest:8288').optional(),
  INNGEST_SERVE_ORIGIN: origin('http://worker:3010').optional(),
  BACKUP_DIR: z.string().optional(),
  BACKUP_KEEP: integer(1, 1000).default(7),
  BACKUP_BEFORE_MIGRATIONS: z.enum(['on', 'off'], 'must be on or off').default('on'),
  BACKUP_PASSPHRASE: z
    .string()
    .min(12, 'must be at least 12 characters, such as the output of: openssl rand -hex 32')
    .optional(),
  PAGE_CACHE_MB: integer(1, 16_384).default(64),
  RAW_RETENTION_DAYS: integer(1, 400).default(30),
  LOG_FORMAT: z.enum(['json', 'pretty'], 'must be json or pretty').optional(),
  ACCESS_LOG: z.enum(['off', 'errors', 'on'], 'must be off, errors or on').default('off'),
  LOG_LEVEL: z
    .enum(
      ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
      'must be fatal, error, warn, info, debug, trace or silent',
    )
    .default('info'),
};

const schema = z
  .object(variables)
  .refine((values) => values.DATABASE_URL === undefined || values.SECRET_KEY !== undefined, {
    path: ['SECRET_KEY'],
    message:
      'must be set together with DATABASE_URL, because it encrypts secrets and signs sessions. Create one with: openssl rand -hex 32',
  })
  .refine((values) => values.DATABASE_DIRECT_URL === undefined || values.DATABASE_URL !== undefined, {
    path: ['DATABASE_DIRECT_URL'],
    message: 'must be set together with DATABASE_URL, which leads to the same database through a pooler',
  })
  .superRefine(({ INNGEST_EVENT_KEY: eventKey, INNGEST_SIGNING_KEY: signing, ...values }, { addIssue }) => {
    const refuse = (name: string, other: string) =>
      addIssue({ code: 'custom', path: [name], message: `must be set together with ${other}` });
    if (eventKey === undefined && signing !== undefined) refuse('INNGEST_EVENT_KEY', 'INNGEST_SIGNING_KEY');
    if (signing !== undefined) return;
    if (eventKey !== undefined) refuse('INNGEST_SIGNING_KEY', 'INNGEST_EVENT_KEY');
    if (values.INNGEST_SIGNING_KEY_FALLBACK !== undefined) {
      refuse('INNGEST_SIGNING_KEY', 'INNGEST_SIGNING_KEY_FALLBACK');
    }
  })
  .superRefine((values, { addIssue }) => {
    const conflict = findSignInConflict(values);
    if (conflict) addIssue({ code: 'custom', path: [conflict.name], message: conflict.message });
  })
  .transform((values) => ({
    ...values,
    /** Whether DATABASE_URL leads to a pooler, where statements share sessions with those of other processes. */
    HAS_POOLER: values.DATABASE_DIRECT_URL !== undefined,
    /** The database without a pooler: for migrations and notifications, which need a session of their own. */
    DATABASE_DIRECT_URL: values.DATABASE_DIRECT_URL ?? values.DATABASE_URL,
    TRUSTED_PROXIES: values.TRUSTED_PROXIES.filter((proxy) => proxy !== NO_PROXY),
    /** Whether the addresses of visitors are known: unless TRUSTED_PROXIES is set, all may be those of a proxy. */
    KNOWS_ADDRESSES: values.TRUSTED_PROXIES.length > 0,
    DEFAULT_PLAN:
      values.DEFAULT_PLAN ?? (values.SIGN_UP === 'open' ? ('free' as const) : ('enterprise' as const)),
    TARGET_POLICY:
      values.TARGET_POLICY ?? (values.SIGN_UP === 'open' ? ('public' as const) : ('private' as const)),
    /** Whether MAIL_FROM is set; otherwise it is derived. */
    HAS_MAIL_FROM: values.MAIL_FROM !== undefined,
    MAIL_FROM: {
      name: values.MAIL_FROM?.name ?? values.SERVICE_NAME,
      address: values.MAIL_FROM?.address ?? defaultSender(values),
    } satisfies Mailbox,
  }));

/** The SMTP user if it is an email address, otherwise `pharos@` the host of the service or of the mail server. */
function defaultSender({ SMTP_URL, APP_URL }: { SMTP_URL?: string; APP_URL?: string }): string {
  const { username = '', hostname: mailHost = '' } = SMTP_URL === undefined ? {} : new URL(SMTP_URL);
  const login = emailAddress.safeParse(decodeURIComponent(username));
  if (login.success) return login.data;
  const hosts = [APP_URL === undefined ? '' : new URL(APP_URL).hostname, mailHost];
  const addresses = hosts.map((host) => emailAddress.safeParse(`pharos@${host}`));
  return addresses.find((address) => address.success)?.data ?? 'pharos@localhost';
}

/** The default port of a worker. */
export const DEFAULT_WORKER_PORT = 3010;

/** Whether this is a build to be used: neither a test nor a development server. */
export const IS_PRODUCTION = process.env.NODE_ENV === 'production';

export type Environment = z.output<typeof schema>;

/** The names of all variables, in the order of `.env.example`. */
export const VARIABLE_NAMES = Object.keys(variables);

/** What a probe reads. On its machine, the other variables can be those of other programs. */
export const PROBE_VARIABLES = [
  'CHECK_CONCURRENCY',
  'DNS_SERVERS',
  'NETWORK_CANARY',
  'LOG_LEVEL',
  'TARGET_POLICY',
  'ALLOWED_PRIVATE_CIDRS',
] as const satisfies (keyof typeof variables)[];

/** Parses the environment; empty variables are treated as unset. Throws `StartupError` naming the invalid variable. */
export function parseEnvironment(source: Record<string, string | undefined>): Environment {
  const given = Object.fromEntries(VARIABLE_NAMES.map((name) => [name, source[name] || undefined]));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const name = String(issue?.path[0] ?? '');
  throw new StartupError(`${name} ${issue?.message ?? 'is invalid'}`);
}

let parsed: Environment | undefined;

/** The environment of this process, parsed on first use. */
export function getEnvironment(): Environment {
  parsed ??= parseEnvironment(process.env);
  return parsed;
}

/** The settings of a probe. Throws `StartupError` naming the invalid variable. */
export function getProbeEnvironment(): Pick<Environment, (typeof PROBE_VARIABLES)[number]> {
  return parseEnvironment(Object.fromEntries(PROBE_VARIABLES.map((name) => [name, process.env[name]])));
}

/** The environment of a child process, with `extra` added. */
export function childEnvironment(extra: Record<string, string>): NodeJS.ProcessEnv {
  return { ...process.env, ...extra };
}

/** Sets variables for libraries that read the environment themselves. */
export function setForLibraries(settings: Record<string, string>): void {
  Object.assign(process.env, settings);
}

/** One variable, whatever the others are: what a file of the command line refers to, or a setting that errors about settings need. */
export function readVariable(name: string): string | undefined {
  return process.env[name];
}

/** Replaces all variables of this process, for a command that another process runs in itself. Returns a function that undoes it. */
export function replaceEnvironment(variables: NodeJS.ProcessEnv): () => void {
  const before = process.env;
  const replace = (next: NodeJS.ProcessEnv) => {
    process.env = next;
    parsed = undefined;
  };
  replace(variables);
  return () => replace(before);
}
