import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';
import { revealHidden } from '#src/shared/text.ts';

interface PageHeaderProps {
  title: string;
  documentTitle?: string;
  /** The title contains an amount, an address or an ID, which a translator could change. */
  isExact?: boolean;
  asOf?: ReactNode;
  actions?: ReactNode;
}

/** Whether the last unmounted heading had the focus. */
let hadFocus = false;

/**
 * The h1 of a page. The shell moves the focus to the last `data-page-title` after a navigation. If loading replaces that
 * heading, the new one takes the focus.
 */
export function PageHeader({ title, documentTitle, isExact = false, asOf, actions }: PageHeaderProps) {
  useDocumentTitle(documentTitle ?? title);
  const heading = useRef<HTMLHeadingElement>(null);
  useLayoutEffect(() => {
    const here = heading.current;
    if (hadFocus) here?.focus({ preventScroll: true });
    hadFocus = false;
    return () => {
      hadFocus = here === document.activeElement;
    };
  }, []);
  return (
    <header className="page-head">
      <h1 tabIndex={-1} data-page-title ref={heading} translate={isExact ? 'no' : undefined}>
        {title}
      </h1>
      {asOf && <span className="asof">{asOf}</span>}
      {actions && <div className="acts">{actions}</div>}
    </header>
  );
}

export function PageFrame({
  padded,
  children,
  ...header
}: PageHeaderProps & { padded?: boolean; children: ReactNode }) {
  return (
    <>
      <PageHeader {...header} />
      <div className={padded ? 'page-body pad' : 'page-body'}>{children}</div>
    </>
  );
}

/** Stack of titles: a detail has its own, and the list's is restored when the detail closes. */
const entries: { title: string }[] = [];

function show(): void {
  const last = entries.at(-1);
  document.title = last ? `${revealHidden(last.title)} · Countinghouse` : 'Countinghouse';
}

/** Sets the window's title while the component is mounted. The innermost of nested components wins, as it registers last. */
export function useDocumentTitle(title: string): void {
  useEffect(() => {
    const entry = { title };
    entries.push(entry);
    show();
    return () => {
      entries.splice(entries.indexOf(entry), 1);
      show();
    };
  }, [title]);
}
