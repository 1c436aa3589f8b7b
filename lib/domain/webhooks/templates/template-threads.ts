import { once } from 'node:events';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { type Rendered, TOO_MUCH_MEMORY, TOO_SLOW } from './rendered';
import type { Work } from './template-thread';

const MAX_THREADS = 2;
/** Templates that wait for a thread, of one organization. */
const MAX_PENDING = 1000;
/** A thread that has not responded after this many milliseconds is killed. Its own limits end almost everything sooner. */
const KILL_MS = 1000;
/** Loading a thread takes a tenth of a second; longer if the machine is busy. */
const START_MS = 30_000;
/** An idle thread costs memory, and a new one a start. */
const IDLE_MS = 30_000;

const LIMITS = { maxOldGenerationSizeMb: 48, maxYoungGenerationSizeMb: 8, stackSizeMb: 2 };

type Job = { work: Work; resolve(rendered: Rendered[]): void };

/** How threads can be started and killed otherwise, by tests. */
type Options = { script?: string; killMs?: number };

/**
 * Threads that render templates, so that no template delays the event loop of its process. At most two at once, with bounded memory; one
 * that does not respond in time is killed. They have neither the environment nor the input of the process, and do not keep it alive.
 */
export class TemplateThreads {
  readonly #idle = new Map<Worker, NodeJS.Timeout>();
  /** By organization, in the order of their turns. */
  readonly #pending = new Map<string, Job[]>();
  #running = 0;

  constructor(private readonly options: Options = {}) {}

  /**
   * Renders a template of an organization with the payloads of events; organizations take turns. The first failure is the last of the
   * list. Never rejects.
   */
  render(organizationId: string, template: string, events: readonly object[]): Promise<Rendered[]> {
    const jobs = this.#pending.get(organizationId) ?? [];
    if (jobs.length >= MAX_PENDING) return Promise.resolve([failed(BUSY)]);
    this.#pending.set(organizationId, jobs);
    return new Promise((resolve) => {
      jobs.push({ work: { template, events }, resolve });
      this.#runNext();
    });
  }

  #runNext(): void {
    if (this.#running >= MAX_THREADS) return;
    const job = this.#takeJob();
    if (job === undefined) return;
    this.#running += 1;
    void this.#run(job.work).then((rendered) => {
      this.#running -= 1;
      job.resolve(rendered);
      this.#runNext();
    });
  }

  #takeJob(): Job | undefined {
    const [next] = this.#pending;
    if (next === undefined) return undefined;
    const [organizationId, jobs] = next;
    const job = jobs.shift();
    this.#pending.delete(organizationId);
    if (jobs.length > 0) this.#pending.set(organizationId, jobs);
    return job;
  }

  async #run(work: Work): Promise<Rendered[]> {
    try {
      return await this.#use(this.#takeIdle() ?? (await this.#start()), work);
    } catch (error) {
      return [failed(explain(error))];
    }
  }

  async #use(thread: Worker, work: Work): Promise<Rendered[]> {
    try {
      const responded = responseOf(thread, this.options.killMs ?? KILL_MS);
      thread.postMessage(work);
      const rendered = await responded;
      this.#idle.set(thread, setTimeout(() => this.#takeIdle(thread)?.terminate(), IDLE_MS).unref());
      return rendered as Rendered[];
    } catch (error) {
      void thread.terminate();
      throw error;
    }
  }

  #takeIdle(thread = this.#idle.keys().next().value): Worker | undefined {
    if (thread === undefined) return undefined;
    clearTimeout(this.#idle.get(thread));
    this.#idle.delete(thread);
    return thread;
  }

  async #start(): Promise<Worker> {
    const script = this.options.script ?? join(process.cwd(), 'dist', 'template-thread.mjs');
    // Not imported: Next bundles what it takes for the program of a `Worker`, which is then not there.
    const { Worker: Thread } = process.getBuiltinModule('node:worker_threads');
    const thread = new Thread(script, { env: {}, execArgv: [], resourceLimits: LIMITS });
    thread.unref();
    // Otherwise an error while it is idle would end the process.
    thread.on('error', () => this.#takeIdle(thread));
    try {
      await responseOf(thread, START_MS);
      return thread;
    } catch (error) {
      void thread.terminate();
      process.emitWarning(error instanceof Error ? error : String(error));
      throw new Error('its thread does not start', { cause: error });
    }
  }
}

const BUSY = 'cannot be rendered now, because too many others wait: try again in a moment';

/** The templates of this process. */
export const templateThreads = new TemplateThreads();

function failed(problem: string): Rendered {
  return { text: null, problem };
}

/** The next message of a thread. Rejects if it fails, and if there is none after these milliseconds. */
async function responseOf(thread: Worker, timeoutMs: number): Promise<unknown> {
  const timeout = new AbortController();
  // After a delay of this process, messages that have arrived come first.
  const timer = setTimeout(() => setImmediate(() => timeout.abort()), timeoutMs);
  try {
    const [message] = await once(thread, 'message', { signal: timeout.signal });
    return message;
  } finally {
    clearTimeout(timer);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return `cannot be rendered: ${error}`;
  if (error.name === 'AbortError') return TOO_SLOW;
  if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return TOO_MUCH_MEMORY;
  return `cannot be rendered: ${error.message}`;
}
