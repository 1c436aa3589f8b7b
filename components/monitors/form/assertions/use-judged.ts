import { useEffect, useMemo, useState } from 'react';
import type { Judge } from './judge-rows';
import type { Judged, Tested } from './judged';
import { type Row, readRows } from './rows';

/** Judges rows by the last response as they are typed. What that takes is loaded after the first test. */
export function useJudged(rows: readonly Row[], tested: Tested | null): Judged[] | null {
  const [judge, setJudge] = useState<{ run: Judge } | null>(null);
  const isNeeded = tested !== null && rows.length > 0;
  useEffect(() => {
    if (!isNeeded || judge !== null) return;
    let isLeft = false;
    import('./judge-rows').then(
      ({ judgeRows }) => !isLeft && setJudge({ run: judgeRows }),
      () => undefined,
    );
    return () => {
      isLeft = true;
    };
  }, [isNeeded, judge]);
  return useMemo(
    () => (tested === null || judge === null ? null : judge.run(readRows(rows), tested)),
    [rows, tested, judge],
  );
}
