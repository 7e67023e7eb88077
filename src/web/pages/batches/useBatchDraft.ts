import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { useSession } from '#src/web/api/session.ts';
import { draftName, forgetDraft, keepDraft, readDraft } from '#src/web/storage/drafts.ts';
import { readLocationState } from '#src/web/storage/locationState.ts';
import type { BatchSource } from './batchRequest.ts';

interface FoundRows {
  values: Readonly<Record<string, string | undefined>>;
  /** When they were chosen, Unix seconds; absent if they came with a link. */
  at?: number | undefined;
}

/** Keeps the file over a reload or a visit to another page, until it is sent or removed. */
export function useBatchDraft(onFound: (source: BatchSource) => void) {
  const session = useSession();
  const name = draftName(session, 'batch');
  const { key: entry, search, state } = useLocation();
  // A link that fills the page with other payments takes precedence.
  const [found] = useState((): FoundRows | null => {
    const { rows: text } = readLocationState(state);
    if (text !== undefined) return { values: { text } };
    return search === '' ? readDraft(name) : null;
  });
  const [at, setAt] = useState(found?.at ?? null);
  const isOpened = useRef(false);
  useEffect(() => {
    if (isOpened.current || found === null) return;
    isOpened.current = true;
    const { name: file = '', text = '' } = found.values;
    onFound({ name: file === '' ? null : file, text });
  }, [found, onFound]);
  return {
    /** When a restored file was chosen, in Unix seconds; null if the file was chosen during this visit. */
    at,
    keep: ({ name: file, text }: BatchSource): void => {
      setAt(null);
      keepDraft(name, { entry, values: { name: file ?? '', text }, at: Math.floor(Date.now() / 1000) });
    },
    forget: (): void => {
      setAt(null);
      forgetDraft(name);
    },
  };
}
