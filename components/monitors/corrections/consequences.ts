export const CORRECTION_DELETION =
  'The time counts as it was measured again, on status pages and in reports too.';
