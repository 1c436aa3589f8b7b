/** What went wrong, or null. */
type Problem = string | null;

/** What can be done with the selected monitors: server actions, handed in by the page. */
export type BulkActions = {
  setEnabled: (ids: string[], enabled: boolean) => Promise<Problem>;
  tag: (ids: string[], change: { add: string[]; remove: string[] }) => Promise<Problem>;
  remove: (ids: string[]) => Promise<Problem>;
};
