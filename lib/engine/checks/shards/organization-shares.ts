/**
 * How many times the free slots one organization may hold, if there are others: it leaves a ninth of all slots free, and two such leave a
 * seventeenth. Without a limit, what others have due would wait until its checks end, which takes seconds where targets hang.
 */
const MAX_SHARE = 8;

/** The organizations whose monitors a worker checks, in all its regions, and what each has of its slots. */
export class OrganizationShares {
  readonly #monitors = new Map<string, number>();
  readonly #running = new Map<string, number>();

  addMonitor(organizationId: string): void {
    change(this.#monitors, organizationId, 1);
  }

  removeMonitor(organizationId: string): void {
    change(this.#monitors, organizationId, -1);
  }

  /** To be called when a check begins, and once when it ends. */
  begin(organizationId: string): void {
    change(this.#running, organizationId, 1);
  }

  end(organizationId: string): void {
    change(this.#running, organizationId, -1);
  }

  /** Whether an organization leaves enough of so many `free` slots to others; always if it is alone. */
  mayBegin(organizationId: string, free: number): boolean {
    return this.#monitors.size <= 1 || (this.#running.get(organizationId) ?? 0) < MAX_SHARE * free;
  }
}

function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}
