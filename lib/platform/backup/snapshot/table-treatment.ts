/**
 * What a backup contains of a table: all of it; nothing, because it describes processes of the old installation or expires within
 * minutes; or its rows without some columns, which become null.
 */
export type Treatment = 'kept' | 'left out' | { cleared: readonly string[] };

/** Claims and leases of workers that do not exist where the backup is restored. */
const CLAIM = { cleared: ['claimed_by', 'lease_until'] };

/**
 * Every table, by schema and name; partitions are treated like their table. A test compares this with the database: a new table
 * must be added here.
 */
export const TREATMENTS: Readonly<Record<string, Treatment>> = {
  // Written by the migrations that a restore applies.
  'public._prisma_migrations': 'left out',
  'public.schema_compatibility': 'left out',

  // Processes of the old installation, and what they tell each other.
  'public.worker': 'left out',
  'public.wake': 'left out',
  'public.scheduled_backup': 'left out',
  'raw.check_runner': 'left out',
  // Its transaction IDs mean nothing in another database. Workers read the whole schedule when they start.
  'raw.schedule_change': 'left out',
  // Kept, so that the numbers of leases continue: results of a former owner stay refused.
  // What was not judged yet is judged where the backup is restored.
  'raw.group_change': 'kept',
  'raw.shard_lease': { cleared: ['owner'] },

  // Somebody waits for these, for seconds or minutes.
  'public.dry_run': 'left out',
  'public.rate_limit': 'left out',
  'public.pending_sign_in': 'left out',
  'public.subscription_request': 'left out',

  // What was being sent is sent again, with the same ID.
  'public.delivery': CLAIM,
  'public.mail': CLAIM,
  'public.push_message': CLAIM,
  'public.subscriber_delivery': CLAIM,
  'public.endpoint_message': { cleared: ['lease_id', 'lease_until'] },

  // Tells since when nothing was checked or received, so that this time becomes an unknown period.
  'public.region_presence': 'kept',
  'public.duties_presence': 'kept',
  'public.reception': 'kept',
  'public.reception_gap': 'kept',
  // Otherwise a passkey could be used twice.
  'public.used_challenge': 'kept',

  'public.acknowledge_link_use': 'kept',
  'public.api_key': 'kept',
  'public.audit_entry': 'kept',
  'public.check_evidence': 'kept',
  'public.delivery_attempt': 'kept',
  'public.digest_mail': 'kept',
  'public.email_recipient': 'kept',
  'public.endpoint_subscriber': 'kept',
  'public.event_monitor': 'kept',
  'public.flapping': 'kept',
  'public.heartbeat': 'kept',
  'public.held_announcement': 'kept',
  'public.idempotent_answer': 'kept',
  'public.identity': 'kept',
  'public.import_source': 'kept',
  'public.incident': 'kept',
  'public.incident_publication': 'kept',
  'public.incident_resolution': 'kept',
  'public.incident_template': 'kept',
  'public.incident_update': 'kept',
  'public.instance': 'kept',
  'public.ledger_correction': 'kept',
  'public.mail_server': 'kept',
  'public.maintenance_occurrence': 'kept',
  'public.maintenance_window': 'kept',
  'public.maintenance_window_monitor': 'kept',
  'public.manual_check': 'kept',
  'public.marker': 'kept',
  'public.member_notice': 'kept',
  'public.membership': 'kept',
  'public.monitor': 'kept',
  'public.monitor_count': 'kept',
  'public.monitor_import': 'kept',
  'public.monitor_state': 'kept',
  'public.one_time_token': 'kept',
  'public.organization': 'kept',
  'public.outbox_event': 'kept',
  'public.page_image': 'kept',
  'public.page_notice': 'kept',
  'public.page_subscriber': 'kept',
  'public.page_token': 'kept',
  'public.page_unsubscribe': 'kept',
  'public.passkey': 'kept',
  'public.probe': 'kept',
  'public.probe_schedule': 'kept',
  'public.probe_token': 'kept',
  'public.push_subscription': 'kept',
  'public.recovery_code': 'kept',
  'public.region': 'kept',
  'public.region_outage': 'kept',
  'public.report_mail': 'kept',
  'public.scheduled_update': 'kept',
  'public.session': 'kept',
  'public.status_page': 'kept',
  'public.status_page_monitor': 'kept',
  'public.status_period': 'kept',
  'public.story': 'kept',
  'public.story_change': 'kept',
  'public.totp_factor': 'kept',
  'public.uptime_month': 'kept',
  'public.user': 'kept',
  'public.webhook_endpoint': 'kept',
  'raw.check_result': 'kept',
  'raw.rollup_hour': 'kept',
  'raw.rollup_progress': 'kept',
};

/** The treatment of a table; one of another version, which is not listed, is kept. */
export function treatmentOf(table: string): Treatment {
  return TREATMENTS[table] ?? 'kept';
}
