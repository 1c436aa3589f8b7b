import { expect, it } from 'vitest';
import { useTestDatabase } from '@/lib/testing/database';

/*
 * What only the migrations contain, because Prisma's schema cannot express it: a change here is a change of the database
 * that lib/platform/db/drift.test.ts does not see.
 */
const database = useTestDatabase();

async function list(sql: string): Promise<string[]> {
  const rows = await database.db.$queryRawUnsafe<{ line: string }[]>(sql);
  return rows.map((row) => row.line).sort();
}

it('rows satisfy these conditions', async () => {
  const checks = await list(`
    SELECT conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) AS line
    FROM pg_constraint WHERE contype = 'c' AND connamespace IN ('public'::regnamespace, 'raw'::regnamespace)`);
  expect(checks).toMatchInlineSnapshot(`
    [
      ""user" user_email_lower CHECK ((email = lower(email)))",
      "delivery delivery_pending_is_due CHECK (((status = 'pending'::delivery_status) = (next_attempt_at IS NOT NULL)))",
      "endpoint_subscriber endpoint_subscriber_channel CHECK ((channel = ANY (ARRAY['webhook'::text, 'slack'::text])))",
      "endpoint_subscriber endpoint_subscriber_row_ids CHECK (((cardinality(row_ids) <= 100) AND (chose_rows OR (row_ids = '{}'::text[]))))",
      "incident incident_import_ref CHECK (((length(import_ref) >= 1) AND (length(import_ref) <= 200)))",
      "incident incident_published_postmortem_is_there CHECK (((postmortem_published_at IS NULL) OR (postmortem IS NOT NULL)))",
      "instance instance_one_row CHECK ((id = 1))",
      "ledger_correction ledger_correction_time CHECK ((from_at < to_at))",
      "mail mail_waiting_has_content CHECK (((next_attempt_at IS NULL) = (content_sealed IS NULL)))",
      "mail mail_waits_or_is_over CHECK ((((next_attempt_at IS NULL))::integer = num_nonnulls(sent_at, failed_at)))",
      "mail_server mail_server_id_check CHECK ((id = 1))",
      "maintenance_occurrence maintenance_occurrence_not_before_start CHECK ((ends_at >= starts_at))",
      "maintenance_window maintenance_window_ends_after_start CHECK ((ends_at > starts_at))",
      "manual_check manual_check_outcome_check CHECK (((outcome >= 0) AND (outcome <= 2)))",
      "monitor monitor_regions_not_empty CHECK ((cardinality(regions) > 0))",
      "one_time_token one_time_token_names_its_subject CHECK (
    CASE kind
        WHEN 'password_reset'::token_kind THEN (user_id IS NOT NULL)
        WHEN 'invitation'::token_kind THEN ((organization_id IS NOT NULL) AND (role IS NOT NULL))
        ELSE true
    END)",
      "organization organization_reminder_minutes_check CHECK (((reminder_minutes >= 5) AND (reminder_minutes <= 1440)))",
      "page_image page_image_place CHECK ((place = ANY (ARRAY['logo'::text, 'darkLogo'::text, 'favicon'::text])))",
      "page_image page_image_small CHECK (((octet_length(bytes) >= 1) AND (octet_length(bytes) <= 262144)))",
      "page_subscriber page_subscriber_email_lower CHECK ((email = lower(email)))",
      "page_subscriber page_subscriber_row_ids CHECK (((cardinality(row_ids) <= 100) AND (chose_rows OR (row_ids = '{}'::text[]))))",
      "probe_schedule probe_schedule_slot_range CHECK ((((slot >= 0) AND (slot <= 255)) AND ((phase >= 0) AND (phase <= 9999))))",
      "raw.check_result check_result_outcome_check CHECK (((outcome >= 0) AND (outcome <= 2)))",
      "raw.rollup_progress rollup_progress_one_row CHECK ((id = 1))",
      "raw.shard_lease shard_lease_shard_check CHECK (((shard >= 0) AND (shard <= 15)))",
      "reception reception_one_row CHECK ((id = 1))",
      "scheduled_backup scheduled_backup_one_row CHECK ((id = 1))",
      "schema_compatibility schema_compatibility_one_row CHECK ((id = 1))",
      "status_page status_page_appearance CHECK ((appearance = ANY (ARRAY['automatic'::text, 'light'::text, 'dark'::text])))",
      "status_page status_page_domain_lower CHECK ((custom_domain = lower(custom_domain)))",
      "status_page status_page_embed_origins CHECK ((cardinality(embed_origins) <= 20))",
      "status_page status_page_private_check CHECK ((((visibility <> 'password'::page_visibility) OR (password_hash IS NOT NULL)) AND ((visibility <> 'ip'::page_visibility) OR (allowed_cidrs <> '{}'::text[]))))",
      "status_page status_page_uptime_days CHECK ((uptime_days = ANY (ARRAY[30, 60, 90])))",
      "status_page status_page_verified_has_domain CHECK (((custom_domain_verified_at IS NULL) OR (custom_domain IS NOT NULL)))",
      "status_period status_period_forward CHECK (((to_at IS NULL) OR (to_at >= from_at)))",
      "status_period status_period_has_sums CHECK (((known_before IS NOT NULL) AND (down_before IS NOT NULL)))",
      "webhook_endpoint webhook_endpoint_rotation_ends CHECK (((next_secret_sealed IS NULL) = (rotation_ends_at IS NULL)))",
    ]
  `);
});

