/** Rows of a report as one text. React walks every value of an object, once to write and once to read it; a text it copies. */
export type PackedRows = string;

/** A row costs the server ten times what its text does, and few people see more at first. */
const FIRST_ROWS = 50;

/** The rows that the server draws, and all others for the browser; null if there are none. */
export function splitRows<Row>(rows: readonly Row[]): { first: readonly Row[]; later: PackedRows | null } {
  const later = rows.slice(FIRST_ROWS);
  return { first: rows.slice(0, FIRST_ROWS), later: later.length > 0 ? JSON.stringify(later) : null };
}
