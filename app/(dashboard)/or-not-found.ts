import 'server-only';
import { notFound } from 'next/navigation';
import { DomainError } from '@/lib/core/errors';

/** What a verb answers, or the page that says that there is nothing here. */
export async function orNotFound<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (error instanceof DomainError && error.code === 'NOT_FOUND') notFound();
    throw error;
  }
}