it('these indexes are partial', async () => {
  const indexes = await list(`
    SELECT pg_get_indexdef(indexrelid) AS line FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
    WHERE indpred IS NOT NULL AND relnamespace IN ('public'::regnamespace, 'raw'::regnamespace)`);
  expect(indexes).toMatchInlineSnapshot(`
    [
      "CREATE INDEX check_evidence_runs ON public.check_evidence USING btree (monitor_id, region, checked_at) WHERE (kind <> 'good'::evidence_kind)",
      "CREATE INDEX check_result_trouble ON ONLY raw.check_result USING btree (monitor, checked_at) WHERE (outcome <> 0)",
      "CREATE INDEX delivery_due ON public.delivery USING btree (next_attempt_at) WHERE (status = 'pending'::delivery_status)",
      "CREATE INDEX delivery_manual ON public.delivery USING btree (manual_attempt_at) WHERE (manual_attempt_at IS NOT NULL)",
      "CREATE INDEX delivery_message ON public.delivery USING btree (endpoint_id, message_key, number) WHERE (message_key IS NOT NULL)",
      "CREATE INDEX delivery_undelivered ON public.delivery USING btree (organization_id, status, created_at, number) WHERE (status <> 'delivered'::delivery_status)",
      "CREATE INDEX delivery_waiting ON public.delivery USING btree (endpoint_id, ((failures > 0)), next_attempt_at) WHERE (status = 'pending'::delivery_status)",
      "CREATE INDEX endpoint_subscriber_unconfirmed ON public.endpoint_subscriber USING btree (requested_at) WHERE (confirmed_at IS NULL)",
      "CREATE INDEX flapping_due ON public.flapping USING btree (look_at) WHERE (ended_at IS NULL)",
      "CREATE INDEX held_announcement_due ON public.held_announcement USING btree (look_at) WHERE ((ended_at IS NULL) AND (look_at IS NOT NULL))",
      "CREATE INDEX held_announcement_open ON public.held_announcement USING btree (monitor_id) WHERE (ended_at IS NULL)",
      "CREATE INDEX held_announcement_suppressed ON public.held_announcement USING btree (caused_by_id) WHERE ((ended_at IS NULL) AND (look_at IS NULL))",
      "CREATE INDEX incident_open ON public.incident USING btree (organization_id, created_at, number) WHERE (resolved_at IS NULL)",
      "CREATE INDEX incident_orphaned ON public.incident USING btree (id) WHERE (is_orphaned AND (resolved_at IS NULL))",
      "CREATE INDEX mail_claim ON public.mail USING btree (priority, next_attempt_at, id) WHERE (next_attempt_at IS NOT NULL)",
      "CREATE INDEX mail_due ON public.mail USING btree (next_attempt_at) WHERE (next_attempt_at IS NOT NULL)",
      "CREATE INDEX mail_import_confirmation ON public.mail USING btree (organization_id, created_at) WHERE (kind = 'import-confirmation'::text)",
      "CREATE INDEX mail_import_recipient ON public.mail USING btree (recipient, organization_id) WHERE (kind = 'import-confirmation'::text)",
      "CREATE INDEX mail_to_members ON public.mail USING btree (organization_id, created_at) WHERE (kind = ANY (ARRAY['alert'::text, 'test'::text]))",
      "CREATE INDEX maintenance_occurrence_due ON public.maintenance_occurrence USING btree (starts_at, ends_at) WHERE (ended_at IS NULL)",
      "CREATE INDEX maintenance_occurrence_ended ON public.maintenance_occurrence USING btree (ended_at) WHERE (ended_at IS NOT NULL)",
      "CREATE INDEX maintenance_occurrence_unannounced ON public.maintenance_occurrence USING btree (starts_at) WHERE ((ended_at IS NULL) AND (announced_at IS NULL))",
      "CREATE INDEX manual_check_pending ON public.manual_check USING btree (expires_at) WHERE (finished_at IS NULL)",
      "CREATE INDEX member_notice_incident ON public.member_notice USING btree (incident_id) WHERE (incident_id IS NOT NULL)",
      "CREATE INDEX member_notice_mailed ON public.member_notice USING btree (organization_id, mailed_at) WHERE ((mailed_at IS NOT NULL) AND (kind <> 'incident.reminder'::text))",
      "CREATE INDEX member_notice_waiting ON public.member_notice USING btree (occurred_at) WHERE (mailed_at IS NULL)",
      "CREATE INDEX monitor_depends_on ON public.monitor USING gin (depends_on) WHERE (depends_on <> '{}'::text[])",
      "CREATE INDEX monitor_members ON public.monitor USING gin (members) WITH (fastupdate=off) WHERE (members <> '{}'::text[])",
      "CREATE INDEX monitor_state_in_maintenance ON public.monitor_state USING btree (monitor_id) WHERE (status_before_maintenance IS NOT NULL)",
      "CREATE INDEX organization_reminding ON public.organization USING btree (id) WHERE (reminder_minutes IS NOT NULL)",
      "CREATE INDEX page_notice_waiting ON public.page_notice USING btree (occurred_at) WHERE (mailed_at IS NULL)",
      "CREATE INDEX page_subscriber_awaiting ON public.page_subscriber USING btree (page_id, number) WHERE awaits_email",
      "CREATE INDEX page_subscriber_confirmed ON public.page_subscriber USING btree (page_id, id) WHERE (confirmed_at IS NOT NULL)",
      "CREATE INDEX page_subscriber_unconfirmed ON public.page_subscriber USING btree (requested_at) WHERE (confirmed_at IS NULL)",
      "CREATE INDEX scheduled_update_due ON public.scheduled_update USING btree (publish_at) WHERE (dropped_at IS NULL)",
      "CREATE INDEX status_page_delayed ON public.status_page USING btree (id) WHERE (automatic_delay > 0)",
      "CREATE INDEX status_page_domain_due ON public.status_page USING btree (domain_next_check_at) WHERE (domain_next_check_at IS NOT NULL)",
      "CREATE INDEX story_rest_due ON public.story USING btree (rest_due_at) WHERE (rest_due_at IS NOT NULL)",
      "CREATE UNIQUE INDEX flapping_open ON public.flapping USING btree (monitor_id) WHERE (ended_at IS NULL)",
      "CREATE UNIQUE INDEX import_source_first ON public.import_source USING btree (organization_id, format) WHERE is_first",
      "CREATE UNIQUE INDEX incident_imported ON public.incident USING btree (organization_id, import_ref) WHERE (import_ref IS NOT NULL)",
      "CREATE UNIQUE INDEX incident_open_automatic ON public.incident USING btree (monitor_id) WHERE (automatic AND (resolved_at IS NULL))",
      "CREATE UNIQUE INDEX maintenance_occurrence_open ON public.maintenance_occurrence USING btree (window_id) WHERE (ended_at IS NULL)",
      "CREATE UNIQUE INDEX one_time_token_open ON public.one_time_token USING btree (kind, email, COALESCE(organization_id, ''::text)) WHERE (used_at IS NULL)",
      "CREATE UNIQUE INDEX region_name_key ON public.region USING btree (organization_id, lower(name)) WHERE (deleted_at IS NULL)",
      "CREATE UNIQUE INDEX status_page_verified_domain ON public.status_page USING btree (custom_domain) WHERE (custom_domain_verified_at IS NOT NULL)",
      "CREATE UNIQUE INDEX status_period_current ON public.status_period USING btree (monitor_id) WHERE (to_at IS NULL)",
    ]
  `);
});

