import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { readSourceFiles } from '@/bin/lint/source-files.mjs';
import { createTestServices } from '@/lib/testing/services';
import type { Description } from '@/lib/web/http/operation';
import { RateLimitedError } from '@/lib/web/http/rate-limit';

const seen = vi.hoisted(() => ({
  /** How often a value of the request was read before the request was counted, and how often one was validated at all. */
  reads: 0,
  validations: 0,
  counted: 0,
  isLimited: false,
}));

const services = vi.hoisted(() => ({ current: {} as object }));

vi.mock('next/headers', () => ({
  headers: async () => new Headers({ host: 'pharos.test' }),
  cookies: async () => ({ get: () => undefined }),
}));
vi.mock('next/cache', () => ({ refresh: () => undefined }));
vi.mock('@/lib/web/http/server-services', () => ({
  getWeb: () => ({
    services: services.current,
    log: { error: () => undefined },
    rateLimiter: {
      count: async () => {
        seen.counted += 1;
        if (seen.isLimited) throw new RateLimitedError({ 'Retry-After': '7' });
        return {};
      },
    },
  }),
}));
vi.mock('@/lib/web/http/dashboard-session', () => {
  const actor = { kind: 'user', userId: 'usr_viewer', role: 'viewer' };
  const session = () => ({
    id: 'a session',
    userId: 'usr_viewer',
    email: 'viewer@example.com',
    ctx: { ...services.current, organizationId: 'org_own', actor, baseUrl: 'http://pharos.test' },
  });
  return {
    requireSession: async () => session(),
    findVisitorSession: async () => session(),
    findVisitorPerson: async () => ({ userId: 'usr_viewer', sessionId: 'a session' }),
    readVisitor: async () => ({ address: '203.0.113.7', userAgent: null }),
  };
});
vi.mock('@/lib/web/auth/authenticate-api-key', () => ({
  authenticateApiKey: async () => ({
    ctx: {
      ...services.current,
      organizationId: 'org_own',
      actor: { kind: 'key', keyId: 'key_read', scope: 'read' },
    },
    plan: 'free',
  }),
}));
vi.mock('@/lib/schemas/validation', async (load) => {
  const actual = await load<typeof import('@/lib/schemas/validation')>();
  const parseInput: typeof actual.parseInput = (...given) => {
    seen.validations += 1;
    return actual.parseInput(...given);
  };
  return { ...actual, parseInput };
});

const root = fileURLToPath(new URL('../../..', import.meta.url));

beforeEach(() => {
  seen.isLimited = false;
  // Nothing here may reach the database.
  services.current = createTestServices({ db: null as never });
});

const noteRead = () => {
  if (seen.counted === 0) seen.reads += 1;
};

