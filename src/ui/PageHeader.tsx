import type { ReactNode } from 'react';
import { useDocumentTitle } from './documentTitle.ts';

interface PageHeaderProps {
  title: string;
  /** The window's title where it says more than the heading. */
  documentTitle?: string;
  asOf?: ReactNode;
  actions?: ReactNode;
}

/** The h1 of a page. The shell moves focus to the last `data-page-title` after a navigation. */
export function PageHeader({ title, documentTitle, asOf, actions }: PageHeaderProps) {
  useDocumentTitle(documentTitle ?? title);
  return (
    <header className="page-head">
      <h1 tabIndex={-1} data-page-title>
        {title}
      </h1>
      {asOf && <span className="asof">{asOf}</span>}
      {actions && <div className="acts">{actions}</div>}
    </header>
  );
}
