'use client';

import { startTransition, useEffect, useMemo, useState } from 'react';
import { OutageRow, type OutageRowData } from './outage-row';
import type { PackedRows } from './split-rows';
import { type UptimeColumn, UptimeRow, type UptimeRowData } from './uptime-row';

/** The rows after the first ones, as soon as the page has its scripts: all of them, because people print and search it. */
function useLater<Row>(packed: PackedRows): Row[] {
  const [isReady, setReady] = useState(false);
  useEffect(() => startTransition(() => setReady(true)), []);
  return useMemo(() => (isReady ? JSON.parse(packed) : []), [isReady, packed]);
}

/** The later rows of a table of monitors, sections or tags. */
export function LaterUptimeRows({ packed, columns }: { packed: PackedRows; columns: UptimeColumn[] }) {
  return useLater<UptimeRowData>(packed).map((row) => (
    <UptimeRow key={row.key} row={row} columns={columns} />
  ));
}

/** The later rows of the table of outages. */
export function LaterOutageRows({ packed }: { packed: PackedRows }) {
  return useLater<OutageRowData>(packed).map((row) => <OutageRow key={row.key} row={row} />);
}
