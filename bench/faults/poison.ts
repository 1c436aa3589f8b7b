import { Client } from 'pg';
import type { FaultPlan } from './plan';
import type { World } from './world';

/** How long after a poison row is healed its monitor may be irregular, in virtual milliseconds. */
const SETTLE_MS = 120_000;

type Poison = { name: string; insert: string; heal: string };

/** Rows that the engine cannot read, use, or write. `$1` is the ID of the monitor that they belong to. */
const POISONS: Poison[] = [
  {
    name: 'unreadable state',
    insert: `UPDATE monitor_state SET machine = '{"broken": true}' WHERE monitor_id = $1`,
    heal: 'SELECT $1::text',
  },
  {
    name: 'headers that cannot be decrypted',
    insert: `UPDATE monitor SET headers_sealed = '\\x010203' WHERE id = $1`,
    heal: 'UPDATE monitor SET headers_sealed = NULL WHERE id = $1',
  },
  {
    name: 'secret that cannot be decrypted',
    insert: `INSERT INTO webhook_endpoint
        (id, organization_id, url, description, events, format, enabled, status, secret_sealed, created_at, updated_at)
      SELECT 'whk_poison_' || right($1, 10), organization_id, 'http://127.0.0.1:9/poison', '',
             '{monitor.down,monitor.up}', 'standard', true, 'active', '\\x010203', clock_timestamp(), clock_timestamp()
        FROM monitor WHERE id = $1
      ON CONFLICT DO NOTHING`,
    heal: `UPDATE webhook_endpoint SET enabled = false WHERE id = 'whk_poison_' || right($1, 10)`,
  },
  {
    name: 'results that PostgreSQL rejects',
    insert: `INSERT INTO virtual.poison (monitor) SELECT number FROM monitor WHERE id = $1`,
    heal: 'DELETE FROM virtual.poison WHERE monitor = (SELECT number FROM monitor WHERE id = $1)',
  },
];

/** Lets `virtual.poison` name the monitors whose results cannot be stored, unless they are unknown. */
const REJECT = `
  CREATE TABLE IF NOT EXISTS virtual.poison (monitor int);
  CREATE OR REPLACE FUNCTION virtual.reject() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.outcome <> 2 AND EXISTS (SELECT FROM virtual.poison WHERE monitor = NEW.monitor) THEN
        RAISE EXCEPTION 'poison' USING ERRCODE = 'check_violation';
      END IF;
      RETURN NEW;
    END $$;
  CREATE OR REPLACE TRIGGER poison BEFORE INSERT ON raw.check_result FOR EACH ROW EXECUTE FUNCTION virtual.reject()`;

/** Inserts a row that cannot be processed, of a kind and a monitor that the fault picks. Nothing else may notice it. */
export async function insertPoison({ directUrl, monitors, time }: World, { pick }: FaultPlan) {
  const alive = monitors.filter(({ deletedAt }) => deletedAt === null);
  const monitor = alive[pick % alive.length];
  const poison = POISONS[pick % POISONS.length];
  if (!monitor || !poison) throw new Error('there is nothing to poison');
  const run = async (...statements: string[]) => {
    const client = new Client({ connectionString: directUrl });
    await client.connect();
    try {
      for (const statement of statements)
        await client.query(statement, statement === REJECT ? [] : [monitor.id]);
    } finally {
      await client.end();
    }
  };
  const change = { kind: 'poison' as const, status: 200, from: time.now(), to: Number.MAX_SAFE_INTEGER };
  monitor.changes.push(change);
  await run(REJECT, poison.insert);
  return {
    object: `${poison.name}, ${monitor.id}`,
    end: async () => {
      await run(poison.heal);
      change.to = time.now() + SETTLE_MS;
    },
  };
}
