/** Gives back a slot that was taken. */
export type Release = () => void;

/** Counted slots in named groups: at most `limit` of a group are held at once, the rest wait in order. */
export type Slots = {
  acquire(group: string, limit: number): Promise<Release>;
};

type Group = { held: number; waiting: (() => void)[] };

/** Empty groups take no memory. */
export function createSlots(): Slots {
  const groups = new Map<string, Group>();

  function releaseIn(name: string, group: Group): void {
    const handOver = group.waiting.shift();
    if (handOver) {
      handOver();
      return;
    }
    group.held -= 1;
    if (group.held === 0) groups.delete(name);
  }

  return {
    async acquire(name, limit) {
      const group = groups.get(name) ?? { held: 0, waiting: [] };
      groups.set(name, group);
      if (group.held < limit) group.held += 1;
      else await new Promise<void>((resolve) => group.waiting.push(resolve));
      return () => releaseIn(name, group);
    },
  };
}
