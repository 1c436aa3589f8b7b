import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import { version } from '@/package.json';

/**
 * A registry with what every process tells: memory, processor, event loop, garbage collection, descriptors, the version, and the
 * pools of connections to the database.
 */
export function createProcessRegistry(
  process: 'web' | 'worker',
  readPools: () => ({ name: string } & Record<'used' | 'idle' | 'waiting', number>)[],
): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  new Gauge({
    name: 'pharos_build_info',
    help: 'Always 1; the version of this process',
    labelNames: ['version'],
    registers,
  }).set({ version }, 1);
  new Gauge({
    name: 'pharos_database_connections',
    help: 'Connections of this process to the database: used or idle; waiting: calls for which there is none',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      this.reset();
      for (const { name: pool, ...states } of readPools()) {
        for (const [state, count] of Object.entries(states)) this.set({ pool, state }, count);
      }
    },
  });
  return registry;
}
