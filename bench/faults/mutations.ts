import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { log, root } from '../playground';

/** A fault of the engine: the text `from` of the built worker, ignoring white space, replaced by `to`. */
export type Mutation = { name: string; from: string; to: string };

/** Each breaks a promise that can be seen from outside. A run that finds none of them proves nothing. */
export const MUTATIONS: Mutation[] = [
  {
    name: 'the fence is lost: results count although another worker took their shard over',
    from: 'held: new Set(held)',
    to: 'held: new Set(rows.length > held.length ? held : leases.keys())',
  },
  {
    name: 'the schedule of retries is off by one',
    from: 'RETRY_DELAYS[failures - 1]',
    to: 'RETRY_DELAYS[failures]',
  },
  {
    name: 'every event is emitted twice',
    from: 'newEvents(each, now).flatMap(address)',
    to: '[...newEvents(each, now), ...newEvents(each, now)].flatMap(address)',
  },
  {
    name: 'a vote never expires',
    from: 'return 3 * Math.max(config.intervalMs',
    to: 'return 3e6 * Math.max(config.intervalMs',
  },
  {
    name: 'an acknowledged delivery is retried',
    from: 'if (outcome.kind === "delivered") return',
    to: 'if (outcome.kind === "delivered" && delivery.attempt > 2) return',
  },
  {
    name: 'one failure fewer than the threshold is an outage',
    from: 'if (region.failures >= config.alertThreshold)',
    to: 'if (region.failures >= config.alertThreshold - 1 && region.failures > 0)',
  },
  {
    name: 'a single region decides that a monitor is down',
    from: 'if (votes.failing >= votes.quorum) return "down"',
    to: 'if (votes.failing > 0) return "down"',
  },
  {
    name: 'an attempt has the number of the one before',
    from: 'UPDATE delivery SET attempts = attempts + 1, claimed_by',
    to: 'UPDATE delivery SET attempts = greatest(attempts, 1), claimed_by',
  },
  {
    name: 'the events of an organization reach only one of its endpoints',
    from: 'const owed = events.flatMap(',
    to: 'const owed = events.map((each) => ({ ...each, endpoints: each.endpoints.slice(0, 1) })).flatMap(',
  },
  {
    name: 'a recovery does not resolve its incident',
    from: 'status: "resolved"',
    to: 'status: "monitoring"',
  },
];

/**
 * Builds a mutation into the processes that start from now on. Returns what takes it out again; throws if it does not apply. A
 * build without its stamp is out of date, so a mutation that is interrupted is built over.
 */
export async function applyMutation({ name, from, to }: Mutation): Promise<() => Promise<void>> {
  const dist = join(root, 'dist');
  const pattern = anySpace(from);
  const originals = new Map([...(await readBuilt(dist))].filter(([, text]) => text.search(pattern) !== -1));
  if (originals.size === 0) throw new Error(`"${name}" does not apply: the built worker has no ${from}`);
  const stamp = join(dist, 'commands.stamp');
  const stamped = await readFile(stamp, 'utf8');
  await rm(stamp);
  for (const [file, text] of originals)
    await writeFile(
      file,
      text.replaceAll(pattern, () => to),
    );
  log(`mutation: ${name}`);
  return async () => {
    for (const [file, text] of originals) await writeFile(file, text);
    await writeFile(stamp, stamped);
  };
}

/** The scripts of the built worker, by their paths. */
export async function readBuilt(dist: string): Promise<Map<string, string>> {
  const files = (await readdir(dist)).filter((file) => file.endsWith('.mjs')).map((file) => join(dist, file));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
}

/** Matches the text whether or not the build removed its white space. */
export function anySpace(text: string): RegExp {
  const parts = text.split(/\s+/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(parts.join('\\s*'), 'g');
}
