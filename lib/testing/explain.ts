import type { Database } from '@/lib/platform/db/client';
import { Prisma } from '@/lib/platform/db/generated/client';

/** One executed step of a plan: how it reads which table, by which index, and how often. */
export type PlanStep = { type: string; relation: string | null; index: string | null; loops: number };

/** The executed plan of a statement: its steps, and how many 8 KiB pages it read, cached or not. */
export type Explained = { steps: PlanStep[]; pages: number };

type PlanNode = {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Loops': number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: PlanNode[];
};

/** Runs a statement under EXPLAIN (ANALYZE, BUFFERS). */
export async function explain(db: Database, query: Prisma.Sql): Promise<Explained> {
  const rows = await db.$queryRaw<{ 'QUERY PLAN': [{ Plan: PlanNode }] }[]>(
    Prisma.sql`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${query}`,
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  if (!plan) throw new Error('there is no plan');
  return { steps: listSteps(plan), pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'] };
}

function listSteps(node: PlanNode): PlanStep[] {
  const step = {
    type: node['Node Type'],
    relation: node['Relation Name'] ?? null,
    index: node['Index Name'] ?? null,
    loops: node['Actual Loops'],
  };
  return [step, ...(node.Plans ?? []).flatMap(listSteps)];
}
