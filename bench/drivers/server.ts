import { startTestInngest } from '@/inngest/testing/inngest-server';
import { KEYS } from '@/inngest/testing/sign';

export const MINUTE = 60_000;

/** An Inngest server as the benchmark uses one. */
export type BenchServer = {
  /** How a worker reaches it, as settings of the worker. */
  settings: Record<string, string>;
  /** What it is, in a few words. */
  name: string;
  /** Gone, and everything it knew with it. */
  wipe(): Promise<void>;
  /** After `wipe`: there again, and knows nothing. */
  comeBack(): Promise<void>;
  /** Counts runs from now on; `stop` answers the most that began in one minute. */
  countRuns(): { stop(): Promise<number> };
  close(): Promise<void>;
};

/** The server of the tests, which speaks the protocol; its crons are fired by `countRuns`, at every full minute as they should. */
export async function startPlayedServer(): Promise<BenchServer> {
  const inngest = await startTestInngest();
  return {
    settings: { ...KEYS, INNGEST_BASE_URL: inngest.url },
    name: 'a server that speaks Inngest’s protocol (`inngest/testing/inngest-server.ts`; not Inngest itself)',
    wipe: async () => inngest.wipe(),
    comeBack: async () => inngest.comeBack(),
    countRuns: () => {
      let most = 0;
      let seen = inngest.runs.length;
      const stop = everyMinute(() => {
        most = Math.max(most, inngest.runs.length - seen);
        seen = inngest.runs.length;
        inngest.tick();
      });
      return {
        stop: async () => {
          stop();
          return Math.max(most, inngest.runs.length - seen);
        },
      };
    },
    close: () => inngest.close(),
  };
}

/** Calls back at every full minute, `afterMs` later, until the answer is called. */
export function everyMinute(act: () => void, afterMs = 0): () => void {
  let timer: NodeJS.Timeout;
  const arm = () => {
    timer = setTimeout(
      () => {
        act();
        arm();
      },
      MINUTE - ((Date.now() - afterMs) % MINUTE),
    );
  };
  arm();
  return () => clearTimeout(timer);
}
