import type { SqlValue } from 'sql.js';

/** The columns of the table `monitor` in Uptime Kuma 1.23, as its migrations leave them. */
const COLUMNS_1 = `
  id INTEGER PRIMARY KEY AUTOINCREMENT, name VARCHAR(150), active BOOLEAN NOT NULL DEFAULT 1, user_id INTEGER,
  interval INTEGER NOT NULL DEFAULT 20, url TEXT, type VARCHAR(20), weight INTEGER DEFAULT 2000, hostname VARCHAR(255),
  port INTEGER, created_date DATETIME NOT NULL DEFAULT (DATETIME('now')), keyword VARCHAR(255),
  maxretries INTEGER NOT NULL DEFAULT 0, ignore_tls BOOLEAN NOT NULL DEFAULT 0, upside_down BOOLEAN NOT NULL DEFAULT 0,
  maxredirects INTEGER NOT NULL DEFAULT 10, accepted_statuscodes_json TEXT NOT NULL DEFAULT '["200-299"]',
  dns_resolve_type VARCHAR(5), dns_resolve_server VARCHAR(255), dns_last_result VARCHAR(255),
  retry_interval INTEGER NOT NULL DEFAULT 0, push_token VARCHAR(20), method TEXT NOT NULL DEFAULT 'GET', body TEXT,
  headers TEXT, basic_auth_user TEXT, basic_auth_pass TEXT, docker_host INTEGER, docker_container VARCHAR(255),
  proxy_id INTEGER, expiry_notification BOOLEAN DEFAULT 1, mqtt_topic TEXT, mqtt_success_message VARCHAR(255),
  mqtt_username VARCHAR(255), mqtt_password VARCHAR(255), database_connection_string VARCHAR(2000), database_query TEXT,
  auth_method VARCHAR(250), auth_domain TEXT, auth_workstation TEXT, grpc_url VARCHAR(255), grpc_protobuf TEXT,
  grpc_body TEXT, grpc_metadata TEXT, grpc_method TEXT, grpc_service_name TEXT, grpc_enable_tls BOOLEAN NOT NULL DEFAULT 0,
  radius_username VARCHAR(255), radius_password VARCHAR(255), radius_calling_station_id VARCHAR(50),
  radius_called_station_id VARCHAR(50), radius_secret VARCHAR(255), resend_interval INTEGER NOT NULL DEFAULT 0,
  packet_size INTEGER NOT NULL DEFAULT 56, game VARCHAR(255), http_body_encoding VARCHAR(25), description TEXT,
  tls_ca TEXT, tls_cert TEXT, tls_key TEXT, parent INTEGER, invert_keyword BOOLEAN NOT NULL DEFAULT 0, json_path TEXT,
  expected_value VARCHAR(255), kafka_producer_topic VARCHAR(255), kafka_producer_brokers TEXT,
  kafka_producer_ssl BOOLEAN NOT NULL DEFAULT 0, kafka_producer_allow_auto_topic_creation BOOLEAN NOT NULL DEFAULT 0,
  kafka_producer_sasl_options TEXT, kafka_producer_message TEXT, oauth_client_id TEXT, oauth_client_secret TEXT,
  oauth_token_url TEXT, oauth_scopes TEXT, oauth_auth_method TEXT, timeout DOUBLE NOT NULL DEFAULT 0,
  gamedig_given_port_only BOOLEAN NOT NULL DEFAULT 1`;

