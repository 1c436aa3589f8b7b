import { startTestInngest } from '@/inngest/testing/inngest-server';
import { KEYS } from '@/inngest/testing/sign';

export const MINUTE = 60_000;

/** An Inngest server for the benchmark. */
export type BenchServer = {
  /** Settings with which a worker reaches it. */
  settings: Record<string, string>;
  /** A short description. */
  name: string;
  /** Stops it and deletes its data. */
  wipe(): Promise<void>;
  /** Restarts it after `wipe`, without data. */
  comeBack(): Promise<void>;
  /** Counts runs from now on; `stop` returns the maximum per minute. */
  countRuns(): { stop(): Promise<number> };
};

/** The test server, which implements the protocol. `countRuns` triggers its crons every full minute. */
export async function startTestServer(): Promise<BenchServer> {
  const inngest = await startTestInngest();
  return {
    settings: { ...KEYS, INNGEST_BASE_URL: inngest.url },
    name: 'a server that speaks Inngest’s protocol (`inngest/testing/inngest-server.ts`; not Inngest itself)',
    wipe: async () => inngest.wipe(),
    comeBack: async () => inngest.comeBack(),
    countRuns: () => {
      let max = 0;
      let seen = inngest.runs.length;
      const stop = everyMinute(() => {
        max = Math.max(max, inngest.runs.length - seen);
        seen = inngest.runs.length;
        inngest.tick();
      });
      return {
        stop: async () => {
          stop();
          return Math.max(max, inngest.runs.length - seen);
        },
      };
    },
  };
}

/** Calls back `afterMs` after every full minute. Returns a function to stop. */
export function everyMinute(act: () => void, afterMs = 0): () => void {
  let timer: NodeJS.Timeout;
  const schedule = () => {
    const waitMs = MINUTE - ((Date.now() - afterMs) % MINUTE);
    timer = setTimeout(() => {
      act();
      schedule();
    }, waitMs);
  };
  schedule();
  return () => clearTimeout(timer);
}
