import * as v from 'valibot';
import { revealHidden } from './text.ts';

/** The name of whoever did something, in records and contracts. */
export const authorEntries = {
  /** Null if none was given, or if nobody did it. */
  who: v.nullable(v.string()),
  /** The id of the person, who had signed in as themselves; null if the name was only typed. Earlier versions left it out. */
  person: v.optional(v.nullable(v.string()), null),
};

const authorSchema = v.object(authorEntries);
export type Author = v.InferOutput<typeof authorSchema>;

/** The server, or somebody without a name. */
export const NOBODY: Author = { who: null, person: null };

export const NOT_VERIFIED = 'not verified';

/** Leaves out everything else of an actor or a record. */
export function authorOf({ who, person }: Author): Author {
  return { who, person };
}

/** "Ana", or "Ana (not verified)" for a typed name; "" without a name. */
export function authorName({ who, person }: Author): string {
  if (who === null || who === '') return '';
  return person === null ? `${who} (${NOT_VERIFIED})` : who;
}

export function isSameAuthor(one: Author, other: Author): boolean {
  return one.who === other.who && one.person === other.person;
}

/** " by Ana", or "" without a name. */
export function byWhom(author: Author): string {
  const name = authorName(author);
  return name === '' ? '' : ` by ${revealHidden(name)}`;
}
