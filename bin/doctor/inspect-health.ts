import type { Clock } from '@/lib/core/time/clock';
import { createHealth } from '@/lib/engine/health/health';
import { type Finding, ok, warning, wrong } from './finding';

/** The parts of health that are about the process that is asked, not about the service. */
const OF_THIS_PROCESS = ['database', 'descriptors'];

/** Inspects the running service as /api/health does: whether checks run, results are stored, and deliveries leave. */
export async function inspectHealth(
  url: string,
  { clock, hasInngest }: { clock: Clock; hasInngest: boolean },
): Promise<Finding[]> {
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
