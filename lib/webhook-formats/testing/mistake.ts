/** A text of the body for `monitor.down`, and what no product takes in its place. */
export type Mistake = [from: string, to: string];