it('these tables leave free space on their pages', async () => {
  const options = await list(`
    SELECT relname || ' ' || array_to_string(reloptions, ', ') AS line FROM pg_class
    WHERE reloptions IS NOT NULL AND relkind = 'r' AND relnamespace IN ('public'::regnamespace, 'raw'::regnamespace)`);
  expect(options).toMatchInlineSnapshot(`
    [
      "check_runner fillfactor=50, autovacuum_vacuum_scale_factor=0.05",
      "heartbeat fillfactor=50, autovacuum_vacuum_scale_factor=0.05",
      "monitor_state fillfactor=70, autovacuum_vacuum_scale_factor=0.05",
      "probe_schedule fillfactor=70, autovacuum_vacuum_scale_factor=0.05",
      "schedule_change autovacuum_vacuum_scale_factor=0.05",
      "shard_lease fillfactor=50, autovacuum_vacuum_scale_factor=0.05",
    ]
  `);
});

it('the schema raw has these tables, before the engine creates partitions', async () => {
  const tables = await list(`
    SELECT relname || ' ' || coalesce('PARTITION BY ' || pg_get_partkeydef(oid), 'ordinary') AS line FROM pg_class
    WHERE relkind IN ('r', 'p') AND relnamespace = 'raw'::regnamespace`);
  expect(tables).toMatchInlineSnapshot(`
    [
      "check_result PARTITION BY RANGE (checked_at)",
      "check_runner ordinary",
      "group_change ordinary",
      "rollup_hour PARTITION BY RANGE (hour)",
      "rollup_progress ordinary",
      "schedule_change ordinary",
      "shard_lease ordinary",
    ]
  `);
});

