import type { Logger } from '@/lib/core/logger';
import { readVariable } from '@/lib/env';

/**
 * Exports traces if the standard variables of OpenTelemetry name a collector, until the returned function ends it. Call it before creating
 * a database. Its packages are loaded only then.
 */
export async function startTracing(process: 'web' | 'worker', log: Logger): Promise<() => Promise<void>> {
  const endpoint =
    readVariable('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || readVariable('OTEL_EXPORTER_OTLP_ENDPOINT');
  const isOff =
    readVariable('OTEL_SDK_DISABLED')?.toLowerCase() === 'true' ||
    readVariable('OTEL_TRACES_EXPORTER') === 'none';
  if (!endpoint || isOff) return async () => undefined;
  const protocol =
    readVariable('OTEL_EXPORTER_OTLP_TRACES_PROTOCOL') || readVariable('OTEL_EXPORTER_OTLP_PROTOCOL');
  if (protocol && protocol !== 'http/json') {
    log.warn(
      { protocol },
      'traces are exported as http/json, the only supported OTEL_EXPORTER_OTLP_PROTOCOL',
    );
  }
  const { exportTraces } = await import('@/lib/platform/tracing/export-traces');
  return exportTraces(readVariable('OTEL_SERVICE_NAME') || `pharos-${process}`, log);
}
