/** The groups of operations, by the first part of their paths, or what it stands for. */
export const TAGS: Record<string, string> = {
  monitors: 'What is checked, how, and what the checks found',
  regions: 'Where checks run, and by whom',
  incidents: 'Outages and other incidents, and their updates',
  'incident-templates': 'What incidents and updates are filled in from',
  markers: 'Deploy markers: what changed, and when',
  maintenance: 'Maintenance windows, in which no notifications are sent',
  reports: 'Uptime and response times over any days',
  'status-pages': 'Public status pages, their domains and subscribers',
  webhooks: 'Endpoints that receive events',
  'email-recipients': 'Addresses that are emailed alerts without an account',
  deliveries: 'Events sent to endpoints, with every attempt',
  'api-keys': 'Keys of this API',
  members: 'The members of your organization',
  invitations: 'Open invitations to your organization',
  audit: 'Who changed what, and when',
  me: 'Your organization, plan, limits and usage',
  service: 'The service itself',
};

/** The group of an operation. */
export function tagOf(path: string): string {
  const [, part = ''] = path.split('/');
  // The pages of the reference have one named events: what webhooks receive.
  const first = part === 'events' ? 'markers' : part;
  return first in TAGS ? first : 'service';
}
