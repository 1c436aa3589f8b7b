import { Prisma } from './generated/client';

/** A moment as ISO 8601 text in UTC with milliseconds; null stays null. For rows that are returned as JSON, and to spare a `Date`. */
export function isoColumn(moment: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}