/** An argument for any parameter, whose reads are noted: a form with a field, a state, an ID that is none. */
function watched(): FormData {
  const form = new FormData();
  form.set('name', 'x'.repeat(1000));
  return new Proxy(form, {
    get: (target, name) => {
      // A promise would be asked for this.
      if (name === 'then') return undefined;
      noteRead();
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
    ownKeys: (target) => {
      noteRead();
      return Reflect.ownKeys(target);
    },
  });
}

/** A request whose body, and address if it `watchesUrl`, are noted when they are read. */
function watchedRequest(method: string, watchesUrl: boolean): Request {
  const hasBody = method !== 'GET' && method !== 'HEAD';
  const body = new ReadableStream(
    {
      pull: (controller) => {
        noteRead();
        controller.enqueue(Buffer.from('{"name":'));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const headers = {
    host: 'pharos.test',
    origin: 'http://pharos.test',
    'content-type': 'application/json',
    'x-pharos-peer': '203.0.113.7',
  };
  const request = new Request('http://pharos.test/?limit=none', {
    method,
    headers,
    ...(hasBody && { body, duplex: 'half' }),
  });
  return new Proxy(request, {
    get: (target, name) => {
      if (name === 'url' && watchesUrl) noteRead();
      const value = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

type Call = () => Promise<unknown>;

/** The outcome of a call as text: of a response its status and body, of an error its message. */
async function outcomeOf(call: Call): Promise<string> {
  try {
    const found = await call();
    if (found instanceof Response) return `${found.status} ${await found.text()}`;
    return JSON.stringify(found) ?? '';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const actionFiles = [...readSourceFiles(root)]
  .filter(([, text]) => /^\s*'use server';/m.test(text))
  .map(([path]) => path);

const actions: { name: string; call: Call }[] = [];
for (const path of actionFiles) {
  const module: Record<string, (...given: unknown[]) => Promise<unknown>> = await import(`${root}/${path}`);
  for (const [name, action] of Object.entries(module)) {
    const call = () => action(watched(), watched(), watched());
    actions.push({ name: `${path.replace(/^app\/(\(dashboard\)\/)?/, '')} ${name}`, call });
  }
}

type Handler = {
  (request: Request, context: { params: Promise<object> }): Promise<Response>;
  description?: Description | null;
};

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const PARAMS = {
  id: 'none',
  slug: 'none',
  ref: 'none',
  tokenId: 'none',
  updateId: 'none',
  correctionId: 'none',
};

async function listRoutes(folder: string) {
  const files = readdirSync(`${root}/app/${folder}`, { recursive: true, encoding: 'utf8' });
  const found: { name: string; handler: Handler; call: Call }[] = [];
  // Status pages refuse in the language that the address names.
  const watchesUrl = folder !== 'status';
  for (const path of files.filter((file) => /(^|\/)route\.tsx?$/.test(file))) {
    const module: Record<string, Handler> = await import(`${root}/app/${folder}/${path}`);
    for (const method of METHODS) {
      const handler = module[method];
      if (handler === undefined) continue;
      const call = () => handler(watchedRequest(method, watchesUrl), { params: Promise.resolve(PARAMS) });
      found.push({ name: `${method} ${path}`, handler, call });
    }
  }
  return found;
}

const routes = await listRoutes('(dashboard)');
const ofApi = await listRoutes('api');
const operations = ofApi.flatMap(({ name, handler, call }) => {
  const { scope = 'public' } = handler.description ?? {};
  return scope === 'public' ? [] : [{ name, scope, call }];
});
/** What visitors send without a session. */
const visitorRoutes = [...(await listRoutes('(auth)')), ...(await listRoutes('status'))].filter(
  ({ name }) => !name.startsWith('GET '),
);
/** Routes that do not count, each with its reason. */
const NOT_COUNTING: Record<string, string> = {
  'auth/[...nextauth]/route.ts': 'next-auth reads it: counted in the front, before it arrives',
  'openapi.json/route.ts': 'in memory, and counted in the front if it is not',
  'status-pages/public/route.ts':
    'the same; it reads one parameter, and counts visitors that the front did not',
  'health/route.ts': 'for monitoring, at any rate: it reads nothing, and its result is shared',
  'live/route.ts': 'for load balancers, at any rate: it reads nothing',
  'internal/tls-allowed/route.ts': 'for the proxy of the operator: it reads one parameter',
  '[[...path]]/route.ts': 'reads nothing: it is the 404 of unknown paths',
};

/** Actions that only affect the visitor's own browser. */
const OWN_BROWSER = ['actions.ts setThemeAction', 'actions.ts signOutAction'];
/** What viewers may do: read, and change what concerns only themselves. */
const OPEN_TO_VIEWERS = [
  ...['countDownAction', 'refreshAction'].map((name) => `actions.ts ${name}`),
  'monitors/(list)/actions.ts readStripsAction',
  ...['Evidence', 'Details', 'Phases', 'History', 'Checks'].map(
    (part) => `monitors/[id]/actions.tsx load${part}Action`,
  ),
  'notifications/actions.ts readTestAction',
  'palette/actions.ts searchAction',
  ...['addReportMail', 'removeReportMail'].map((name) => `reports/actions.ts ${name}Action`),
  'settings/members/actions.ts leaveAction',
  ...['saveProfile', 'saveEmails', 'sendTestMail', 'changePassword', 'renewCodes', 'removeFactor'].map(
    (name) => `settings/profile/actions.ts ${name}Action`,
  ),
  ...['renamePasskey', 'removePasskey', 'endSession', 'endOthers', 'prepareLink', 'unlink'].map(
    (name) => `settings/profile/actions.ts ${name}Action`,
  ),
  ...['readPushKey', 'addBrowser', 'removeBrowser', 'testBrowser'].map(
    (name) => `settings/profile/actions.ts ${name}Action`,
  ),
  'POST settings/profile/push/route.ts',
  ...['live/events', 'reports/export', 'settings/profile/export', 'status-pages/[slug]/images/[name]'].map(
    (path) => `GET ${path}/route.ts`,
  ),
  // The page of a viewer shows the public page, and a key that only reads can replay as well.
  ...['preview/status-page', 'monitors/[id]/backtest'].map((path) => `POST ${path}/route.ts`),
];

/** Sends each request, and returns those that were not refused as expected, or only after something was read. */
async function listAdmitted(calls: readonly { name: string; call: Call }[], refusal: RegExp) {
  const admitted: object[] = [];
  for (const { name, call } of calls) {
    Object.assign(seen, { reads: 0, validations: 0, counted: 0 });
    const outcome = await outcomeOf(call);
    // The path has no such method.
    if (outcome.startsWith('405 ')) continue;
    const { reads, validations, counted } = seen;
    if (!refusal.test(outcome) || reads + validations > 0 || counted !== 1)
      admitted.push({ name, outcome, reads, validations, counted });
  }
  return admitted;
}

const guarded = actions.filter(({ name }) => !OWN_BROWSER.includes(name));
const ofDashboard = guarded.filter(({ name }) => !name.startsWith('(auth)/'));
const notForViewers = ({ name }: { name: string }) => !OPEN_TO_VIEWERS.includes(name);

describe('before anything of it is read, a request is refused', () => {
  it('of a viewer to an action that requires more', async () => {
    expect(await listAdmitted(ofDashboard.filter(notForViewers), /Your role is viewer\./)).toEqual([]);
  });

  it('of a viewer to a route of the dashboard that requires more', async () => {
    expect(await listAdmitted(routes.filter(notForViewers), /^403 .*Your role is viewer\./)).toEqual([]);
  });

  it('of a read key to an operation that requires more', async () => {
    const writes = operations.filter(({ scope }) => scope === 'write');
    expect(await listAdmitted(writes, /^403 .*read-only/)).toEqual([]);
  });

  it('beyond the rate limit, whatever it is for', async () => {
    seen.isLimited = true;
    expect(await listAdmitted(guarded, /Too many requests\. Retry in/)).toEqual([]);
    expect(await listAdmitted([...routes, ...visitorRoutes, ...operations], /^429 /)).toEqual([]);
  });
});

it('actions, routes and operations are found in the folders', () => {
  expect(guarded.length).toBeGreaterThan(80);
  expect(routes.length).toBeGreaterThan(10);
  expect(operations.length).toBeGreaterThan(80);
  const names = [...actions, ...routes].map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining([...OWN_BROWSER, ...OPEN_TO_VIEWERS]));
});

it('every operation that is not in these lists has a reason', () => {
  const pathOf = ({ name }: { name: string }) => name.slice(name.indexOf(' ') + 1);
  const counting = new Set(operations.map(pathOf));
  const others = new Set(ofApi.map(pathOf).filter((path) => !counting.has(path)));
  expect([...others].sort()).toEqual(Object.keys(NOT_COUNTING).sort());
});
