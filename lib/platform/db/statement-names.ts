import { LRUCache } from 'lru-cache';

/** Each named statement keeps its plan in the memory of each connection. */
const MAX_NAMED = 200;
const MAX_COUNTED = 1000;
/** PostgreSQL, too, plans a named statement for its parameters five times before it considers a plan for all. */
const NAMED_AFTER = 5;
/** Prisma writes lists and rows one parameter at a time, so every length is a text of its own. Subqueries are none of these. */
const HAS_LIST = / IN \(\$|\),\s*\((?:\$|DEFAULT)/;
const UNNAMED = '';

/**
 * Names for the statements of one process, which each connection then parses and plans once instead of at every use: planning is
 * more than half of what a short statement costs. Only statements that are used repeatedly get a name, and at most 200.
 */
export function createStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  const uses = new LRUCache<string, number>({ max: MAX_COUNTED });
  return ({ sql }) => {
    const name = names.get(sql);
    if (name !== undefined) return name;
    if (names.size >= MAX_NAMED || HAS_LIST.test(sql)) return UNNAMED;
    const count = (uses.get(sql) ?? 0) + 1;
    uses.set(sql, count);
    if (count > NAMED_AFTER) {
      uses.delete(sql);
      names.set(sql, `pharos_${names.size + 1}`);
    }
    return UNNAMED;
  };
}
