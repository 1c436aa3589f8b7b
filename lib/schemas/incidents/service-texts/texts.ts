/** What the service writes about incidents. The English text is stored, and translated where it is shown. */
export type ServiceTexts = {
  /** Titles and messages of automatic incidents. */
  down: string;
  degraded: string;
  isDown: string;
  isSlow: string;
  isSlowAgain: string;
  isUp: string;
  /** Updates without a message of their own. */
  changed: string;
  resolved: string;
  reopened: string;
  nowInvestigating: string;
  nowIdentified: string;
  nowMonitoring: string;
  quietMinute: string;
  quietMinutes: string;
};
