import { collectDefaultMetrics, Registry } from 'prom-client';

/** A registry with what every Node.js process tells: memory, processor, event loop, garbage collection, descriptors. */
export function createProcessRegistry(process: 'web' | 'worker'): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process });
  collectDefaultMetrics({ register: registry });
  return registry;
}
