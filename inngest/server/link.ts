import type { App } from '../apps';

/** How Inngest reaches the apps of this worker. */
export type Link = {
  /** Inngest does not wake an app: makes itself known again, now and then. */
  onUnwoken(app: App, unwokenMs: number): void;
  close(): Promise<void>;
};
