import type { Database } from '@/lib/platform/db/client';

/**
 * Has the database note every row that is inserted, changed or deleted from now on. Returns a function that reads those that were not
 * read yet, as texts that begin with the name of the table; a changed row counts as two.
 */
export async function noteWrittenRows(db: Database): Promise<() => Promise<string[]>> {
  await db.$executeRaw`CREATE SCHEMA noted`;
  await db.$executeRaw`CREATE TABLE noted.written (number BIGINT GENERATED ALWAYS AS IDENTITY, text TEXT NOT NULL)`;
  await db.$executeRaw`
    CREATE FUNCTION noted.note_row() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF TG_OP <> 'INSERT' THEN
        INSERT INTO noted.written (text) VALUES (format('%s %s', TG_TABLE_NAME, OLD));
      END IF;
      IF TG_OP <> 'DELETE' THEN
        INSERT INTO noted.written (text) VALUES (format('%s %s', TG_TABLE_NAME, NEW));
      END IF;
      RETURN NULL;
    END $$`;
  await db.$executeRaw`
    DO $$ DECLARE name TEXT;
    BEGIN
      FOR name IN SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' LOOP
        EXECUTE format('CREATE TRIGGER note_row AFTER INSERT OR UPDATE OR DELETE ON public.%I FOR EACH ROW EXECUTE FUNCTION noted.note_row()', name);
      END LOOP;
    END $$`;
  return async () => {
    const rows = await db.$queryRaw<{ number: bigint; text: string }[]>`
      WITH read AS (DELETE FROM noted.written RETURNING number, text) SELECT * FROM read ORDER BY number`;
    return rows.map(({ text }) => text);
  };
}