it('the schema raw has these columns', async () => {
  const columns = await list(`
    SELECT relname || '.' || attname || ' ' || format_type(atttypid, atttypmod)
      || CASE WHEN attnotnull THEN ' NOT NULL' ELSE '' END AS line
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE attnum > 0 AND NOT attisdropped AND relkind IN ('r', 'p') AND relnamespace = 'raw'::regnamespace`);
  expect(columns).toMatchInlineSnapshot(`
    [
      "check_result.checked_at timestamp(3) with time zone NOT NULL",
      "check_result.connect smallint",
      "check_result.dns smallint",
      "check_result.error text",
      "check_result.error_code text",
      "check_result.first_byte smallint",
      "check_result.late boolean",
      "check_result.monitor integer NOT NULL",
      "check_result.outcome smallint NOT NULL",
      "check_result.region smallint NOT NULL",
      "check_result.response_time integer",
      "check_result.status_code smallint",
      "check_result.tls smallint",
      "check_result.transfer smallint",
      "check_runner.backend integer NOT NULL",
      "check_runner.due_since timestamp(3) with time zone",
      "check_runner.is_leaving boolean NOT NULL",
      "check_runner.knows_before xid8 NOT NULL",
      "check_runner.region text NOT NULL",
      "check_runner.seen_at timestamp(3) with time zone NOT NULL",
      "check_runner.worker_id text NOT NULL",
      "group_change.corrected boolean NOT NULL",
      "group_change.edited_at timestamp(3) with time zone",
      "group_change.group_id text NOT NULL",
      "rollup_hour.checks integer NOT NULL",
      "rollup_hour.failures integer NOT NULL",
      "rollup_hour.hour timestamp(3) with time zone NOT NULL",
      "rollup_hour.latency integer[] NOT NULL",
      "rollup_hour.monitor integer NOT NULL",
      "rollup_hour.region smallint NOT NULL",
      "rollup_hour.response_time_sum bigint NOT NULL",
      "rollup_hour.unknown integer NOT NULL",
      "rollup_progress.id integer NOT NULL",
      "rollup_progress.rolled_until timestamp(3) with time zone NOT NULL",
      "schedule_change.monitor_id text NOT NULL",
      "schedule_change.region text NOT NULL",
      "schedule_change.xid xid8 NOT NULL",
      "shard_lease.epoch bigint NOT NULL",
      "shard_lease.last_decided uuid",
      "shard_lease.last_routine uuid",
      "shard_lease.owner text",
      "shard_lease.region text NOT NULL",
      "shard_lease.released_at timestamp(3) with time zone",
      "shard_lease.shard smallint NOT NULL",
    ]
  `);
});

