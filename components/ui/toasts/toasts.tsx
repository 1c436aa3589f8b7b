'use client';

import type { ComponentType } from 'react';
import { createStore } from '../store';

const toaster = createStore<ComponentType | null>(null);

/** Sets what shows toasts, when there is a first one. */
export const mountToaster = toaster.set;

/** Where toasts appear: once, in the layout, so they survive navigation. Their code comes with the code that shows some. */
export function Toasts() {
  const Toaster = toaster.use();
  return Toaster ? <Toaster /> : null;
}
