// What is recorded about one deposit or withdrawal, as plain data: operations tell it, pages draw it.

/** One attempt of an operation. */
export interface StoryAttempt {
  /** Unix milliseconds by the server's clock; `end` null: none is recorded. */
  start: number;
  end: number | null;
  automatic: boolean;
  /** The name that whoever sent it signed in with; null: none was given. */
  who: string | null;
  /** What came of it, in a few words; may hold the service's own code. */
  outcome: string;
  /** The service's own message. */
  message: string | null;
  requestId: string | null;
  replayed: boolean;
}

/** One operation that has to do with it. */
export interface StoryPart {
  kind: string;
  /** How it has to do with it: a sentence. */
  relation: string;
  state: string;
  /** Idempotency-Key, by which the operation is addressed. */
  key: string;
  /** In its place, on a redacted copy. */
  shownKey?: string;
  /** The name that whoever recorded it signed in with; null: none was given. */
  who: string | null;
  /** Unix seconds by the service's clock: when it was recorded, just before it could be sent. */
  recordedAt: number;
  attempts: StoryAttempt[];
  /** How a person ended it; `at` in milliseconds. */
  ending: { how: string; words: string; who: string | null; at: number } | null;
}

export interface Story {
  status: 'loading' | 'ready' | 'unavailable';
  /** Why the records cannot be read. */
  reason: string | null;
  parts: StoryPart[];
}
