/** The names of the fields of single rows start with this, and end with the ID of the row. */
export const IMPACT = 'impact.';