it('the schema raw has these indexes', async () => {
  const indexes = await list("SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'raw'");
  expect(indexes).toMatchInlineSnapshot(`
    [
      "CREATE INDEX check_result_monitor ON ONLY raw.check_result USING btree (monitor, checked_at)",
      "CREATE INDEX check_result_time ON ONLY raw.check_result USING brin (checked_at) WITH (autosummarize='on')",
      "CREATE INDEX check_result_trouble ON ONLY raw.check_result USING btree (monitor, checked_at) WHERE (outcome <> 0)",
      "CREATE INDEX group_change_group_id ON raw.group_change USING btree (group_id)",
      "CREATE INDEX schedule_change_region_xid ON raw.schedule_change USING btree (region, xid)",
      "CREATE UNIQUE INDEX check_runner_pkey ON raw.check_runner USING btree (region, worker_id)",
      "CREATE UNIQUE INDEX rollup_hour_pkey ON ONLY raw.rollup_hour USING btree (monitor, hour, region)",
      "CREATE UNIQUE INDEX rollup_progress_pkey ON raw.rollup_progress USING btree (id)",
      "CREATE UNIQUE INDEX shard_lease_pkey ON raw.shard_lease USING btree (region, shard)",
    ]
  `);
});

it('there are these functions and triggers, and no views', async () => {
  const others = await list(`
    SELECT 'function ' || proname AS line FROM pg_proc WHERE pronamespace IN ('public'::regnamespace, 'raw'::regnamespace)
    UNION ALL SELECT 'trigger ' || tgname FROM pg_trigger WHERE NOT tgisinternal
    UNION ALL SELECT 'view ' || relname FROM pg_class
      WHERE relkind IN ('v', 'm') AND relnamespace IN ('public'::regnamespace, 'raw'::regnamespace)`);
  expect(others.toSorted()).toEqual([
    'function continue_uptime',
    'function count_created_monitors',
    'function count_deleted_monitors',
    'function count_version',
    'function follow_corrections',
    'function judge_reopened_incident',
    'function known_day',
    'function note_group_edit',
    'function note_member_changes',
    'function note_member_corrections',
    'function note_monitor_change',
    'function note_orphaned_incident',
    'function note_schedule_change',
    'function roll_up_inserted_periods',
    'function roll_up_periods',
    'function roll_up_several',
    'function roll_up_updated_periods',
    'function status_rank',
    'trigger api_key_version',
    'trigger email_recipient_version',
    'trigger incident_reopened',
    'trigger incident_template_version',
    'trigger incident_version',
    'trigger ledger_correction_deleted',
    'trigger ledger_correction_inserted',
    'trigger maintenance_window_version',
    'trigger member_correction_deleted',
    'trigger member_correction_inserted',
    'trigger membership_version',
    'trigger monitor_change',
    'trigger monitor_created',
    'trigger monitor_deleted',
    'trigger monitor_deleted_incident',
    'trigger monitor_group_edited',
    'trigger monitor_paused_incident',
    'trigger monitor_state_contested',
    'trigger monitor_version',
    'trigger probe_schedule_change',
    'trigger region_version',
    'trigger status_page_access_version',
    'trigger status_page_appearance_version',
    'trigger status_page_brand_version',
    'trigger status_page_embed_origins_version',
    'trigger status_page_publication_version',
    'trigger status_page_uptime_days_version',
    'trigger status_page_version',
    'trigger status_period_inserted',
    'trigger status_period_of_member',
    'trigger status_period_sums',
    'trigger status_period_updated',
    'trigger webhook_endpoint_version',
  ]);
});
