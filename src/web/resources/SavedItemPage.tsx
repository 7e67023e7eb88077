import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { LoadError } from '#src/web/list/ErrorNotice.tsx';
import { buttonClass } from '#src/web/ui/Button.tsx';
import { PageFrame } from '#src/web/ui/PageHeader.tsx';
import type { OwnListQuery } from './ownList.ts';

interface SavedItemPageProps<T> {
  /** For example "recipient". */
  noun: string;
  title: string;
  query: OwnListQuery;
  /** Undefined until loaded; null if there is none at this link. */
  item: T | null | undefined;
  /** Shown if there is no such item. */
  missing: { why: string; to: string; link: string };
  children: (item: T) => ReactNode;
}

/** The page of one item of the team, with its states while loading and if there is no such item. */
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
