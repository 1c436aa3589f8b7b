/** For how many days a link to confirm a subscription works; then the request is forgotten. */
export const CONFIRM_DAYS = 7;

/** How often one address is asked to confirm for one page, whoever types it in. */
export const ASK_EVERY_MS = 10 * 60_000;

/** How many confirmation emails one page may cause in an hour: nobody floods strangers' inboxes through its form. */
export const CONFIRMATIONS_PER_HOUR = 100;
