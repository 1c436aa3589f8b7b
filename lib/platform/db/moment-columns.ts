import { Prisma } from './generated/client';

/** A moment as ISO 8601 text in UTC with milliseconds; null stays null. For rows that are returned as JSON, and to spare a `Date`. */
export function isoColumn(moment: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** Epoch milliseconds of a timestamp, exactly, because moments are compared; much faster than the numbers of `extract`. */
export function toMs(timestamp: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`round(date_part('epoch', ${timestamp}) * 1000)`;
}