/** The columns that 2.x adds. */
const COLUMNS_2 = `,
  mqtt_check_type VARCHAR(255) NOT NULL DEFAULT 'keyword', remote_browser INTEGER, snmp_oid VARCHAR(255),
  snmp_version TEXT DEFAULT '2c', json_path_operator VARCHAR(255), cache_bust BOOLEAN NOT NULL DEFAULT 0,
  conditions TEXT NOT NULL DEFAULT '[]', rabbitmq_nodes TEXT, rabbitmq_username VARCHAR(255), rabbitmq_password VARCHAR(255),
  smtp_security VARCHAR(255), ws_ignore_sec_websocket_accept_header BOOLEAN NOT NULL DEFAULT 0,
  ws_subprotocol VARCHAR(255) NOT NULL DEFAULT '', ping_count INTEGER NOT NULL DEFAULT 1,
  ping_numeric BOOLEAN NOT NULL DEFAULT 1, ping_per_request_timeout INTEGER NOT NULL DEFAULT 2, ip_family VARCHAR(4),
  manual_status SMALLINT, oauth_audience VARCHAR(255), mqtt_websocket_path VARCHAR(255),
  domain_expiry_notification BOOLEAN DEFAULT 0, save_response BOOLEAN NOT NULL DEFAULT 0,
  save_error_response BOOLEAN NOT NULL DEFAULT 1, response_max_length INTEGER NOT NULL DEFAULT 1024,
  system_service_name VARCHAR(255), subtype VARCHAR(10), location VARCHAR(255), protocol VARCHAR(20),
  snmp_v3_username VARCHAR(255), expected_tls_alert VARCHAR(50),
  retry_only_on_status_code_failure BOOLEAN NOT NULL DEFAULT 0, screenshot_delay INTEGER NOT NULL DEFAULT 0,
  ntp_stratum_threshold INTEGER DEFAULT 5, ntp_time_offset_threshold INTEGER DEFAULT 1000,
  ntp_root_dispersion_threshold INTEGER DEFAULT 500, bearer_token TEXT, gamedig_token TEXT`;

/** The other tables that an import looks at, or must not be confused by. */
const OTHER_TABLES = `
  CREATE TABLE heartbeat (id INTEGER PRIMARY KEY, monitor_id INTEGER NOT NULL, status SMALLINT NOT NULL, msg TEXT, time DATETIME);
  CREATE TABLE tag (id INTEGER PRIMARY KEY, name VARCHAR(255) NOT NULL, color VARCHAR(255) NOT NULL, created_date DATETIME);
  CREATE TABLE monitor_tag (id INTEGER PRIMARY KEY, monitor_id INTEGER NOT NULL, tag_id INTEGER NOT NULL, value TEXT);
  CREATE TABLE setting (id INTEGER PRIMARY KEY, key VARCHAR(200) NOT NULL UNIQUE, value TEXT, type VARCHAR(20));
  CREATE TABLE notification (id INTEGER PRIMARY KEY, name VARCHAR(255), active BOOLEAN, user_id INTEGER, is_default BOOLEAN, config TEXT);
  CREATE TABLE status_page (id INTEGER PRIMARY KEY, slug VARCHAR(255) NOT NULL UNIQUE, title VARCHAR(255) NOT NULL);
  CREATE TABLE maintenance (id INTEGER PRIMARY KEY, title VARCHAR(150) NOT NULL, description TEXT NOT NULL);
  CREATE TABLE proxy (id INTEGER PRIMARY KEY, user_id INTEGER, protocol VARCHAR(10), host VARCHAR(255), password VARCHAR(255));
  CREATE TABLE docker_host (id INTEGER PRIMARY KEY, user_id INTEGER, docker_daemon VARCHAR(255), name VARCHAR(255));`;

export type KumaTables = Record<string, Record<string, SqlValue>[]>;

/** The bytes of a `kuma.db` with these rows, by table, as version 1.23 or 2.x writes it: with the header of WAL mode. */
export async function createKumaDatabase(tables: KumaTables, version: 1 | 2 = 2): Promise<Uint8Array> {
  const { default: load } = await import('sql.js/dist/sql-wasm-inline.js');
  const sql = await load();
  const database = new sql.Database();
  database.run(`CREATE TABLE monitor (${COLUMNS_1}${version === 2 ? COLUMNS_2 : ''});${OTHER_TABLES}`);
  for (const [table, rows] of Object.entries(tables)) {
    for (const row of rows) {
      const names = Object.keys(row);
      const places = names.map(() => '?').join(', ');
      database.run(`INSERT INTO "${table}" (${names.join(', ')}) VALUES (${places})`, Object.values(row));
    }
  }
  const bytes = database.export();
  database.close();
  // The read and write versions of the header: 2 stands for WAL.
  bytes[18] = 2;
  bytes[19] = 2;
  return bytes;
}
