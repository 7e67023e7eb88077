import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import type { OwnListQuery } from './ownList.ts';

interface SavedItemPageProps<T> {
  /** Such as "recipient". */
  noun: string;
  title: string;
  query: OwnListQuery;
  /** Null: there is none at this link; undefined until loaded. */
  item: T | null | undefined;
  /** What a person finds instead of it. */
  missing: { why: string; to: string; link: string };
  children: (item: T) => ReactNode;
}

/** The page of one item of the team, and what is shown while it loads or if there is none. */
export function SavedItemPage<T>({ noun, title, query, item, missing, children }: SavedItemPageProps<T>) {
  if (item != null) return children(item);
  if (item === null) {
    return (
      <PageFrame title={title}>
        <div className="blank">
          <h2>No {noun} at this link</h2>
          <p>{missing.why}</p>
          <Link className={buttonClass()} to={missing.to}>
            {missing.link}
          </Link>
        </div>
      </PageFrame>
    );
  }
  return (
    <PageFrame title={title} padded>
      {query.error ? (
        <LoadError of={query} heading={`Couldn’t load this ${noun}`} />
      ) : (
        <output>Loading the {noun}</output>
      )}
    </PageFrame>
  );
}
