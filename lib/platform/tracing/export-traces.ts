import {
  context,
  ProxyTracerProvider,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { ExportResultCode, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type ReadableSpan,
  type SpanExporter,
} from '@opentelemetry/sdk-trace-base';
import { installTracing, type Tracing } from '@/lib/core/calls/traced';
import { visiblePath } from '@/lib/core/formats/visible-path';
import type { Logger } from '@/lib/core/logger';
import { version } from '@/package.json';

const URLS = new Set(['http.target', 'http.url', 'url.full', 'next.span_name']);

/**
 * Records spans and sends them to the collector of the environment, which OpenTelemetry reads by itself, like the sampler and limits. Spans wait in a bounded queue, and
 * are dropped when it is full, so that a collector that does not respond delays nothing.
 */
export function exportTraces(serviceName: string, log: Pick<Logger, 'warn' | 'info'>): () => Promise<void> {
  const provider = new BasicTracerProvider({
    resource: defaultResource()
      .merge(detectResources({ detectors: [envDetector] }))
      .merge(resourceFromAttributes({ 'service.name': serviceName, 'service.version': version })),
    spanProcessors: [new QueryRemover(reportFailures(new OTLPTraceExporter(), log))],
  });
  // Next finds these, too, and records its own spans.
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(withoutInngest(provider));
  installTracing(createTracing(provider));
  return async () => {
    installTracing(null);
    // What has not arrived by now is lost, and was reported.
    await provider.shutdown().catch(() => undefined);
    trace.disable();
    context.disable();
    propagation.disable();
  };
}

/**
 * Records no spans of Inngest's SDK. It wraps each run in one, and a drain is a run that looks for due work until the next minute: every look would be
 * recorded, and all checks of that minute would be one trace.
 */
function withoutInngest(provider: TracerProvider): TracerProvider {
  const silent = new ProxyTracerProvider();
  return {
    getTracer: (name, ...rest) => (name === 'inngest' ? silent : provider).getTracer(name, ...rest),
  };
}

function createTracing(provider: BasicTracerProvider): Tracing {
  const tracer = provider.getTracer('pharos', version);
  return {
    run: (name, { attributes, isCall = false, isPart = false }, work) => {
      // What was started within a span and outlives it, such as a timer, is no part of it.
      if (isPart && trace.getActiveSpan()?.isRecording() !== true) return work(() => undefined);
      const kind = isCall ? SpanKind.CLIENT : SpanKind.INTERNAL;
      return tracer.startActiveSpan(name, { kind, attributes }, async (span: Span) => {
        try {
          return await work((known) => span.setAttributes(known));
        } catch (error) {
          // Messages can contain values of rows.
          span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
          span.setStatus({ code: SpanStatusCode.ERROR });
          throw error;
        } finally {
          span.end();
        }
      });
    },
  };
}

/** Next records the whole URLs of requests, whose queries can admit those who know them. */
class QueryRemover extends BatchSpanProcessor {
  override onEnd(span: ReadableSpan): void {
    for (const [name, value] of Object.entries(span.attributes)) {
      if (URLS.has(name) && typeof value === 'string') span.attributes[name] = visiblePath(value);
    }
    super.onEnd(span);
  }
}

/** Logs once when the collector cannot be reached, and once when it can be again. */
function reportFailures(exporter: SpanExporter, log: Pick<Logger, 'warn' | 'info'>): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, ({ code, error }) => {
        const fails = code !== ExportResultCode.SUCCESS;
        if (fails && !isFailing) {
          log.warn(
            { error: error?.message },
            'traces cannot be exported; they are dropped until that works again',
          );
        }
        if (!fails && isFailing) log.info('traces are exported again');
        isFailing = fails;
        done({ code: ExportResultCode.SUCCESS });
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}
