import { createMonitor } from '@/lib/domain/monitors/create-monitor';
import { switchPeriods } from '@/lib/domain/monitors/history/ledger';
import { copyMonitor } from '@/lib/domain/monitors/testing/history';
import { judgeGroups } from '@/lib/engine/groups/judge-groups';
import { createMonitorSchema } from '@/lib/schemas/monitor';
import {
  chooseOutput,
  conclude,
  count,
  cpuOfServer,
  type Figure,
  figure,
  findExceeded,
  formatLimit,
  log,
  markdownTable,
  readCount,
  readOptions,
  today,
} from '../playground';
import { addOrganization, openBench } from '../seed';

const USAGE = `usage: npm run bench:groups [-- options]
  --groups N    groups (1000)
  --members N   members of each (50)
  --rounds N    batches of changes that are measured (20)
  --out DIR     output directory (default: docs/benchmarks, only without options)
`;

/** Milliseconds of PostgreSQL per group and batch of changes. */
const MAX_CPU_MS = 2;
const MONITORS = 2000;
/** Every so many monitors change in a batch: every group has such a member. */
const CHANGED_EVERY = 20;

type Bench = Awaited<ReturnType<typeof openBench>>;
type World = { services: Bench['services']; postgres: number; monitors: string[]; groups: string[] };

/** What groups cost PostgreSQL when their members change. Returns the exit code: 1 if a limit is exceeded. */
export async function main(words: string[]): Promise<number> {
  const text = { type: 'string' } as const;
  const given = readOptions(words, USAGE, { groups: text, members: text, rounds: text, out: text });
  const groups = readCount('groups', given.groups ?? 1000);
  const members = readCount('members', given.members ?? 50);
  const rounds = readCount('rounds', given.rounds ?? 20, 2);
  const { database, services } = await openBench();
  const world = await addGroups(services, database.pid(), { groups, members });
  const figures = await measure(world, rounds);
  return conclude({
    name: 'groups',
    markdown: formatReport(figures, { groups, members }),
    out: chooseOutput(given.out, words),
    broken: findExceeded(figures),
  });
}

/** Groups whose members are all around the same monitors. */
async function addGroups(
  services: World['services'],
  postgres: number,
  { groups: many, members }: { groups: number; members: number },
): Promise<World> {
  log(`adding ${count(many)} groups of ${members}`);
  const { ctx } = await addOrganization(services);
  const { db } = services;
  const first = await createMonitor(
    ctx,
    createMonitorSchema.parse({ name: 'Member', url: 'http://shop.test/' }),
  );
  const group = await createMonitor(ctx, createMonitorSchema.parse({ name: 'Group', type: 'group' }));
  const monitors = await copyMonitor(db, first.id, MONITORS);
  const groups = await copyMonitor(db, group.id, many);
  await db.$executeRaw`
    UPDATE monitor
       SET members = ARRAY(SELECT (${monitors}::text[])[1 + (place * 7 + n * 37) % ${MONITORS}::int]
                             FROM generate_series(1, ${members}::int) AS n)
      FROM unnest(${groups}::text[]) WITH ORDINALITY AS given (id, place)
     WHERE monitor.id = given.id`;
  const world = { services, postgres, monitors, groups };
  await change(world, monitors, 'operational');
  await judgeGroups(services);
  await db.$executeRaw`VACUUM (ANALYZE)`;
  return world;
}

async function change({ services }: World, ids: readonly string[], state: 'operational' | 'down') {
  const at = services.clock.now();
  await services.db.$transaction((tx) =>
    switchPeriods(
      tx,
      ids.map((monitorId) => ({ monitorId, state, from: at, decidedAt: at, why: null })),
    ),
  );
}

async function measure(world: World, rounds: number): Promise<Figure[]> {
  const changing = world.monitors.filter((_, place) => place % CHANGED_EVERY === 0);
  const judged = async (memberRule: 'any' | 'all') => {
    const { services, groups, postgres } = world;
    await services.db.monitor.updateMany({ where: { id: { in: groups } }, data: { memberRule } });
    await judgeGroups(services);
    let cpu = 0;
    for (let round = 0; round < rounds; round++) {
      await change(world, changing, round % 2 === 0 ? 'down' : 'operational');
      const before = cpuOfServer(postgres);
      await judgeGroups(services);
      cpu += cpuOfServer(postgres) - before;
    }
    return cpu / rounds / groups.length;
  };
  log('groups that stay as they are');
  const same = await judged('any');
  log('groups that change, with incidents and notifications');
  const changed = await judged('all');
  return [
    figure.cpu('a group that stays what it was', same, { atMost: MAX_CPU_MS }),
    figure.cpu('a group that goes down or recovers', changed, { atMost: MAX_CPU_MS }),
  ];
}

function formatReport(
  figures: readonly Figure[],
  { groups, members }: { groups: number; members: number },
): string {
  const rows = figures.map((each) => [each.name, each.text, formatLimit(each)]);
  return `# Groups

\`npm run bench:groups\`, measured on ${today()}: CPU of PostgreSQL per group and batch of changes of members, for ${count(groups)} groups of ${members} members. A
routine result costs nothing: it changes no member.

${markdownTable(['per group', 'CPU', 'limit'], rows)}
`;
}
