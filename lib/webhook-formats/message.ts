/** The tone of a message, which each product shows in its own color. */
export type Tone = 'good' | 'slow' | 'bad' | 'neutral';

/** For products that accept any color. */
export const COLORS: Record<Tone, string> = {
  good: '#2fa36f',
  slow: '#d99411',
  bad: '#d63d3d',
  neutral: '#64748b',
};

/** How urgent something is; a test is not. */
export type Urgency = 'critical' | 'major' | 'minor' | 'none';

type Link = { label: string; url: string };

/** A message for any chat product, neither escaped nor truncated. */
export type Message = {
  tone: Tone;
  urgency: Urgency;
  title: string;
  /** One or more sentences with line breaks; can be empty. */
  text: string;
  /** At most five, with our own labels. */
  facts: { label: string; value: string }[];
  /** The page in the dashboard; null if its URL is unknown. */
  link: Link | null;
  /** Where its incident is acknowledged; null: it offers that no more, or not to its readers. */
  acknowledge?: Link | null;
  /** When it occurred. */
  at: Date;
};

/** What an event does to its alert: it opens or updates it, somebody works on it, or it ends. */
export type AlertStage = 'open' | 'acknowledged' | 'over';

/** What an event means for a product that keeps alerts open until they are over. */
export type Alert = {
  /** The name of the event. */
  event: string;
  stage: AlertStage;
  /** What the alert is about. The ID identifies it, from the event that opens it to the one that ends it. */
  subject:
    | { type: 'monitor'; id: string; name: string; tags: readonly string[] }
    | { type: 'incident'; id: string; severity: Exclude<Urgency, 'none'> }
    | { type: 'test'; id: string };
  message: Message;
  /** The URL of the dashboard; null if unknown. */
  appUrl: string | null;
};

/** What an event of any version does to its alert. */
export function stageOf(event: string): AlertStage {
  if (event === 'incident.acknowledged') return 'acknowledged';
  return event === 'monitor.up' || event === 'incident.resolved' ? 'over' : 'open';
}
