'use client';

import { useState } from 'react';
import type { ImportPlan } from '@/lib/importing/plan/plan';
import { ChooseFile } from './choose-file';
import { PlanReview } from './plan-review';

type Read = { plan: ImportPlan; from: string };

/** Imports monitors: choose a file, review what becomes of each, try the targets, create them. */
export function MonitorImport() {
  const [read, setRead] = useState<Read | null>(null);
  if (read === null) return <ChooseFile onRead={(plan, from) => setRead({ plan, from })} />;
  return <PlanReview {...read} onBack={() => setRead(null)} />;
}
