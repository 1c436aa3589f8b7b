import { type ClassValue, clsx } from 'clsx';
import { twMerge } from 'tailwind-merge';

/** Joins class names; when two set the same property, the later one wins. */
export function cn(...values: ClassValue[]): string {
  return twMerge(clsx(values));
}
