import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins class names; of two that set the same property the later one counts. */
export function cn(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}
