/** What is known about a piece of work. Never what a target, a receiver or a person sent. */
export type SpanAttributes = Record<string, string | number | boolean>;

export type SpanOptions = {
  attributes: SpanAttributes;
  /** The work is a call to another system. */
  isCall?: boolean;
  /** Recorded only as a part of other work: what repeats by itself, such as reading what is due, is left out. */
  isPart?: boolean;
};

/** Adds what is known once the work has been done. */
type Note = (attributes: SpanAttributes) => void;

/** Records pieces of work as spans. */
export type Tracing = {
  run<T>(name: string, options: SpanOptions, work: (note: Note) => Promise<T>): Promise<T>;
};

/** Next has its own module instances in the same process, so a global holds the tracing of both. */
const shared = globalThis as typeof globalThis & { pharosTracing?: Tracing };

/** Records spans in this process from now on; null: no longer. */
export function installTracing(tracing: Tracing | null): void {
  if (tracing === null) delete shared.pharosTracing;
  else shared.pharosTracing = tracing;
}

/** Whether spans are recorded in this process. */
export function isTracing(): boolean {
  return shared.pharosTracing !== undefined;
}

/** Runs `work`, and records it as a span if there is tracing. */
export function traced<T>(name: string, options: SpanOptions, work: (note: Note) => Promise<T>): Promise<T> {
  const tracing = shared.pharosTracing;
  return tracing === undefined ? work(() => undefined) : tracing.run(name, options, work);
}
